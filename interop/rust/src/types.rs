//! The message types of both APIs, by their full names.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use buffa::{Message, MessageName};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::schema::turnwire_schema::{
    ces::v1 as ces, geminidataanalytics::v1 as geminidataanalytics,
};

/// What became of one input.
#[derive(Default, Serialize)]
pub struct Report {
    /// Was it read?
    pub read: bool,
    /// Is it, by this runtime, the message that the vector's bytes are?
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

/// Every message type of both APIs.
pub fn all() -> HashMap<&'static str, Try> {
    macro_rules! types {
        ($($api:ident => [$($name:ident $(:: $nested:ident)*),* $(,)?])*) => {
            HashMap::from([$($(entry::<$api::$name $(:: $nested)*>()),*),*])
        };
    }
    types! {
        ces => [
            AgentTransfer, BidiSessionClientMessage, BidiSessionServerMessage, Blob, Chunk,
            Citations, citations::CitedChunk, Conversation, conversation::Turn, EndSession,
            Event, GoAway, GoogleSearchSuggestions, Image, InputAudioConfig,
            InterruptionSignal, Message, OutputAudioConfig, RecognitionResult,
            RunSessionRequest, RunSessionResponse, SessionConfig,
            session_config::RemoteDialogflowQueryParameters, SessionInput, SessionOutput,
            session_output::DiagnosticInfo, Span, ToolCall, ToolCalls, ToolResponse,
            ToolResponses, ToolsetTool, WebSearchQuery,
        ]
        geminidataanalytics => [
            AgentContextReference, AlloyDbDatabaseReference, AlloyDbReference,
            AnalysisEvent, AnalysisMessage, AnalysisOptions, analysis_options::Python,
            AnalysisQuery, BigQueryJob, BigQueryPropertyGraphReference, BigQueryRoutine,
            BigQueryRoutineReference, BigQueryTableReference, BigQueryTableReferences,
            BigtableDatabaseReference, BigtableReference, Blob, ChartMessage, ChartOptions,
            chart_options::ImageOptions, chart_options::image_options::NoImage,
            chart_options::image_options::SvgOptions, ChartQuery, ChartResult, ChatRequest,
            Citation, CitationAnchor, citation_anchor::TextMessageCitationAnchor,
            CitationSource, ClarificationMessage, ClarificationQuestion,
            ClientManagedResourceContext, CloudSqlDatabaseReference, CloudSqlReference,
            Context, context::SchemaRelationship, context::schema_relationship::SchemaPaths,
            ConversationOptions, ConversationReference, Credentials, DataAgentContext,
            DataFilter, DataMessage, DataQuery, DataResult, DatabaseTableReference,
            Datasource, DatasourceOptions, DatasourceReferences, DynamicField, ErrorMessage,
            ExampleQueries, ExampleQuery, Field, FirestoreDatabaseReference,
            FirestoreReference, GlossaryTerm, ListMessagesResponse, LookerExploreReference,
            LookerExploreReferences, LookerGoldenQuery, LookerQuery, looker_query::Filter,
            LookerSettings, MatchedQuery, Message, OAuthCredentials,
            o_auth_credentials::SecretBased, o_auth_credentials::TokenBased,
            PrivateLookerInstanceInfo, QueryParameter, QueryParameterValues, Schema,
            SchemaMessage, SchemaQuery, SchemaResult, SpannerDatabaseReference,
            SpannerReference, StorageMessage, StudioDatasourceReference,
            StudioDatasourceReferences, SystemMessage, TextMessage, UserFunctions,
            UserMessage,
        ]
    }
}

fn entry<M>() -> (&'static str, Try)
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
