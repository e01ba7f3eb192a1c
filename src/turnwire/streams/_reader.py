"""Reads a stream as messages, from any source, synchronously or not."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, closing
from typing import TypeVar

from google.protobuf.message import Message

from turnwire.protojson import LossyNumbers, Unknown
from turnwire.streams._decoder import Decoder, OnError
from turnwire.streams._framer import MAX_ELEMENT_BYTES, Format
from turnwire.streams._members import At
from turnwire.streams._sources import (
    AsyncSource,
    Source,
    async_chunks_of,
    check_source,
    chunks_of,
)

M = TypeVar("M", bound=Message)


def read(
    message_class: type[M],
    source: Source,
    *,
    format: Format = "auto",
    at: At = None,
    unknown: Unknown = "warn",
    lossy_numbers: LossyNumbers = "round",
    on_error: OnError = "raise",
    max_element_bytes: int = MAX_ELEMENT_BYTES,
    check_required: bool | None = None,
) -> Generator[M, None, None]:
    """Reads the messages of a stream, each as soon as it is complete.

    Args:
        message_class: The class of each message.
        source: The stream: bytes; the path of a file, as ``pathlib.Path`` or str; a binary or text
            file; or an iterable of chunks or lines, such as the ``iter_bytes()`` of an HTTP
            response. gzip and zstd are recognized.
        format: ``"array"`` (a JSON array), ``"ndjson"``, ``"concatenated"`` (JSON objects with
            blanks or nothing between them), ``"object"`` (exactly one), ``"sse"`` (server-sent
            events), ``"delimited"`` (binary, each after its length as a varint), or ``"auto"`` to
            detect it.
        at: Where the messages stand in each element, such as a log entry: the names of members, as
            ``"jsonPayload"``, ``"a.b"`` or ``("a", "b")``. A list there holds several messages, and
            a string holds JSON text. None if the elements are the messages.
        unknown: What to do with unknown fields in JSON, as for `turnwire.from_json`; ``"warn"``
            leaves them out and issues one `turnwire.UnknownFieldWarning` for each place.
        lossy_numbers: What to do with integers beyond 2**53 in a ``Struct``, as for
            `turnwire.from_json`.
        on_error: What to do with an element that is not such a message: ``"raise"`` its error,
            ``"skip"`` the element, or call this with the ParseError and go on if it returns.
        max_element_bytes: The largest element that is accepted, in bytes; default 64 MiB.
        check_required: Whether an element that lacks a required field (proto2, editions) is an
            error, of the kind ``required``.

    Yields:
        The messages, in order. A path that was opened is closed when the generator is.

    Raises:
        ParseError: An element is not such a message (``index`` says which, from 0), or the stream
            is not of its format.
        StreamError: The service reported an error, in any of the forms that ``docs/streams.md``
            lists.
        TruncatedStream: The stream ended too early.
        TypeError: The source is of a class that cannot be read.
        ValueError: The source is a str that looks like data, or an option does not exist.

    All errors come after the messages that were complete before them. `on_error` sees only errors
    of elements: after a StreamError, a TruncatedStream or a ParseError of the framing, the stream
    cannot be read further.

    >>> import turnwire
    >>> from turnwire import ces
    >>> body = b'[{"role": "user", "chunks": [{"text": "Hi"}]}, {"role": "Front Desk"}]'
    >>> for message in turnwire.read(ces.Message, body):
    ...     print(message.role)
    user
    Front Desk
    """
    check_source(source, can_await=False)
    decoder = Decoder(
        message_class,
        source,
        format=format,
        at=at,
        unknown=unknown,
        lossy_numbers=lossy_numbers,
        on_error=on_error,
        max_element_bytes=max_element_bytes,
        check_required=check_required,
    )
    return messages_of(decoder, chunks_of(source, format))


def aread(
    message_class: type[M],
    source: AsyncSource,
    *,
    format: Format = "auto",
    at: At = None,
    unknown: Unknown = "warn",
    lossy_numbers: LossyNumbers = "round",
    on_error: OnError = "raise",
    max_element_bytes: int = MAX_ELEMENT_BYTES,
    check_required: bool | None = None,
) -> AsyncGenerator[M, None]:
    """Reads the messages of a stream asynchronously, otherwise as `read` does.

    Args:
        message_class: The class of each message.
        source: A source of `read` (reading it blocks), an asynchronous iterable of chunks or lines,
            or an object with an ``async def read(size)``, such as aiohttp's ``response.content``.
        format: As for `read`.
        at: As for `read`.
        unknown: As for `read`.
        lossy_numbers: As for `read`.
        on_error: As for `read`; it is called, not awaited.
        max_element_bytes: As for `read`.
        check_required: As for `read`.

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
    decoder = Decoder(
        message_class,
        source,
        format=format,
        at=at,
        unknown=unknown,
        lossy_numbers=lossy_numbers,
        on_error=on_error,
        max_element_bytes=max_element_bytes,
        check_required=check_required,
    )
    return _aread(decoder, source, format)


def messages_of(
    decoder: Decoder[M], chunks: Generator[bytes, None, None]
) -> Generator[M, None, None]:
    """Yields the messages of chunks, which are closed when the generator is."""
    with closing(chunks):
        for chunk in chunks:
            yield from decoder.feed(chunk)
    yield from decoder.close()


async def _aread(
    decoder: Decoder[M], source: AsyncSource, format: Format
) -> AsyncGenerator[M, None]:
    async with aclosing(async_chunks_of(source, format)) as chunks:
        async for chunk in chunks:
            for message in decoder.feed(chunk):
                yield message
    for message in decoder.close():
        yield message
