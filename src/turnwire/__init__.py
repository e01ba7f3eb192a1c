"""Typed messages, strict fast JSON, streams and answers for CES and Conversational Analytics."""

from turnwire import schema
from turnwire._backend import backend
from turnwire.errors import ParseError, SerializeError, StreamError, TruncatedStream, TurnwireError
from turnwire.protojson import from_dict, from_json, to_dict, to_json
from turnwire.streams import aread, read, write

__version__ = "0.1.0"

__all__ = [
    "ParseError",
    "SerializeError",
    "StreamError",
    "TruncatedStream",
    "TurnwireError",
    "__version__",
    "aread",
    "backend",
    "from_dict",
    "from_json",
    "read",
    "schema",
    "to_dict",
    "to_json",
    "write",
]
