"""Makes the messages of single elements, with the errors that the stream reader gives."""

from __future__ import annotations

from typing import Generic, TypeVar

from google.protobuf.message import Message

from turnwire import streams
from turnwire._cli.places import Element
from turnwire._cli.unknown import Harmless
from turnwire._cli.unknown_fields import unknown_paths, without_unknown
from turnwire.errors import ParseError, Path, TruncatedStream, TurnwireError
from turnwire.protojson import Unknown, from_json
from turnwire.streams._decoder import from_wire
from turnwire.streams._framer import Format
from turnwire.streams._machine import ErrorEvent, Stray
from turnwire.streams._members import names_of, parts_at
from turnwire.streams._refusals import json_value, refusal_in, refusal_of_event

M = TypeVar("M", bound=Message)


class Decoding(Generic[M]):
    """Makes messages of elements.

    Args:
        message_class: The class of the messages.
        is_wire: Whether the elements are wire bytes.
        at: The place of the messages in each element; None if they are the elements.
        unknown: ``"error"``, ``"ignore"``, or a function that takes the path of each unknown thing.
    """

    def __init__(
        self,
        message_class: type[M],
        *,
        is_wire: bool = False,
        at: str | None = None,
        unknown: Unknown = "error",
    ) -> None:
        self._class = message_class
        self._is_wire = is_wire
        self._at = at
        self._names = names_of(at)
        self._unknown = unknown
        self._left_out: list[Path] = []
        self._harmless = Harmless()
        self._for_json: Unknown = "error" if unknown == "error" else self._left_out.append

    def of(self, element: Element) -> list[tuple[Path, M]]:
        """Returns the messages of an element, with their places in it.

        Raises:
            ParseError: It is not such a message.
            StreamError: It is an error of the service.
        """
        data = element.data
        if type(data) is not bytes:
            raise refusal_of(data)
        if self._is_wire:
            return [((), self._from_wire(data))]
        if self._names:
            return self._at_path(data)
        self._left_out.clear()
        try:
            message = from_json(self._class, data, unknown=self._for_json)
        except ParseError as error:
            self._explain(data)
            raise error from None
        if self._left_out:
            self._report(data, message)
        return [((), message)]

    def _report(self, data: bytes, message: M) -> None:
        """Reports what is unknown, unless it shows that the element is something else."""
        left_out = list(self._left_out)
        if not self._harmless.has(left_out, message):
            self._explain(data)
            self._harmless.add(left_out)
        if callable(self._unknown):
            for path in left_out:
                self._unknown(path)

    def _explain(self, data: bytes) -> None:
        """Raises the error that the stream reader gives, which may have advice."""
        unknown: Unknown = "error" if self._unknown == "error" else "ignore"
        format: Format = "object" if b"\n" in data else "ndjson"
        try:
            list(streams.read(self._class, data, format=format, at=self._at, unknown=unknown))
        except TruncatedStream:  # the element ends there, but not the stream
            return
        except TurnwireError as error:
            error.index = None
            raise

    def _at_path(self, data: bytes) -> list[tuple[Path, M]]:
        found = []
        inner = Decoding(self._class, unknown="ignore" if self._unknown == "ignore" else "error")
        try:
            for part in parts_at(data, self._names):
                if callable(self._unknown):
                    prefix, report = part.path, self._unknown
                    inner._unknown = lambda path: report((*prefix, *path))  # noqa: B023
                    inner._for_json = inner._left_out.append
                [(_, message)] = inner.of(Element(part.text, None, None, 0, b""))
                found.append((part.path, message))
        except TurnwireError:
            self._explain(data)
            raise
        if not found:
            self._explain(data)
        return found

    def _from_wire(self, data: bytes) -> M:
        message = from_wire(self._class, data)
        if self._unknown == "ignore":
            without_unknown(message)
            return message
        for path in unknown_paths(message):
            if self._unknown == "error":
                raise ParseError("unknown field number", kind="unknown", path=path)
            assert callable(self._unknown)
            self._unknown(path)
        if self._unknown != "error":
            without_unknown(message)
        return message


def refusal_of(data: bytes) -> TurnwireError:
    """Returns the error that an element is which no format of messages has.

    Such an element is an `ErrorEvent` or a `Stray`.
    """
    if isinstance(data, ErrorEvent):
        refusal = refusal_of_event(data, lambda name: False)
    else:
        refusal = refusal_in(json_value(data), lambda name: False)
    if refusal is not None:
        return refusal
    if isinstance(data, Stray):
        return data.error
    return ParseError("an event with the name error", kind="value")
