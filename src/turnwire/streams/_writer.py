"""Writes messages as a stream."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, get_args

from google.protobuf.message import Message

from turnwire._replacing import replacing
from turnwire.errors import SerializeError
from turnwire.protojson import to_json
from turnwire.protojson._arguments import check_message
from turnwire.streams._compression import compressing, compression_of
from turnwire.streams._paths import check_path

WriteFormat = Literal["array", "ndjson", "sse", "delimited"]
"""The formats that `write` writes."""


class Writable(Protocol):
    """A file of bytes."""

    def write(self, data: bytes, /) -> object:
        """Takes all of the bytes."""
        ...


def write(
    messages: Iterable[Message],
    sink: os.PathLike[str] | str | Writable,
    format: WriteFormat = "ndjson",
) -> int:
    r"""Writes messages, one at a time, so that `read` can read them.

    Args:
        messages: The messages. They are taken one by one, so a generator of any length will do.
        sink: A path (a str is one), or a binary file that stays open. A path ending in ``.gz`` or
            ``.zst`` is compressed. A path's file appears, or is replaced, when everything is
            written; if anything goes wrong, it stays as it was.
        format: ``"ndjson"``, ``"array"``, ``"sse"`` or ``"delimited"`` (binary).

    Returns:
        How many messages were written.

    Raises:
        SerializeError: A message has no JSON form; its ``index`` says which, from 0.
        OSError: The file cannot be written.
        TypeError: The sink is a text file, or cannot be written to; or a single message was given
            in place of an iterable.
        ValueError: The sink is a str that looks like data.

    >>> import io, turnwire
    >>> from turnwire import ces
    >>> sink = io.BytesIO()
    >>> turnwire.write([ces.Message(role="user"), ces.Message(role="agent")], sink)
    2
    >>> sink.getvalue()
    b'{"role":"user"}\n{"role":"agent"}\n'
    """
    if format not in get_args(WriteFormat):
        known = ", ".join(get_args(WriteFormat))
        raise ValueError(f"format must be one of {known}; got {format!r}")
    if not isinstance(messages, Iterable):
        found = type(messages).__name__
        hint = ": put it in a list" if isinstance(messages, Message) else ""
        raise TypeError(f"expected an iterable of messages, got {found}{hint}")
    if not isinstance(sink, str | os.PathLike):
        if hasattr(sink, "encoding") or not hasattr(sink, "write"):
            found = "a text file" if hasattr(sink, "encoding") else type(sink).__name__
            raise TypeError(
                f'expected a path or a binary file, got {found}: a binary file is open(path, "wb")'
            )
        return _write(messages, sink.write, format)
    check_path(sink)
    with replacing(Path(sink)) as file:
        compression = compression_of(sink)
        if compression is None:
            return _write(messages, file.write, format)
        with compressing(file, compression) as compressed:
            return _write(messages, compressed.write, format)


class Layout(NamedTuple):
    """The bytes around the messages."""

    start: bytes = b""
    before_each: bytes = b""
    after_each: bytes = b""
    between: bytes = b""
    end: bytes = b""


LAYOUTS: dict[str, Layout] = {
    "array": Layout(start=b"[", between=b",\n", end=b"]\n"),
    "ndjson": Layout(after_each=b"\n"),
    "sse": Layout(before_each=b"data: ", after_each=b"\n\n"),
    "delimited": Layout(),
}


def encoder_of(format: str) -> Callable[[Message], bytes]:
    """Returns the function that writes one message, without the bytes around it."""
    return _delimited if format == "delimited" else to_json


def _write(messages: Iterable[Message], put: Callable[[bytes], object], format: WriteFormat) -> int:
    layout, encode = LAYOUTS[format], encoder_of(format)
    put(layout.start)
    count = 0
    for message in messages:
        try:
            encoded = encode(message)
        except SerializeError as error:
            error.index = count
            raise
        between = layout.between if count else b""
        put(between + layout.before_each + encoded + layout.after_each)
        count += 1
    put(layout.end)
    return count


def _delimited(message: Message) -> bytes:
    check_message(message)
    # Like JSON, it is written even if required fields are missing.
    body = message.SerializePartialToString(deterministic=True)
    length, prefix = len(body), bytearray()
    while length > 0x7F:
        prefix.append(length & 0x7F | 0x80)
        length >>= 7
    prefix.append(length)
    return bytes(prefix) + body
