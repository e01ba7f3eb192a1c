use std::error::Error;
use std::io::{self, Read, Write};

use buffa::Message;

use crate::schema::turnwire_schema::ces::v1::__buffa::oneof::session_output::OutputType;
use crate::schema::turnwire_schema::ces::v1::RunSessionResponse;
use crate::schema::turnwire_schema::geminidataanalytics::v1 as geminidataanalytics;

/// Reads messages, signs each, and writes them; unknown fields are kept.
pub fn change(type_name: &str) -> Result<(), Box<dyn Error>> {
    match type_name {
        "turnwire_schema.ces.v1.RunSessionResponse" => each(|response: &mut RunSessionResponse| {
            for output in &mut response.outputs {
                if let Some(OutputType::Text(text)) = &mut output.output_type {
                    text.push_str(" [rust]");
                }
            }
        }),
        "turnwire_schema.geminidataanalytics.v1.Message" => {
            each(|message: &mut geminidataanalytics::Message| {
                message.message_id.push_str(" [rust]")
            })
        }
        _ => Err(format!("expected a type that this program changes, got {type_name}").into()),
    }
}

fn each<M: Message>(sign: impl Fn(&mut M)) -> Result<(), Box<dyn Error>> {
    let mut data = Vec::new();
    io::stdin().read_to_end(&mut data)?;
    let mut rest = data.as_slice();
    let mut out = Vec::new();
    while !rest.is_empty() {
        let mut message = M::decode_length_delimited(&mut rest)?;
        sign(&mut message);
        message.encode_length_delimited(&mut out);
    }
    Ok(io::stdout().write_all(&out)?)
}
