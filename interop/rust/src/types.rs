//! Reads and writes one input of any message type.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use buffa::type_registry::{TypeRegistry, set_type_registry};
use buffa::{Message, MessageName};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::message_types;

/// The result of one input.
#[derive(Default, Serialize)]
pub struct Report {
    /// Was it read?
    pub read: bool,
    /// Does it equal, in this runtime, the message in the vector's bytes?
    pub same: bool,
    /// The message, written again as JSON and as bytes (in base64).
    pub json: Option<String>,
    pub binary: Option<String>,
    /// Why it was not read, or not written.
    pub error: Option<String>,
}

pub enum Input<'a> {
    Json(&'a [u8]),
    Binary(&'a [u8]),
}

/// Reads one input of a type and compares it with the message in `expected`.
pub type Try = fn(input: Input, expected: Option<&[u8]>) -> Report;

/// Registers every message type and protobuf's own: an `Any` is read and written as JSON only if
/// its type is registered.
pub fn register() {
    let mut registry = TypeRegistry::new();
    message_types::register(&mut registry);
    buffa_types::register_wkt_types(&mut registry);
    set_type_registry(registry);
}

/// The name of a message type, and the function that tries an input of it.
pub fn entry<M>() -> (&'static str, Try)
where
    M: Message + MessageName + PartialEq + Serialize + DeserializeOwned,
{
    (M::FULL_NAME, try_input::<M>)
}

fn try_input<M>(input: Input, expected: Option<&[u8]>) -> Report
where
    M: Message + PartialEq + Serialize + DeserializeOwned,
{
    let read = match input {
        Input::Json(text) => serde_json::from_slice::<M>(text).map_err(|e| e.to_string()),
        Input::Binary(data) => M::decode_from_slice(data).map_err(|e| e.to_string()),
    };
    let message = match read {
        Ok(message) => message,
        Err(error) => {
            return Report {
                error: Some(error),
                ..Report::default()
            };
        }
    };
    let expected = expected.and_then(|data| M::decode_from_slice(data).ok());
    let (json, error) = match serde_json::to_string(&message) {
        Ok(json) => (Some(json), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Report {
        read: true,
        same: expected.is_some_and(|expected| message == expected),
        json,
        binary: Some(BASE64_STANDARD.encode(message.encode_to_vec())),
        error,
    }
}
