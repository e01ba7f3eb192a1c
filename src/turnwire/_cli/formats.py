"""Reads and writes messages in the formats of `turnwire convert`."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import BinaryIO, NamedTuple, TypeVar

from google.protobuf import text_format
from google.protobuf.message import DecodeError, Message

from turnwire import protojson, streams
from turnwire._cli.files import STANDARD, suffix_of
from turnwire._cli.lines import Lines
from turnwire._cli.quick_lines import messages_of_lines
from turnwire._cli.unknown import Unknown
from turnwire._printable import printable_json_bytes, printable_text_format
from turnwire.errors import MissingExtra, ParseError, TurnwireError
from turnwire.streams._framer import MAX_ELEMENT_BYTES

M = TypeVar("M", bound=Message)

JSON, BINARY, TEXT, PARQUET, AUTO = "json", "binary", "text", "parquet", "auto"

_STREAMED: dict[str, streams.WriteFormat] = {
    "ndjson": "ndjson",
    "array": "array",
    "sse": "sse",
    "delimited": "delimited",
}
# Any framing of JSON is good where JSON is named.
_FRAMINGS: dict[str, streams.Format] = {**_STREAMED, JSON: "auto", AUTO: "auto"}


class FileFormat(NamedTuple):
    """A format of files.

    Attributes:
        content: The content of a file, in words.
        suffixes: The suffixes of file names that mean the format.
    """

    content: str
    suffixes: tuple[str, ...] = ()


FORMATS = {
    JSON: FileFormat(
        "one message, indented, or an array of several; when read: either, or several of either",
        (".json",),
    ),
    "ndjson": FileFormat("one message a line", (".ndjson", ".jsonl")),
    "array": FileFormat("a JSON array"),
    "sse": FileFormat("server-sent events, one message a `data:` field", (".sse",)),
    "delimited": FileFormat(
        "wire format, each message after its length as a varint", (".delimited",)
    ),
    BINARY: FileFormat("one message in the wire format", (".binpb", ".pb")),
    TEXT: FileFormat("one message in protobuf's text format", (".txtpb", ".textproto", ".pbtxt")),
    PARQUET: FileFormat(
        "columns of messages; when read: JSON texts or wire format in one column", (".parquet",)
    ),
}
"""The formats that are read and written."""

_SUFFIXES = {suffix: name for name, found in FORMATS.items() for suffix in found.suffixes}


def described_formats() -> str:
    """Returns the formats, one a line, and then the suffixes, for a help text."""
    width = max(map(len, FORMATS))
    lines = [f"  {name:{width}}  {found.content}" for name, found in FORMATS.items()]
    suffixes = (
        f"The suffix of a file name tells its format ({', '.join(_SUFFIXES)}); .gz or .zst "
        "behind it, or alone, that it is compressed. Without one, an input is recognized by its "
        "content, but binary and text have to be named. stdout is ndjson."
    )
    return "\n".join([*lines, "", textwrap.fill(suffixes, 100, break_on_hyphens=False)])


def format_of_input(name: str) -> str:
    """Returns the format that the suffix names; AUTO, which looks at the content, if none does."""
    return _SUFFIXES.get(suffix_of(name), AUTO)


def format_of_output(name: str) -> str | None:
    """Returns the format that the suffix names, or None; stdout gets a message a line."""
    return "ndjson" if name == STANDARD else _SUFFIXES.get(suffix_of(name))


def framing_of(format: str) -> streams.Format | None:
    """Returns the stream reader's name of a format; None for a format that it does not read."""
    return _FRAMINGS.get(format)


def read_messages(
    message_class: type[M],
    source: Lines,
    format: str,
    unknown: Unknown,
    on_error: Callable[[ParseError], object],
    at: str | None = None,
    max_element_bytes: int = MAX_ELEMENT_BYTES,
) -> Iterator[M]:
    """Yields the messages of an input, each as soon as it is complete.

    A bad element of a stream is left out if `on_error` returns.

    Args:
        message_class: The class of each message.
        source: The input.
        format: One of `FORMATS`, or AUTO.
        unknown: The choice about unknown fields.
        on_error: Is called with the error of an element.
        at: The place of the messages in each element, if they are not the elements.
        max_element_bytes: The size of the largest element that is read.
    """
    if format in (TEXT, BINARY):
        yield read_whole(message_class, source.read_all(), format, unknown)
        return

    def leave_out(error: ParseError) -> None:
        on_error(error)
        unknown.index += 1

    framing = _FRAMINGS[format]
    try:
        if at is None and framing in ("auto", "ndjson") and source.begin():
            yield from messages_of_lines(
                message_class, source, framing, unknown, on_error, max_element_bytes
            )
            return
        for message in streams.read(
            message_class,
            source,
            format=framing,
            at=at,
            unknown=unknown.for_json,
            on_error=leave_out,
            max_element_bytes=max_element_bytes,
        ):
            try:
                # Messages that came as JSON hold no unknown fields: looking for them takes time.
                if format == "delimited" or (format == AUTO and source.may_be_wire):
                    unknown.check_wire(message)
            except ParseError as error:
                leave_out(error)
            else:
                yield message
                unknown.index += 1
    except MissingExtra:
        raise
    except TurnwireError as error:
        if error.index is None:  # of the compression
            error.index = unknown.index
        raise


def read_whole(message_class: type[M], data: bytes, format: str, unknown: Unknown) -> M:
    """Returns the message of an input in a format that holds one.

    Args:
        message_class: The class of the message.
        data: The input.
        format: ``"text"`` or ``"binary"``.
        unknown: The choice about unknown fields.
    """
    return (_from_text if format == TEXT else _from_wire)(message_class, data, unknown)


def write_messages(
    messages: Iterator[Message], sink: BinaryIO, format: str, *, printable: bool
) -> None:
    """Writes messages in any format.

    Args:
        messages: The messages; exactly one for `TEXT` and `BINARY`.
        sink: The file to write.
        format: One of `FORMATS`.
        printable: Whether people may look at the output: then text formats are fit to show.

    Raises:
        TurnwireError: There is none, or more than one, for a format that holds one.
    """
    shown = _Printable(sink, format) if printable and format in _MAKE_PRINTABLE else sink
    if format == JSON:
        _write_json(messages, shown)
    elif format in _STREAMED:
        streams.write(messages, shown, _STREAMED[format])
    else:
        shown.write(print_one(messages, format))


def print_one(messages: Iterator[Message], format: str) -> bytes:
    """Returns the one message there is in a format that holds one.

    Raises:
        TurnwireError: There is none, or more than one.
    """
    return _PRINTERS[format](_only(messages, format))


def _write_json(messages: Iterator[Message], sink: BinaryIO | _Printable) -> None:
    """Writes one message indented, and any other number of them as an array."""
    first = list(itertools.islice(messages, 2))
    if len(first) == 1:
        sink.write(protojson.to_json(first[0], indent=2) + b"\n")
    else:
        streams.write(itertools.chain(first, messages), sink, "array")


class _Printable:
    """A file that writes text so that it is fit to show and means the same."""

    def __init__(self, sink: BinaryIO, format: str) -> None:
        self._sink = sink
        self._make_printable = _MAKE_PRINTABLE[format]

    def write(self, data: bytes, /) -> int:
        return self._sink.write(self._make_printable(data))


def _only(messages: Iterator[Message], format: str) -> Message:
    first = list(itertools.islice(messages, 2))
    if len(first) == 1:
        return first[0]
    raise TurnwireError(
        f"{format} holds exactly one message, the input has {'more' if first else 'none'}; "
        "ndjson, array and delimited hold any number",
        kind="value",
    )


def _from_wire(message_class: type[M], data: bytes, unknown: Unknown) -> M:
    try:
        message = message_class.FromString(data)
    except (DecodeError, UnicodeDecodeError):  # the second from protobuf's pure Python
        name = message_class.DESCRIPTOR.full_name
        raise ParseError(f"expected one {name} in the wire format", kind="wire") from None
    unknown.check_wire(message)
    return message


def _from_text(message_class: type[M], data: bytes, unknown: Unknown) -> M:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ParseError(f"expected UTF-8, byte {error.start} is not", kind="encoding") from None
    try:
        return _parse_text(message_class, text)
    except text_format.ParseError as error:
        strict_error = error
    if not unknown.is_error:
        # Only now, because the lenient parser does not report what it leaves out.
        with suppress(text_format.ParseError):
            message = _parse_text(message_class, text, lenient=True)
            unknown.report(_short(str(strict_error)))
            return message
    raise ParseError(
        _short(str(strict_error).partition(" : ")[2]),
        kind="syntax",
        line=strict_error.GetLine(),
        column=strict_error.GetColumn(),
    ) from None


def _parse_text(message_class: type[M], text: str, *, lenient: bool = False) -> M:
    """Parses the text format; what is nested too deeply for the wire format is an error here."""
    try:
        message = text_format.Parse(text, message_class(), allow_unknown_field=lenient)
        message_class.FromString(message.SerializePartialToString())
    except (RecursionError, DecodeError):
        raise ParseError("the messages are nested too deeply", kind="depth") from None
    return message


def _short(reason: str) -> str:
    """Cuts the line of the input that an error of the text format quotes."""
    quoted, mark, rest = reason.rpartition("': ")
    if not mark or len(quoted) <= _MAX_QUOTED:
        return reason if len(reason) <= 2 * _MAX_QUOTED else f"{reason[: 2 * _MAX_QUOTED]}…"
    return f"{quoted[:_MAX_QUOTED]}…{mark}{rest}"


_MAX_QUOTED = 100

_MAKE_PRINTABLE: dict[str, Callable[[bytes], bytes]] = {
    **dict.fromkeys((JSON, "ndjson", "array", "sse"), printable_json_bytes),
    TEXT: printable_text_format,
}

_PRINTERS: dict[str, Callable[[Message], bytes]] = {
    BINARY: lambda message: message.SerializePartialToString(deterministic=True),
    TEXT: lambda message: text_format.MessageToString(message, as_utf8=True).encode(),
}
