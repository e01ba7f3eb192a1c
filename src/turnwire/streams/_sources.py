"""Turns every source of a stream into chunks of bytes."""

from __future__ import annotations

import inspect
import io
import os
from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeGuard, cast

from google.protobuf.message import Message

from turnwire.streams._line_ends import LineEnds
from turnwire.streams._paths import check_path

CHUNK_BYTES = 2**16


class Readable(Protocol):
    """A file, of bytes or of text."""

    def read(self, size: int, /) -> bytes | str:
        """Returns at most `size` bytes or characters; none at the end."""
        ...


class AsyncReadable(Protocol):
    """A file or connection that is read with `await`, such as aiohttp's `response.content`."""

    async def read(self, size: int, /) -> bytes | str:
        """Returns at most `size` bytes or characters; none at the end."""
        ...


Chunk = bytes | bytearray | memoryview | str
Source = bytes | bytearray | memoryview | str | os.PathLike[str] | Readable | Iterable[Chunk]
"""The sources of `read`. A str is the path of a file."""

AsyncSource = Source | AsyncReadable | AsyncIterable[Chunk]
"""The sources of `aread`."""


def chunks_of(source: Source, format: str) -> Generator[bytes, None, None]:
    """Yields the chunks of a source.

    A path is opened at the first chunk and closed with the iterator.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        yield from _slices(_view(source))
    elif isinstance(source, str | os.PathLike):
        with Path(source).open("rb") as file:
            yield from _chunks_of_file(file)
    elif not isinstance(source, Iterable) or hasattr(source, "read"):
        yield from _chunks_of_file(source)
    else:
        ends = LineEnds(format)
        try:
            for item in source:
                if chunk := ends.feed(_as_bytes(item)):
                    yield chunk
        except Exception:
            # Text held back may be complete, and comes before the error.
            if chunk := ends.close():
                yield chunk
            raise
        if chunk := ends.close():
            yield chunk


async def async_chunks_of(source: AsyncSource, format: str) -> AsyncGenerator[bytes, None]:
    """Yields the chunks of a source that may be asynchronous."""
    if is_async_file(source):
        while data := _arrived(await source.read(CHUNK_BYTES)):
            yield _as_bytes(data)
    elif isinstance(source, AsyncIterable):
        ends = LineEnds(format)
        try:
            async for item in source:
                if chunk := ends.feed(_as_bytes(item)):
                    yield chunk
        except Exception:
            if chunk := ends.close():
                yield chunk
            raise
        if chunk := ends.close():
            yield chunk
    else:
        for chunk in chunks_of(cast("Source", source), format):
            yield chunk


def is_async_file(source: object) -> TypeGuard[AsyncReadable]:
    """Returns whether the source has a `read` that must be awaited."""
    return inspect.iscoroutinefunction(getattr(source, "read", None))


def check_source(source: object, *, can_await: bool) -> None:
    """Raises an error that says what to pass instead.

    Raises:
        TypeError: The source is of a class that cannot be read.
        ValueError: The source is a str, and looks like data instead of a path.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return
    if isinstance(source, str | os.PathLike):
        check_path(source)
        return
    name = _name_of(source)
    for method in ("aiter_bytes" if can_await else "iter_bytes", "iter_bytes"):
        if hasattr(source, method):
            raise TypeError(f"expected the bytes of the {name}: pass response.{method}()")
    if can_await and hasattr(getattr(source, "content", None), "iter_any"):
        raise TypeError(f"expected the bytes of the {name}: pass response.content")
    if is_async_file(source) or isinstance(source, AsyncIterable):
        if not can_await:
            raise TypeError(f"{name} is asynchronous: use turnwire.aread")
        return
    if not isinstance(source, type) and hasattr(source, "read"):
        return
    if isinstance(source, Mapping | Message) or not _is_iterable(source):
        raise TypeError(
            f"expected bytes, a path, a file or an iterable of chunks, got {name}{_advice(source)}"
        )
    if isinstance(source, list | tuple):
        for item in source[:1]:
            _check_chunk(item)


def _is_iterable(source: object) -> bool:
    return isinstance(source, Iterable) and not isinstance(source, type)


def _name_of(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "None" if value is None else type(value).__name__


def _advice(value: object) -> str:
    """Returns the end of an error's text: how to use a value that is not read here."""
    if isinstance(value, Mapping):
        return ": turnwire.from_dict makes a message of each dict that is already read"
    if isinstance(value, Message):
        return ": it is a message already, and needs no reading"
    return ""


def _view(data: bytes | bytearray | memoryview[Any]) -> memoryview:
    view = memoryview(data)
    return view.cast("B") if view.c_contiguous else memoryview(view.tobytes())


def _slices(view: memoryview) -> Iterator[bytes]:
    for start in range(0, len(view), CHUNK_BYTES):
        yield bytes(view[start : start + CHUNK_BYTES])


def _chunks_of_file(file: Any) -> Iterator[bytes]:
    # `readline` and `read1` return what has arrived, where `read` waits for more.
    if isinstance(file, io.TextIOBase):
        read: Any = file.readline
    else:
        read = getattr(file, "read1", None) or file.read
    while (data := _arrived(read(CHUNK_BYTES))) or (data := _arrived(_after_nothing(file))):
        yield _as_bytes(data)


def _after_nothing(file: object) -> bytes | None:
    """Returns the next byte of a file that gave none, if it was not the end after all.

    At a file that does not block, `read1` of a buffer returns the same as at the end.
    """
    return file.read(1) if isinstance(file, io.BufferedReader) else b""


def _arrived(data: object) -> Any:
    """Raises the error for a file that would have to wait but does not."""
    if data is None:
        raise BlockingIOError(
            "the file is not in blocking mode and has no data yet, which is not the end of a "
            "stream: set it to blocking mode, or pass an iterable of chunks that waits"
        )
    return data


def _check_chunk(chunk: object) -> None:
    if not isinstance(chunk, bytes | str | bytearray | memoryview):
        raise TypeError(f"expected chunks of bytes or text, got {_name_of(chunk)}{_advice(chunk)}")


def _as_bytes(chunk: object) -> bytes:
    if isinstance(chunk, bytes):
        return chunk
    if isinstance(chunk, str):
        # A lone surrogate becomes invalid UTF-8, which the parser reports with its place.
        return chunk.encode("utf-8", "surrogatepass")
    _check_chunk(chunk)
    return bytes(cast("bytearray", chunk))
