"""Turns the bytes of a stream into messages, without input or output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Literal, Protocol, TypeVar, cast

from google.protobuf.message import DecodeError, Message

from turnwire.errors import ParseError, TurnwireError
from turnwire.protojson import LossyNumbers, Unknown, from_json
from turnwire.protojson._arguments import check_message_class, check_options
from turnwire.protojson._pure import check_required as check_required_fields
from turnwire.streams._compression import Decompressor, compression_of
from turnwire.streams._foreign import shown
from turnwire.streams._framer import Format, Framer
from turnwire.streams._machine import ErrorEvent, Stray
from turnwire.streams._members import At, Part, names_of, parts_at
from turnwire.streams._refusals import json_value, refusal_in, refusal_of_event
from turnwire.streams._unknown import LeftOut
from turnwire.streams._wrapped import wrapping_of

M = TypeVar("M", bound=Message)

OnError = Literal["raise", "skip"] | Callable[[ParseError], object]
"""The choices for an element that is not such a message."""

_PIECE_BYTES = 2**18
# Their JSON is any object, so that no member of one is unknown.
_FREE_OBJECTS = ("google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.Any")


class Taker(Protocol):
    """Takes elements in place of the messages that they are.

    Each method returns the number of messages that it took, which is 0 where the first one must be
    made.
    """

    def add_jsons(self, texts: list[bytes], start: int, /) -> int:
        """Takes JSON texts from a place in a list on, as many as it can at once."""
        ...

    def add_wire(self, data: bytes, /) -> int:
        """Takes a message in wire format."""
        ...


class Decoder(Generic[M]):
    """Bytes in, messages out: the common part of `read` and `aread`.

    With a taker, it yields the number of messages that this took in place of the messages.
    """

    def __init__(
        self,
        message_class: type[M],
        source: object,
        *,
        format: Format,
        at: At,
        unknown: Unknown,
        lossy_numbers: LossyNumbers,
        on_error: OnError,
        max_element_bytes: int,
        check_required: bool | None = None,
        taker: Taker | None = None,
    ) -> None:
        check_message_class(message_class)
        check_options(unknown, lossy_numbers)
        if not callable(on_error) and on_error not in ("raise", "skip"):
            raise ValueError(f'on_error must be "raise", "skip" or callable; got {on_error!r}')
        self._message_class = message_class
        self._taker = taker
        self._framer = Framer(format, max_element_bytes=max_element_bytes)
        self._at = names_of(at)
        if self._at and format == "delimited":
            raise ValueError('at is a path in JSON, which the format "delimited" has none of')
        self._lossy_numbers: LossyNumbers = lossy_numbers
        self._on_error = on_error
        self._check_required = check_required
        self._left_out = LeftOut(message_class, unknown)
        self._unknown: Unknown = "error" if unknown == "error" else self._left_out.add
        fields = message_class.DESCRIPTOR.fields
        self._names = {name for field in fields for name in (field.name, field.json_name)}
        self._is_free_object = message_class.DESCRIPTOR.full_name in _FREE_OBJECTS
        self._has_extensions = message_class.DESCRIPTOR.is_extendable
        self._count = 0
        self._has_given = False
        compression = compression_of(source) if isinstance(source, str | os.PathLike) else None
        self._decompressor = Decompressor(compression)

    def feed(self, chunk: bytes) -> Iterator[M]:
        """Yields the messages that a chunk completes, and raises errors after them."""
        yield from self._plain(self._decompressor.feed(chunk))

    def close(self) -> Iterator[M]:
        """Yields the messages that the end completes, and raises if something is missing."""
        yield from self._plain(self._decompressor.close())
        try:
            elements = self._framer.close()
        except TurnwireError:
            self._check_stray()
            raise
        yield from self._messages(elements)
        if self._framer.error:
            self._check_stray()
            raise self._framer.error

    def _plain(self, pieces: Iterator[bytes]) -> Iterator[M]:
        try:
            for data in pieces:
                for start in range(0, len(data), _PIECE_BYTES):
                    yield from self._messages(self._framer.feed(data[start : start + _PIECE_BYTES]))
                    if self._framer.error:
                        raise self._framer.error
        except TurnwireError as error:
            if error.index is None:
                error.index = self._count
            if error is self._framer.error:
                self._check_stray()
            raise

    def _check_stray(self) -> None:
        """Raises the error of the service that a value where none may stand is."""
        stray = self._framer.stray
        if stray is not None:
            self._is_refused(stray, self._count)

    def _messages(self, elements: list[bytes]) -> Iterator[M]:
        if self._framer.format == "delimited":
            yield from self._binary_messages(elements)
            return
        is_simple = not self._at
        are_objects = self._framer.format == "objects"
        place = 0
        while place < len(elements):
            if is_simple and (taken := self._taken(elements, place)):
                place += taken
                self._count += taken
                self._has_given = True
                yield cast(M, taken)
                continue
            element = elements[place]
            place += 1
            index = self._count
            self._count = index + 1
            if type(element) is not bytes and self._is_refused(element, index):
                continue
            if are_objects and index and not element.startswith((b"{", b"[")):
                reason = "expected another JSON object or the end of the stream, got "
                self._leave_out(ParseError(reason + shown(element), kind="trailing_data"), index)
            elif is_simple:
                message = self._message(element, index)
                if message is not None:
                    self._has_given = True
                    yield message
            else:
                yield from self._inner_messages(element, index)

    def _taken(self, texts: list[bytes], place: int) -> int:
        """Returns the number of messages that a taker takes; 0 without one."""
        return 0 if self._taker is None else self._taker.add_jsons(texts, place)

    def _binary_messages(self, elements: Iterable[bytes]) -> Iterator[M]:
        for element in elements:
            index = self._count
            self._count = index + 1
            if type(element) is not bytes and self._is_refused(element, index):
                continue
            try:
                if self._at:
                    raise ParseError("expected JSON, as at is given; got binary", kind="syntax")
                taken = self._taker.add_wire(element) if self._taker is not None else 0
                message = cast(M, taken) if taken else from_wire(self._message_class, element)
                if self._check_required:
                    check_required_fields(message)
            except ParseError as error:
                self._leave_out(error, index)
            else:
                yield message

    def _inner_messages(self, element: bytes, index: int) -> Iterator[M]:
        """Yields the messages at the path in an element."""
        parts = parts_at(element, self._at)
        is_empty = True
        while True:
            try:
                part = next(parts, None)
            except ParseError as error:
                self._check_refusal_around(element, index)
                self._leave_out(error, index)
                return
            if part is None:
                if is_empty:
                    self._check_refusal_around(element, index)
                return
            is_empty = False
            if part.text == b"null":
                self._check_refusal_around(element, index)
            taken = self._taken([part.text], 0)
            message = cast(M, taken) if taken else self._message(part.text, index, part, element)
            if message is not None:
                self._has_given = True
                yield message

    @staticmethod
    def _check_refusal_around(element: bytes, index: int) -> None:
        """Raises the error of the service that an element without messages at the path is."""
        refusal = refusal_in(json_value(element), lambda name: False)
        if refusal:
            refusal.index = index
            raise refusal from None

    def _message(
        self, text: bytes, index: int, part: Part | None = None, element: bytes = b""
    ) -> M | None:
        """Returns the message that JSON text is; None if it is left out.

        Args:
            text: The text.
            index: The index of its element.
            part: The part of the element that the text is; None if it is the whole.
            element: The element, if the text is a part of it.
        """
        try:
            message = from_json(
                self._message_class,
                text,
                unknown=self._unknown,
                lossy_numbers=self._lossy_numbers,
                check_required=self._check_required,
            )
        except ParseError as error:
            self._left_out.clear()
            if part is not None:
                _place_in(error, part, element)
            self._leave_out(self._explained(error, text, index, part), index)
            return None
        if not self._left_out.is_empty and not self._are_reported(text, index, part):
            return None
        return message

    def _are_reported(self, text: bytes, index: int, part: Part | None) -> bool:
        """Reports the paths that were left out, unless they show that this is not a message."""
        if self._left_out.has_members:
            error = self._explained(None, text, index, part)
            if error is not None:
                self._left_out.clear()
                self._leave_out(error, index)
                return False
        self._left_out.report(part.path if part is not None else ())
        return True

    def _explained(
        self, error: ParseError | None, text: bytes, index: int, part: Part | None
    ) -> ParseError | None:
        """Returns the error of an element that is not a message, with advice if there is any.

        Args:
            error: The error of the JSON reader; None if it left out members at the top.
            text: The JSON text.
            index: The index of its element.
            part: The part of the element that it is, if it is not the whole.

        Raises:
            StreamError: It is an error of the service.
        """
        if error is not None and error.kind == "syntax" and text[:1] not in (b"{", b"["):
            error.reason = f"expected a JSON object, got {shown(text)}"
            return error
        value = json_value(text, self._knows) if text[:1] in (b"{", b"[") else None
        misfits = self._misfits_in(value) if error is not None else set[str]()
        refusal = refusal_in(value, lambda name: name not in misfits and self._knows(name))
        if refusal:
            refusal.index = index
            raise refusal from None
        wrapping = wrapping_of(value, self._knows) if isinstance(value, dict) else None
        if wrapping is None or (error is None and not wrapping.is_certain):
            return error
        if part is not None:
            wrapping = wrapping._replace(at=(*self._at, *wrapping.at))
        if error is not None and not wrapping.is_certain:
            error.reason += f"; {wrapping.advice}"
            return error
        path = part.path if part is not None else ()
        return ParseError(wrapping.advice, kind="wrapped", path=path)

    def _misfits_in(self, value: object) -> set[str]:
        """Returns the known members of an object that are text where the type has an object.

        They are not data: `message` may be the text of an error.
        """
        members = cast("dict[str, object]", value) if isinstance(value, dict) else {}
        fields = self._message_class.DESCRIPTOR.fields_by_name
        return {
            name
            for name, member in members.items()
            if isinstance(member, str)
            and (field := fields.get(name))
            and field.message_type
            and field.message_type.file.package != "google.protobuf"
        }

    def _knows(self, name: str) -> bool:
        return (
            name in self._names
            or self._is_free_object
            or (self._has_extensions and name.startswith("["))
        )

    def _is_refused(self, element: bytes, index: int) -> bool:
        """Deals with an element that is not an ordinary one; returns whether that is all.

        Raises:
            StreamError: It is an error of the service.
            ParseError: It is a JSON text where the format has none.
        """
        if isinstance(element, ErrorEvent):
            refusal = refusal_of_event(element, self._knows)
        else:
            refusal = refusal_in(json_value(element, self._knows), self._knows)
        if refusal:
            refusal.index = index
            raise refusal
        if not isinstance(element, Stray):
            return False
        if element.ends_stream:
            element.error.index = index
            raise element.error
        self._leave_out(element.error, index)
        return True

    def _leave_out(self, error: ParseError | None, index: int) -> None:
        """Does with an element's error what was asked for.

        A stream whose first message stands inside of something else is read in the wrong way, so
        that error is always raised.
        """
        if error is None:
            return
        error.index = index
        if self._on_error == "raise" or (error.kind == "wrapped" and not self._has_given):
            raise error
        if callable(self._on_error):
            self._on_error(error)


def from_wire(message_class: type[M], data: bytes) -> M:
    """Returns the message of bytes in wire format, or raises a ParseError."""
    try:
        return message_class.FromString(data)
    except (DecodeError, UnicodeDecodeError) as error:
        # The second one comes from protobuf's pure Python.
        name = message_class.DESCRIPTOR.full_name
        raise ParseError(
            f"expected the wire format of {name}, got bytes that are not ({error})", kind="wire"
        ) from error


def _place_in(error: ParseError, part: Part, element: bytes) -> None:
    """Makes the place in a part one in its element."""
    error.path = (*part.path, *error.path)
    if error.line is None or error.column is None:
        return
    if part.offset is None:
        # The text stands in a string of the element: its lines are not lines of the element.
        error.line = error.column = None
        return
    before = element[: element.find(part.text, part.offset)].decode(errors="replace")
    if error.line == 1:
        error.column += len(before) - before.rfind("\n") - 1
    error.line += before.count("\n")
