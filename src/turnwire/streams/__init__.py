"""Response streams: JSON arrays, NDJSON, concatenated objects, server-sent events, delimited.

`read` and `aread` give the messages of a stream as they arrive, `write` writes them; `Framer` is
what finds their boundaries, without input or output. ``docs/streams.md`` states every rule.
"""

from turnwire.streams._framer import MAX_ELEMENT_BYTES, Format, Framer
from turnwire.streams._reader import OnError, aread, read
from turnwire.streams._sources import AsyncSource, Source
from turnwire.streams._writer import WriteFormat, write

__all__ = [
    "MAX_ELEMENT_BYTES",
    "AsyncSource",
    "Format",
    "Framer",
    "OnError",
    "Source",
    "WriteFormat",
    "aread",
    "read",
    "write",
]
