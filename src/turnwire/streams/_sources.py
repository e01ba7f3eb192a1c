"""Turns everything that a stream can come from into chunks of bytes."""

from __future__ import annotations

import inspect
import io
import os
import re
from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeGuard, cast

from turnwire.errors import ParseError, excerpt
from turnwire.streams._line_ends import LineEnds

CHUNK_BYTES = 2**16

# No stream is such a line: it lacks every bracket, colon and control character.
_FILE_NAME = re.compile(
    r"(?:[A-Za-z]:[\\/])?[^\x00-\x1f\x7f{}\[\]\"<>:]+\.(?:jsonl?|ndjson|sse|txt|binpb|pb|bin|gz|zst)"
)
_LONGEST_NAME = 4096


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


def chunks_of(source: Source, format: str) -> Generator[bytes, None, None]:
    """The chunks of a source. A path is opened at the first chunk and closed with the iterator."""
    if isinstance(source, str):
        if len(source) <= _LONGEST_NAME and _FILE_NAME.fullmatch(source):
            raise ParseError(
                f"expected the text of a stream, got {excerpt(source)}: a str is text; to read "
                "the file of that name, pass pathlib.Path",
                kind="syntax",
                index=0,
            )
        yield from _slices_of_text(source)
    elif isinstance(source, bytes | bytearray | memoryview):
        yield from _slices(_view(source))
    elif isinstance(source, os.PathLike):
        with Path(source).open("rb") as file:
            yield from _chunks_of_file(file)
    elif not isinstance(source, Iterable) or hasattr(source, "read"):
        yield from _chunks_of_file(source)
    else:
        ends = LineEnds(format)
        for item in source:
            if chunk := ends.feed(_as_bytes(item)):
                yield chunk
        if chunk := ends.close():
            yield chunk


async def async_chunks_of(source: AsyncSource, format: str) -> AsyncGenerator[bytes, None]:
    """The chunks of a source that may be asynchronous."""
    if is_async_file(source):
        while data := await source.read(CHUNK_BYTES):
            yield _as_bytes(data)
    elif isinstance(source, AsyncIterable):
        ends = LineEnds(format)
        async for item in source:
            if chunk := ends.feed(_as_bytes(item)):
                yield chunk
        if chunk := ends.close():
            yield chunk
    else:
        for chunk in chunks_of(cast("Source", source), format):
            yield chunk


def is_async_file(source: object) -> TypeGuard[AsyncReadable]:
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
    if can_await and hasattr(getattr(source, "content", None), "iter_any"):
        raise TypeError(f"expected the bytes of the {name}: pass response.content")
    if is_async_file(source) or isinstance(source, AsyncIterable):
        if not can_await:
            raise TypeError(f"{name} is asynchronous: use turnwire.aread")
    elif not hasattr(source, "read") and not isinstance(source, Iterable):
        raise TypeError(
            f"expected bytes, text, a path, a file or an iterable of chunks; got {name}"
        )


def _view(data: bytes | bytearray | memoryview[Any]) -> memoryview:
    view = memoryview(data)
    return view.cast("B") if view.c_contiguous else memoryview(view.tobytes())


def _slices(view: memoryview) -> Iterator[bytes]:
    for start in range(0, len(view), CHUNK_BYTES):
        yield bytes(view[start : start + CHUNK_BYTES])


def _slices_of_text(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), CHUNK_BYTES):
        yield _as_bytes(text[start : start + CHUNK_BYTES])


def _chunks_of_file(file: Any) -> Iterator[bytes]:
    # `readline` and `read1` return what has arrived, where `read` waits for more.
    if isinstance(file, io.TextIOBase):
        read: Any = file.readline
    else:
        read = getattr(file, "read1", None) or file.read
    while data := read(CHUNK_BYTES):
        yield _as_bytes(data)


def _as_bytes(chunk: object) -> bytes:
    if isinstance(chunk, bytes):
        return chunk
    if isinstance(chunk, str):
        # A lone surrogate becomes invalid UTF-8, which the parser reports with its place.
        return chunk.encode("utf-8", "surrogatepass")
    if isinstance(chunk, bytearray | memoryview):
        return bytes(cast("bytearray", chunk))
    raise TypeError(f"expected chunks of bytes or text, got {type(chunk).__name__}")
