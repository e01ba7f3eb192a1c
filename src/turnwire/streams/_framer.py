"""The framer: bytes in, complete JSON texts or binary messages out, without input or output."""

from __future__ import annotations

from typing import Literal, get_args

from turnwire.errors import ParseError, TruncatedStream, TurnwireError
from turnwire.streams._delimited import Delimited
from turnwire.streams._detect import EXPECTED, detect
from turnwire.streams._events import Events
from turnwire.streams._foreign import SHOWN_BYTES, foreign, may_become_foreign, shown
from turnwire.streams._lines import MAX_OPENING_BYTES, Lines, opens_over_lines
from turnwire.streams._machine import BLANKS, Machine, Stray
from turnwire.streams._objects import Objects
from turnwire.streams._values import Array, Concatenated, OneObject

Format = Literal["auto", "array", "ndjson", "concatenated", "object", "sse", "delimited"]
"""The formats that are read; `"auto"` detects which one it is."""

MAX_ELEMENT_BYTES = 64 * 2**20
"""The default limit for the size of one element: 64 MiB."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MAX_BLANK_MESSAGE_BYTES = 1 + max(BLANKS)
_REFUSALS = (b'{"error":', b'[{"error":')
_JSON_VALUES = ("array", "concatenated", "object")
_EXPECTED = {
    "auto": EXPECTED,
    "array": "a JSON array",
    "ndjson": "JSON lines",
    "concatenated": "JSON objects",
    "object": "a JSON object",
    "sse": "server-sent events",
    "delimited": "length-delimited messages",
}
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
    """Raises a ValueError for a format that does not exist."""
    if format not in get_args(Format):
        known = ", ".join(get_args(Format))
        raise ValueError(f"format must be one of {known}; got {format!r}")


class Framer:
    """Cuts a stream into its elements: JSON texts, or binary messages for ``"delimited"``.

    It looks only for boundaries. The text between them may be wrong JSON; the parser reports that.
    Any chunking gives the same elements, and each is returned as soon as it is complete.

    Two kinds of elements are not messages. The data of an event whose name is ``error`` is of the
    class `ErrorEvent`. A JSON text where the format has none, as services send that refuse a
    request, is a `Stray`; its attribute ``error`` says what is wrong with it.

    Attributes:
        format: The format that was named or detected: ``"array"``, ``"objects"`` (one object,
            concatenated objects or NDJSON), ``"sse"`` or ``"delimited"``; ``"auto"`` until then.
        error: The error of the stream, once there is one. Elements that were complete before it
            are returned first: `feed` raises the error at once if it completed nothing, else in
            the next call.

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
        self._expected = _EXPECTED[format]
        self.error: TurnwireError | None = None
        self._misfit: ParseError | None = None
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
        return self._given(elements)

    @property
    def stray(self) -> Stray | None:
        """Returns the JSON value that the error is about, if none may stand there.

        >>> framer = Framer("array")
        >>> framer.feed(b'[{"role": "a"}] {"error": {}}')
        [b'{"role": "a"}']
        >>> framer.stray
        b'{"error": {}}'
        """
        return self._machine.stray if self._machine is not None else None

    def close(self) -> list[bytes]:
        """Ends the stream and returns the elements that the end completes.

        Raises:
            TruncatedStream: Something is missing.
            ParseError: The stream is not of its format.
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
        return self._given(elements)

    def _given(self, elements: list[bytes]) -> list[bytes]:
        if self._misfit is None:
            return elements
        error = self._misfit
        return [Stray(element, error, ends_stream=True) for element in elements]

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
            if self._is_text or (len(head) > _MAX_BLANK_MESSAGE_BYTES and not head.strip(BLANKS)):
                self._is_text = True
                head = head.lstrip(BLANKS)
        machine = self._machine_for(head, at_end)
        if machine is None:
            self._head = head
            return b""
        self._head = b""
        self._machine = machine(self._limit)
        return head if machine is Delimited else head.lstrip(BLANKS)

    def _machine_for(self, head: bytes, at_end: bool) -> type[Machine] | None:
        if not head:
            return OneObject if at_end and self.format == "object" else None
        is_certain = self._check_foreign(head, at_end)
        if self.format == "auto":
            found = detect(head, is_text=self._is_text, at_end=at_end)
            if found is None:
                return None
            self.format = found
        elif not at_end and self._may_become_misfit(head):
            return None
        elif self.format in _JSON_VALUES and not head.startswith((b"{", b"[")):
            if len(head) < SHOWN_BYTES and not at_end:
                return None
            reason = f"expected {self._expected}, got {shown(head)}"
            raise ParseError(reason, kind="syntax", index=0)
        return (self._misfit_machine(head) or _MACHINES[self.format]) if is_certain else None

    def _check_foreign(self, head: bytes, at_end: bool) -> bool:
        """Refuses a body that is in no format; returns whether the head is enough to know."""
        for text in (head, head.lstrip(BLANKS)):
            if not at_end and may_become_foreign(text):
                return False
            if name := foreign(text, is_text=self._is_text):
                raise ParseError(f"expected {self._expected}, got {name}", kind="syntax", index=0)
        return True

    def _may_become_misfit(self, head: bytes) -> bool:
        """Returns whether the head could be the beginning of a refusal in another format."""
        if self.format == "ndjson":
            return b"\n" not in head and len(head) < MAX_OPENING_BYTES
        if self.format == "delimited":
            # A message of this length would be longer than the bytes that are looked at.
            text = head.translate(None, BLANKS)
            return len(head) <= head[0] and any(each.startswith(text) for each in _REFUSALS)
        return False

    def _misfit_machine(self, head: bytes) -> type[Machine] | None:
        """Returns the machine for JSON of another layout than the one that was named."""
        is_object, is_array = head.startswith(b"{"), head.startswith(b"[")
        if self.format == "ndjson":
            if not opens_over_lines(head.partition(b"\n")[0]):
                return None
        elif self.format == "delimited":
            text = head[:MAX_OPENING_BYTES].translate(None, BLANKS)
            if not text.startswith(_REFUSALS):
                return None
            is_object, is_array = text.startswith(b"{"), text.startswith(b"[")
        elif not (self.format == "sse" or (self.format == "array" and is_object)):
            return None
        if not (is_object or is_array):
            return None
        got = "an object" if is_object else "an array"
        self._misfit = ParseError(f"expected {self._expected}, got {got}", kind="syntax", index=0)
        return OneObject if is_object else Array
