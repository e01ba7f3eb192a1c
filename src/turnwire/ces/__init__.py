"""CES (Customer Engagement Suite): the messages of its sessions, and the answers in them.

The message classes are those of ``turnwire_schema.ces.v1``. `Session.collect` puts a whole session
together; the functions read one message.
"""

from typing import TYPE_CHECKING, Any

from turnwire_schema.ces.v1.agent_transfer_pb2 import AgentTransfer
from turnwire_schema.ces.v1.bidi_session_pb2 import (
    BidiSessionClientMessage,
    BidiSessionServerMessage,
    GoAway,
    InterruptionSignal,
    RecognitionResult,
)
from turnwire_schema.ces.v1.conversation_pb2 import Conversation
from turnwire_schema.ces.v1.media_pb2 import Blob, Image
from turnwire_schema.ces.v1.message_pb2 import Chunk, Message
from turnwire_schema.ces.v1.session_config_pb2 import (
    AudioEncoding,
    InputAudioConfig,
    OutputAudioConfig,
    SessionConfig,
)
from turnwire_schema.ces.v1.session_input_pb2 import Event, SessionInput
from turnwire_schema.ces.v1.session_output_pb2 import (
    Citations,
    EndSession,
    GoogleSearchSuggestions,
    SessionOutput,
    WebSearchQuery,
)
from turnwire_schema.ces.v1.session_pb2 import RunSessionRequest, RunSessionResponse
from turnwire_schema.ces.v1.span_pb2 import Span
from turnwire_schema.ces.v1.tool_pb2 import (
    ToolCall,
    ToolCalls,
    ToolResponse,
    ToolResponses,
    ToolsetTool,
)

from turnwire._media import ImageSize, image_size_of, save, suffix_of
from turnwire._renamed import find_in_module
from turnwire.ces._audio import to_wav
from turnwire.ces._builder import SessionBuilder, sessions_of
from turnwire.ces._citations import CitedText, citations_of
from turnwire.ces._ending import SessionEnd
from turnwire.ces._exchanges import ToolExchange, walk_exchanges
from turnwire.ces._items import SessionItem
from turnwire.ces._session import Session
from turnwire.ces._span_rows import SpanRow, span_rows, span_table
from turnwire.ces._spans import (
    critical_path,
    duration_ns_of,
    durations_ns_of,
    find_spans,
    walk_spans,
)
from turnwire.ces._text import text_of
from turnwire.ces._tools import (
    args_of,
    error_of,
    respond,
    result_of,
    tool_name_of,
    tool_responses,
)
from turnwire.ces._transcript import TranscriptEntry
from turnwire.ces._turns import Turn

__all__ = [
    "AgentTransfer",
    "AudioEncoding",
    "BidiSessionClientMessage",
    "BidiSessionServerMessage",
    "Blob",
    "Chunk",
    "Citations",
    "CitedText",
    "Conversation",
    "EndSession",
    "Event",
    "GoAway",
    "GoogleSearchSuggestions",
    "Image",
    "ImageSize",
    "InputAudioConfig",
    "InterruptionSignal",
    "Message",
    "OutputAudioConfig",
    "RecognitionResult",
    "RunSessionRequest",
    "RunSessionResponse",
    "Session",
    "SessionBuilder",
    "SessionConfig",
    "SessionEnd",
    "SessionInput",
    "SessionItem",
    "SessionOutput",
    "Span",
    "SpanRow",
    "ToolCall",
    "ToolCalls",
    "ToolExchange",
    "ToolResponse",
    "ToolResponses",
    "ToolsetTool",
    "TranscriptEntry",
    "Turn",
    "WebSearchQuery",
    "args_of",
    "citations_of",
    "critical_path",
    "duration_ns_of",
    "durations_ns_of",
    "error_of",
    "find_spans",
    "image_size_of",
    "respond",
    "result_of",
    "save",
    "sessions_of",
    "span_rows",
    "span_table",
    "suffix_of",
    "text_of",
    "to_wav",
    "tool_name_of",
    "tool_responses",
    "walk_exchanges",
    "walk_spans",
]


if not TYPE_CHECKING:  # A type checker would take every name for an attribute.

    def __getattr__(name: str) -> Any:
        return find_in_module(__name__, name)
