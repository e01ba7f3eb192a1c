"""gzip and zstd, read as they arrive and written as they grow."""

from __future__ import annotations

import gzip
import importlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any, Literal, cast

from turnwire.errors import MissingExtra, ParseError, TruncatedStream

Compression = Literal["gzip", "zstd"]

_SUFFIXES: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}
_MAGICS: dict[bytes, Compression] = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_OUTPUT_BYTES = 2**18
# zlib copies the input that it has not used yet.
_GZIP_INPUT_BYTES = 2**16
# zstd packs up to 128 kB into 4 bytes: little input at a time keeps the output in bounds.
_ZSTD_INPUT_BYTES = 2**9
_GZIP_WINDOW_BITS = 31
_ZEROS = re.compile(rb"\0*+")


def compression_of(path: os.PathLike[str] | str) -> Compression | None:
    """Returns the compression that the suffix of a path says: ``.gz`` or ``.zst``."""
    return _SUFFIXES.get(os.path.splitext(os.fspath(path))[1].lower())


def compressing(sink: IO[bytes], compression: Compression) -> IO[bytes]:
    """Returns a file that compresses into `sink`.

    It is complete when it is closed; `sink` stays open.
    """
    if compression == "gzip":
        # No name and no time: the same messages give the same bytes.
        return cast("IO[bytes]", gzip.GzipFile("", "wb", fileobj=sink, mtime=0))
    zstd = _zstd_module()
    if hasattr(zstd, "ZstdFile"):
        return cast("IO[bytes]", zstd.ZstdFile(sink, "w"))
    return cast("IO[bytes]", zstd.ZstdCompressor().stream_writer(sink, closefd=False))


class Decompressor:
    """Unpacks bytes as they arrive; bytes that are not compressed pass unchanged.

    Several members or frames one after another are read as one. Output comes in pieces of bounded
    size, however much the input expands.
    """

    def __init__(self, compression: Compression | None = None) -> None:
        self._compression: Compression | None = compression
        self._is_known = compression is not None
        self._head = b""
        self._inner: Any = None
        self._is_after_member = False
        self._zlib: Any = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yields the plain bytes of `data`.

        Raises:
            ParseError: The data is not, or no longer, compressed as it began.
            ImportError: The data is zstd, and no library is installed that reads it.
        """
        if not self._is_known:
            data = self._head + data
            self._head = b""
            if any(len(data) < len(magic) and magic.startswith(data) for magic in _MAGICS):
                self._head = data
                return
            self._is_known = True
            for magic, compression in _MAGICS.items():
                if data.startswith(magic):
                    self._compression = compression
        if self._compression is None:
            yield data
        elif self._compression == "gzip":
            yield from self._gunzip(data)
        else:
            yield from self._unzstd(data)

    def close(self) -> Iterator[bytes]:
        """Ends the data; yields bytes that were too few to be told from a signature.

        Raises:
            TruncatedStream: The compressed data is not complete.
        """
        if self._head:
            yield self._head
        if self._inner is not None:
            raise TruncatedStream(f"the stream ended inside of its {self._compression} data")

    def _gunzip(self, data: bytes) -> Iterator[bytes]:
        view = memoryview(data)
        position = 0
        while position < len(view):
            if self._inner is None:
                # Members may be followed by zeros, as tape blocks are.
                zeros = _ZEROS.match(data, position) if self._is_after_member else None
                position = zeros.end() if zeros else position
                if position == len(data):
                    return
                self._zlib = self._zlib or _zlib_module()
                self._inner = self._zlib.decompressobj(_GZIP_WINDOW_BITS)
            piece = bytes(view[position : position + _GZIP_INPUT_BYTES])
            position += len(piece)
            yield from self._inflate(piece)
            if self._inner.eof:
                position -= len(self._inner.unused_data)
                self._inner = None
                self._is_after_member = True

    def _inflate(self, piece: bytes) -> Iterator[bytes]:
        """Yields the plain bytes of one piece, up to the end of the member."""
        more = True
        while (piece or more) and not self._inner.eof:
            before = self._inner.copy()
            try:
                plain = self._inner.decompress(piece, _OUTPUT_BYTES)
            except self._zlib.error as error:
                yield from self._bytewise(before, piece)
                raise _not_valid("gzip", error) from error
            if plain:
                yield plain
            more = len(plain) == _OUTPUT_BYTES
            piece = self._inner.unconsumed_tail

    def _bytewise(self, gunzip: Any, data: bytes) -> Iterator[bytes]:
        """Yields the output before an error: zlib raises it and keeps the output of that call."""
        with suppress(self._zlib.error):
            for position in range(len(data)):
                plain = gunzip.decompress(data[position : position + 1])
                if plain:
                    yield plain

    def _unzstd(self, data: bytes) -> Iterator[bytes]:
        zstd = _zstd_module()
        view = memoryview(data)
        position = 0
        while position < len(view):
            if self._inner is None:
                maker = zstd.ZstdDecompressor()
                self._inner = maker.decompressobj() if hasattr(maker, "decompressobj") else maker
            piece = bytes(view[position : position + _ZSTD_INPUT_BYTES])
            position += len(piece)
            try:
                plain = self._inner.decompress(piece)
            except zstd.ZstdError as error:
                raise _not_valid("zstd", error) from error
            if plain:
                yield plain
            if self._inner.eof:
                position -= len(self._inner.unused_data)
                self._inner = None


def _not_valid(name: str, error: Exception) -> ParseError:
    return ParseError(f"not valid {name} data: {error}", kind="encoding")


def _zlib_module() -> Any:
    """Imports zlib-ng, which unpacks three times as fast, where it is installed, else `zlib`."""
    try:
        return importlib.import_module("zlib_ng.zlib_ng")
    except ImportError:
        return importlib.import_module("zlib")


def _zstd_module() -> Any:
    """Imports the standard library's module (Python 3.14 and later), else `zstandard`."""
    for name in ("compression.zstd", "zstandard"):
        with suppress(ImportError):
            return importlib.import_module(name)
    raise MissingExtra("zstd", "zstandard")
