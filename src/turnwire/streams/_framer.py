"""The framer: bytes in, complete JSON texts or binary messages out. It does no input or output."""

from __future__ import annotations

import re
from typing import Literal, get_args

from turnwire.errors import ParseError, TruncatedStream, TurnwireError
from turnwire.streams._delimited import Delimited
from turnwire.streams._detect import detect
from turnwire.streams._events import Events
from turnwire.streams._lines import Lines
from turnwire.streams._machine import BLANKS, Machine
from turnwire.streams._objects import Objects
from turnwire.streams._values import Array, Concatenated, OneObject

Format = Literal["auto", "array", "ndjson", "concatenated", "object", "sse", "delimited"]
"""The formats that are read; `"auto"` finds out which one it is."""

MAX_ELEMENT_BYTES = 64 * 2**20
"""How large one element may be, unless another limit is given: 64 MiB."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONGEST_BLANK_MESSAGE = 1 + max(BLANKS)
_OVER_LINES = re.compile(rb"\{[ \t\r]*+\n")
_LONGEST_OPENING_LINE = 1000
_MACHINES: dict[str, type[Machine]] = {
    "array": Array,
    "ndjson": Lines,
    "concatenated": Concatenated,
    "object": OneObject,
    "objects": Objects,
    "sse": Events,
    "delimited": Delimited,
}


def check_format(format: str) -> None:
    """Raises ValueError for a format that does not exist."""
    if format not in get_args(Format):
        known = ", ".join(get_args(Format))
        raise ValueError(f"format must be one of {known}; got {format!r}")


class Framer:
    """Cuts a stream into its elements: JSON texts, or binary messages for ``"delimited"``.

    It looks for boundaries only. What is between them may be wrong JSON; the parser will say so.
    Any chunking gives the same elements, and an element is given as soon as it is complete.

    Attributes:
        format: What was named, or what was found: ``"array"``, ``"objects"`` (one object,
            concatenated objects or NDJSON), ``"sse"`` or ``"delimited"``; ``"auto"`` until then.
        error: What is wrong with the stream, once that is known. Elements that were complete
            before are given first: `feed` raises the error at once if it completed nothing, else
            in the next call.
        misfit: Set if an array, lines or events were named and the body is one JSON value, as
            services answer that refuse a request. The value is given as an element; it is no
            message, and this is the error to raise if it is no error of the service either.

    >>> from turnwire.streams import Framer
    >>> framer = Framer()
    >>> framer.feed(b'[{"role": "us')
    []
    >>> framer.feed(b'er"}, {"role": "agent"}')
    [b'{"role": "user"}', b'{"role": "agent"}']
    >>> framer.feed(b"]")
    []
    >>> framer.close()
    []
    """

    def __init__(
        self, format: Format = "auto", *, max_element_bytes: int = MAX_ELEMENT_BYTES
    ) -> None:
        check_format(format)
        if max_element_bytes < 1:
            raise ValueError(f"max_element_bytes must be at least 1; got {max_element_bytes}")
        self.format: str = format
        self.error: TurnwireError | None = None
        self.misfit: ParseError | None = None
        self._limit = max_element_bytes
        self._machine: Machine | None = None
        self._head = b""
        self._is_begun = False
        self._is_text = format not in ("auto", "delimited")

    def feed(self, data: bytes | bytearray | memoryview) -> list[bytes]:
        """Takes the next bytes and returns the elements that they complete.

        Raises:
            ParseError: The stream is not of its format (see `error` for when).
        """
        if self.error:
            raise self.error
        elements: list[bytes] = []
        chunk = bytes(data)
        try:
            if self._machine is None:
                chunk = self._begin(chunk, at_end=False)
            if self._machine is not None:
                self._machine.feed(chunk, elements)
        except TurnwireError as error:
            self.error = error
            if not elements:
                raise
        return elements

    def close(self) -> list[bytes]:
        """Says that there are no more bytes, and returns the elements that this completes.

        Raises:
            TruncatedStream: Something is missing.
            ParseError: What was kept in `error`.
        """
        if self.error:
            raise self.error
        elements: list[bytes] = []
        try:
            if self._machine is None:
                rest = self._begin(b"", at_end=True)
                if self._machine is not None:
                    self._machine.feed(rest, elements)
            if self._machine is not None:
                self._machine.close(elements)
        except TurnwireError as error:
            self.error = error
            if not elements:
                raise
        return elements

    def _begin(self, chunk: bytes, *, at_end: bool) -> bytes:
        """Collects bytes until the format is certain; returns what its machine has to read."""
        head = self._head + chunk
        if self.format != "delimited":
            if not self._is_begun:
                if len(head) < len(_BYTE_ORDER_MARK) and _BYTE_ORDER_MARK.startswith(head):
                    if head and at_end:
                        raise TruncatedStream("the stream ended inside of its first character")
                    self._head = head
                    if head or not at_end:
                        return b""
                self._is_begun = True
                if head.startswith(_BYTE_ORDER_MARK):
                    head = head[len(_BYTE_ORDER_MARK) :]
                    self._is_text = True
            if self._is_text or (len(head) > _LONGEST_BLANK_MESSAGE and not head.strip(BLANKS)):
                self._is_text = True
                head = head.lstrip(BLANKS)
        machine = self._machine_for(head, at_end)
        if machine is None:
            self._head = head
            return b""
        self._head = b""
        self._machine = machine(self._limit)
        return head if self.format == "delimited" else head.lstrip(BLANKS)

    def _machine_for(self, head: bytes, at_end: bool) -> type[Machine] | None:
        if not head:
            return OneObject if at_end and self.format == "object" else None
        if self.format == "auto":
            found = detect(head, is_text=self._is_text, at_end=at_end)
            if found is None:
                return None
            self.format = found
        elif self.format == "ndjson" and not at_end and _opens_only(head):
            return None
        return self._misfit(head) or _MACHINES[self.format]

    def _misfit(self, head: bytes) -> type[Machine] | None:
        """The machine for a body that is one JSON value though something else was named."""
        wanted = {"array": "a JSON array", "sse": "server-sent events", "ndjson": "JSON lines"}
        is_object = head.startswith(b"{") and (
            self.format != "ndjson" or _OVER_LINES.match(head[:_LONGEST_OPENING_LINE])
        )
        is_array = head.startswith(b"[") and self.format == "sse"
        if self.format not in wanted or not (is_object or is_array):
            return None
        got = "an object" if is_object else "an array"
        self.misfit = ParseError(
            f"expected {wanted[self.format]}, got {got}", kind="syntax", index=0
        )
        return OneObject if is_object else Array


def _opens_only(head: bytes) -> bool:
    """Whether the first line is a brace and blanks so far."""
    is_short = len(head) < _LONGEST_OPENING_LINE
    return is_short and head.startswith(b"{") and not head[1:].strip(b" \t\r")
