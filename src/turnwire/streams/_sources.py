"""Turns everything that a stream can come from into chunks of bytes."""

from __future__ import annotations

import inspect
import os
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from turnwire.streams._line_ends import LineEnds

CHUNK_BYTES = 2**16


class Readable(Protocol):
    """A file, of bytes or of text."""

    def read(self, size: int, /) -> bytes | str:
        """Returns at most so many bytes or characters; none at the end."""
        ...


class AsyncReadable(Protocol):
    """A file or connection that is read with `await`, such as aiohttp's `response.content`."""

    async def read(self, size: int, /) -> bytes | str:
        """Returns at most so many bytes or characters; none at the end."""
        ...


Chunk = bytes | bytearray | memoryview | str
Source = Chunk | os.PathLike[str] | Readable | Iterable[Chunk]
"""What `read` reads. A str is the text of a stream, not the name of a file."""

AsyncSource = Source | AsyncReadable | AsyncIterable[Chunk]
"""What `aread` reads."""


def chunks_of(source: Source, format: str) -> Iterator[bytes]:
    """The chunks of a source. A path is opened at the first chunk and closed with the iterator."""
    if isinstance(source, bytes | bytearray | memoryview | str):
        yield from _slices(source)
    elif isinstance(source, os.PathLike):
        with Path(source).open("rb") as file:
            yield from _chunks_of_file(file)
    elif hasattr(source, "read"):
        yield from _chunks_of_file(source)
    else:
        ends = LineEnds(format)
        for item in source:
            if chunk := ends.feed(_as_bytes(item)):
                yield chunk
        if chunk := ends.close():
            yield chunk


async def async_chunks_of(source: AsyncSource, format: str) -> AsyncIterator[bytes]:
    """The chunks of a source that may be asynchronous."""
    if is_async_file(source):
        read: Any = source.read  # type: ignore[union-attr]
        while data := await read(CHUNK_BYTES):
            yield _as_bytes(data)
    elif isinstance(source, AsyncIterable):
        ends = LineEnds(format)
        async for item in source:
            if chunk := ends.feed(_as_bytes(item)):
                yield chunk
        if chunk := ends.close():
            yield chunk
    else:
        for chunk in chunks_of(source, format):  # type: ignore[arg-type]
            yield chunk


def is_async_file(source: object) -> bool:
    """Whether it has a `read` that must be awaited."""
    return inspect.iscoroutinefunction(getattr(source, "read", None))


def check_source(source: object, *, can_await: bool) -> None:
    """Raises a TypeError that says what to pass instead."""
    if isinstance(source, bytes | bytearray | memoryview | str | os.PathLike):
        return
    name = type(source).__name__
    for method in ("aiter_bytes" if can_await else "iter_bytes", "iter_bytes"):
        if hasattr(source, method):
            raise TypeError(f"expected the bytes of the {name}: pass response.{method}()")
    if can_await and hasattr(source, "content") and hasattr(source.content, "iter_any"):
        raise TypeError(f"expected the bytes of the {name}: pass response.content")
    if is_async_file(source) or isinstance(source, AsyncIterable):
        if not can_await:
            raise TypeError(f"{name} is asynchronous: use turnwire.aread")
    elif not hasattr(source, "read") and not isinstance(source, Iterable):
        raise TypeError(
            f"expected bytes, text, a path, a file or an iterable of chunks; got {name}"
        )


def _slices(source: Chunk) -> Iterator[bytes]:
    view = memoryview(source).cast("B") if not isinstance(source, str | bytes) else source
    for start in range(0, len(view), CHUNK_BYTES):
        yield _as_bytes(view[start : start + CHUNK_BYTES])


def _chunks_of_file(file: Any) -> Iterator[bytes]:
    # `read1` and `readline` return what has arrived, where `read` waits for more.
    read = getattr(file, "read1", None) or file.read
    data = read(CHUNK_BYTES)
    if isinstance(data, str) and hasattr(file, "readline"):
        read = file.readline
    while data:
        yield _as_bytes(data)
        data = read(CHUNK_BYTES)


def _as_bytes(chunk: Chunk) -> bytes:
    if isinstance(chunk, bytes):
        return chunk
    if isinstance(chunk, str):
        # A lone surrogate becomes invalid UTF-8, which the parser reports with its place.
        return chunk.encode("utf-8", "surrogatepass")
    if isinstance(chunk, bytearray | memoryview):
        return bytes(chunk)
    raise TypeError(f"expected chunks of bytes or text, got {type(chunk).__name__}")
