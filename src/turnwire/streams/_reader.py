"""Reads a stream as messages: framing, then JSON or wire format, then the policy for errors."""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import aclosing, closing
from typing import Any, Generic, Literal, TypeVar, cast

from google.protobuf.message import DecodeError, Message

from turnwire.errors import ParseError, StreamError, TurnwireError
from turnwire.protojson import LossyNumbers, Unknown, from_json
from turnwire.protojson._arguments import check_message_class, check_options
from turnwire.streams._compression import Decompressor, compression_of
from turnwire.streams._framer import MAX_ELEMENT_BYTES, Format, Framer
from turnwire.streams._sources import (
    AsyncSource,
    Source,
    async_chunks_of,
    check_source,
    chunks_of,
)

M = TypeVar("M", bound=Message)

OnError = Literal["raise", "skip"] | Callable[[ParseError], object]
"""What happens to an element that is no such message."""

_ERROR_MEMBER = re.compile(rb'\{[ \t\r\n]*+"error"[ \t\r\n]*+:')
_PIECE_BYTES = 2**18


def read(
    message_class: type[M],
    source: Source,
    *,
    format: Format = "auto",
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    on_error: OnError = "raise",
    max_element_bytes: int = MAX_ELEMENT_BYTES,
) -> Generator[M, None, None]:
    """Reads the messages of a stream, each as soon as it is complete.

    Args:
        message_class: The class of each message.
        source: The stream: bytes, or text as str; a path (``pathlib.Path``: a str is text); a
            binary or text file; or an iterable of chunks or lines, such as the ``iter_bytes()`` of
            an HTTP response. gzip and zstd are recognized.
        format: ``"array"`` (a JSON array), ``"ndjson"``, ``"concatenated"`` (JSON objects with
            blanks or nothing between them), ``"object"`` (exactly one), ``"sse"`` (server-sent
            events), ``"delimited"`` (binary, each after its length as a varint), or ``"auto"`` to
            find out.
        unknown: What to do with unknown fields in JSON, as for `turnwire.from_json`.
        lossy_numbers: What to do with integers beyond 2**53 in a ``Struct``, likewise.
        on_error: What to do with an element that is no such message: ``"raise"`` its error,
            ``"skip"`` the element, or call this with the ParseError and go on if it returns.
        max_element_bytes: The largest element that is accepted, in bytes; default 64 MiB.

    Yields:
        The messages, in order. A path that was opened is closed when the generator is.

    Raises:
        ParseError: An element is no such message (``index`` says which, from 0), or the stream is
            not of its format.
        StreamError: The service reported an error: an element, or the whole body, whose only
            member is ``error``.
        TruncatedStream: The stream ended too early.
        TypeError: The source is nothing that can be read.

    All errors come after the messages that were complete before them. `on_error` does not see the
    last two, nor a ParseError of the framing: after those there is nothing to go on with.

    >>> import turnwire
    >>> from turnwire import ces
    >>> body = '[{"role": "user", "chunks": [{"text": "Hi"}]}, {"role": "Front Desk"}]'
    >>> for message in turnwire.read(ces.Message, body):
    ...     print(message.role)
    user
    Front Desk
    """
    check_source(source, can_await=False)
    decoder = _Decoder(
        message_class, source, format, unknown, lossy_numbers, on_error, max_element_bytes
    )
    return _read(decoder, chunks_of(source, format))


def aread(
    message_class: type[M],
    source: AsyncSource,
    *,
    format: Format = "auto",
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
    on_error: OnError = "raise",
    max_element_bytes: int = MAX_ELEMENT_BYTES,
) -> AsyncGenerator[M, None]:
    """Reads the messages of a stream asynchronously; all else is as in `read`.

    Args:
        message_class: The class of each message.
        source: What `read` takes (reading it blocks), an asynchronous iterable of chunks or lines,
            or anything with an ``async def read(size)``, such as aiohttp's ``response.content``.
        format: As for `read`.
        unknown: As for `read`.
        lossy_numbers: As for `read`.
        on_error: As for `read`; it is called, not awaited.
        max_element_bytes: As for `read`.

    Yields:
        The messages, in order.

    Raises:
        TurnwireError: As `read` does.

    >>> import asyncio, turnwire
    >>> from turnwire import ces
    >>> async def chunks():
    ...     yield b'[{"role": "us'
    ...     yield b'er"}]'
    >>> async def main():
    ...     async for message in turnwire.aread(ces.Message, chunks()):
    ...         print(message.role)
    >>> asyncio.run(main())
    user
    """
    check_source(source, can_await=True)
    decoder = _Decoder(
        message_class, source, format, unknown, lossy_numbers, on_error, max_element_bytes
    )
    return _aread(decoder, source, format)


def _read(decoder: _Decoder[M], chunks: Generator[bytes, None, None]) -> Generator[M, None, None]:
    with closing(chunks):
        for chunk in chunks:
            yield from decoder.feed(chunk)
    yield from decoder.close()


async def _aread(
    decoder: _Decoder[M], source: AsyncSource, format: Format
) -> AsyncGenerator[M, None]:
    async with aclosing(async_chunks_of(source, format)) as chunks:
        async for chunk in chunks:
            for message in decoder.feed(chunk):
                yield message
    for message in decoder.close():
        yield message


class _Decoder(Generic[M]):
    """Bytes in, messages out, without input or output: what `read` and `aread` have in common."""

    def __init__(
        self,
        message_class: type[M],
        source: object,
        format: Format,
        unknown: Unknown,
        lossy_numbers: LossyNumbers,
        on_error: OnError,
        max_element_bytes: int,
    ) -> None:
        check_message_class(message_class)
        check_options(unknown, lossy_numbers)
        if not callable(on_error) and on_error not in ("raise", "skip"):
            raise ValueError(f'on_error must be "raise", "skip" or callable; got {on_error!r}')
        self._message_class = message_class
        self._framer = Framer(format, max_element_bytes=max_element_bytes)
        self._unknown: Unknown = unknown
        self._lossy_numbers: LossyNumbers = lossy_numbers
        self._on_error = on_error
        self._may_be_error = "error" not in message_class.DESCRIPTOR.fields_by_camelcase_name
        self._count = 0
        compression = compression_of(source) if isinstance(source, os.PathLike) else None
        self._decompressor = Decompressor(compression)

    def feed(self, chunk: bytes) -> Iterator[M]:
        """Yields the messages that a chunk completes, and raises what is wrong after them."""
        yield from self._messages(self._decompressor.feed(chunk))

    def close(self) -> Iterator[M]:
        """Yields the messages that the end completes, and raises what is missing."""
        yield from self._messages(self._decompressor.close())
        for element in self._framer.close():
            yield from self._message(element)
        if self._framer.error:
            raise self._framer.error

    def _messages(self, plain: Iterator[bytes]) -> Iterator[M]:
        try:
            for data in plain:
                for start in range(0, len(data), _PIECE_BYTES):
                    elements = self._framer.feed(data[start : start + _PIECE_BYTES])
                    for element in elements:
                        yield from self._message(element)
                    if self._framer.error:
                        raise self._framer.error
        except TurnwireError as error:
            if error.index is None:
                error.index = self._count
            raise

    def _message(self, element: bytes) -> Iterator[M]:
        index = self._count
        self._count += 1
        try:
            message = self._parse(element, index)
        except ParseError as error:
            error.index = index
            if self._framer.misfit or self._on_error == "raise":
                raise
            if callable(self._on_error):
                self._on_error(error)
        else:
            yield message

    def _parse(self, element: bytes, index: int) -> M:
        framer = self._framer
        if framer.format == "delimited":
            return _from_wire(self._message_class, element)
        if self._may_be_error and (framer.misfit or _ERROR_MEMBER.match(element)):
            reported = _stream_error(element, index)
            if reported:
                raise reported
        if framer.misfit:
            raise framer.misfit
        if index and framer.format == "objects" and not element.startswith((b"{", b"[")):
            raise ParseError(
                "expected another JSON object or the end of the stream", kind="trailing_data"
            )
        return from_json(
            self._message_class, element, unknown=self._unknown, lossy_numbers=self._lossy_numbers
        )


def _from_wire(message_class: type[M], data: bytes) -> M:
    try:
        return message_class.FromString(data)
    except DecodeError as error:
        name = message_class.DESCRIPTOR.full_name
        raise ParseError(
            f"expected the wire format of {name}, got bytes that are not ({error})", kind="wire"
        ) from error


def _stream_error(element: bytes, index: int) -> StreamError | None:
    """The error that the service reports with this element, if it does: a google.rpc.Status."""
    try:
        value: object = json.loads(element)
    except (ValueError, RecursionError):
        return None
    body = _object(value)
    if body is None or body.keys() != {"error"}:
        return None
    status = _object(body["error"])
    if status is None:
        # Not a google.rpc.Status, but proxies are short: {"error": "bad gateway"}.
        message = _text(body["error"])
        return StreamError(message, index=index) if message else None
    code, details = status.get("code"), status.get("details")
    return StreamError(
        _text(status.get("message")),
        code=code if isinstance(code, int) else 0,
        status=_text(status.get("status")),
        details=tuple(details) if isinstance(details, list) else (),
        index=index,
    )


def _object(value: object) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
