"""Response streams: JSON arrays, NDJSON, concatenated objects, server-sent events, delimited.

`read` and `aread` yield the messages of a stream as they arrive, `write` writes them. `Framer`
finds their boundaries, without input or output. ``docs/streams.md`` states every rule.
"""

from turnwire.streams._decoder import OnError
from turnwire.streams._framer import MAX_ELEMENT_BYTES, Format, Framer
from turnwire.streams._machine import ErrorEvent, Stray
from turnwire.streams._members import At
from turnwire.streams._reader import aread, read
from turnwire.streams._sources import AsyncSource, Source
from turnwire.streams._writer import WriteFormat, write

__all__ = [
    "MAX_ELEMENT_BYTES",
    "AsyncSource",
    "At",
    "ErrorEvent",
    "Format",
    "Framer",
    "OnError",
    "Source",
    "Stray",
    "WriteFormat",
    "aread",
    "read",
    "write",
]
