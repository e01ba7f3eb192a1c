"""Reads the elements of an input with their places, and reports what cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from turnwire import streams
from turnwire._cli.ahead import items_ahead
from turnwire._cli.files import STANDARD, source_of
from turnwire._cli.formats import AUTO, JSON, PARQUET, framing_of
from turnwire._cli.inputs import Part, format_of
from turnwire._cli.lines import begins_with_object_line
from turnwire._cli.places import Chunk, Element, Places, elements_in
from turnwire._cli.problems import Problem, problem_of
from turnwire.errors import MissingExtra, TruncatedStream, TurnwireError
from turnwire.protojson._accelerator import line_count
from turnwire.streams._compression import Decompressor, compression_of
from turnwire.streams._framer import MAX_ELEMENT_BYTES

if TYPE_CHECKING:
    from turnwire._cli.parquet_rows import ParquetRows

BATCH_BYTES = 2**20
"""The size that a batch of elements has at least, unless the input ends."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PIECE_BYTES = 2**18
_PIECES_AHEAD = 8


class Sink(Protocol):
    """The receiver of problems, and of progress."""

    def advance(self, count: int) -> None:
        """Takes the number of bytes that were read of the file, as they are there."""

    def reject(self, problem: Problem, raw: bytes | None) -> None:
        """Takes a problem, and the element as it came if it is whole."""


def batches_of(
    part: Part,
    report: Sink,
    *,
    format: str | None = None,
    max_element_bytes: int = MAX_ELEMENT_BYTES,
    column: str | None = None,
    others: Sequence[str] = (),
) -> Iterator[list[Element]]:
    """Yields the elements of a part, in batches of about a megabyte.

    A line that is too long, and a compressed file that is cut, are reported as rejects, and reading
    goes on where it can.

    Args:
        part: The part.
        report: The receiver of progress and rejects.
        format: The name of the format; None if suffix and content tell it.
        max_element_bytes: The size of the largest element that is read.
        column: The column of the messages in Parquet; None for the only one that may be it.
        others: The names of columns in Parquet whose values the elements have too.

    Raises:
        OSError: The file cannot be opened; the runner makes a reject of it.
    """
    return Reader(part, report, format, max_element_bytes, column, others).batches()


class Reader:
    """Reads one part.

    Attributes:
        holds_lines: Whether each element is on its own line, so that there are `chunks`.
        format: The format, by its name; ``"auto"`` where the content tells it.
        is_wire: Whether the elements are wire bytes; known as soon as there is one.
    """

    def __init__(
        self,
        part: Part,
        report: Sink,
        format: str | None,
        max_element_bytes: int,
        column: str | None = None,
        others: Sequence[str] = (),
    ) -> None:
        self.format = format_of(part.name, format)
        self._part = part
        self._report = report
        self._limit = max_element_bytes
        self._offset = part.start
        self._line = part.first_line
        self.is_wire = False
        self._is_cut = False
        self._unpacked_bytes = 0
        self._rows: ParquetRows | None = None
        if self.format == PARQUET:
            from turnwire._cli.parquet_rows import ParquetRows  # and with it turnwire.bulk

            self.holds_lines = False
            self._rows = ParquetRows(part.name, column, others)
            return
        self._pieces = self._unpacked()
        self._first = next(self._pieces, b"")
        start = self._first.removeprefix(_BYTE_ORDER_MARK).lstrip()
        self.holds_lines = self.format == "ndjson" or (
            self.format in (AUTO, JSON) and begins_with_object_line(start)
        )

    def batches(self) -> Iterator[list[Element]]:
        """Yields the elements, about a megabyte at a time, without those that are too large."""
        for batch in self.all_batches():
            for element in batch:
                if len(element.data) > self._limit:
                    self._report.reject(self.too_large(element), element.raw)
            yield [element for element in batch if len(element.data) <= self._limit]

    def all_batches(self) -> Iterator[list[Element]]:
        """Yields the elements, about a megabyte at a time; some may be larger than the limit."""
        if self._rows is not None:
            yield from self._of_rows(self._rows)
            return
        if not self.holds_lines:
            yield from self._framed()
            return
        index = 0
        for chunk in self.chunks():
            batch = elements_in(chunk, index)
            index += len(batch)
            yield batch

    def chunks(self) -> Iterator[Chunk]:
        """Yields the lines of the input, about a megabyte at a time.

        A line that grows beyond the limit is rejected without being kept.
        """
        held: list[bytes] = []
        # The bytes that are held, those after the last line end, and those of a line in rejection.
        size = tail = skipped = 0
        for piece in self._all_pieces(strip_mark=True):
            rest = piece
            if skipped:
                end = rest.find(b"\n") + 1
                skipped += end or len(rest)
                if not end:
                    continue
                self._pass_over(skipped)
                rest, skipped = rest[end:], 0
            cut = rest.rfind(b"\n") + 1
            tail = len(rest) - cut if cut else tail + len(rest)
            held.append(rest)
            size += len(rest)
            if size - tail >= BATCH_BYTES or tail > self._limit:
                if cut:
                    held[-1], rest = rest[:cut], rest[cut:]
                    yield self._chunk(b"".join(held))
                else:
                    data = b"".join(held)
                    if size > tail:
                        yield self._chunk(data[: size - tail])
                    rest = data[size - tail :]
                held = [rest]
                if tail > self._limit:
                    self._reject_size()
                    held, skipped, tail = [], tail, 0
                size = tail
        if size and self._is_cut:  # the last line is not whole, which was reported
            held, size = [b"".join(held)[: size - tail]], size - tail
        if size:
            yield self._chunk(b"".join(held))

    def _framed(self) -> Iterator[list[Element]]:
        """Yields the elements of an input in any format that the framer reads."""
        framer = streams.Framer(framing_of(self.format) or "auto", max_element_bytes=self._limit)
        places = Places(self._part.start)
        index = 0
        batch: list[Element] = []
        try:
            for piece in self._all_pieces(strip_mark=False):
                places.feed(piece)
                batch = places.placed(framer.feed(piece), index)
                self.is_wire = framer.format == "delimited"
                index += len(batch)
                yield batch
                if framer.error:
                    raise framer.error
            if self._is_cut:
                return
            batch = places.placed(framer.close(), index)
            self.is_wire = framer.format == "delimited"
            yield batch
            if framer.error:
                raise framer.error
        except MissingExtra:
            raise
        except TurnwireError as error:
            # A value where none may stand may be an error of the service, which its reader tells.
            last = batch[-1].data if batch else b""
            if isinstance(last, streams.Stray) and last.error is error:
                return
            if framer.stray is not None:
                yield places.placed([framer.stray], index)
                return
            found = problem_of(error)
            self._report.reject(replace(found, index=error.index or index), None)

    def _of_rows(self, source: ParquetRows) -> Iterator[list[Element]]:
        """Yields the rows of a Parquet file; their index is the number of the row."""
        index = 0
        try:
            for rows, share in source.batches():
                self.is_wire = source.is_wire
                self._report.advance(int(share * source.size))
                # Only blanks can be line feeds in JSON, and a reject is one line.
                yield [
                    Element(
                        row.data,
                        None,
                        None,
                        row.number,
                        row.data if source.is_wire else row.data.replace(b"\n", b" "),
                        row.others,
                    )
                    for row in rows
                ]
                index = rows[-1].number + 1 if rows else index
        except MissingExtra:
            raise
        except TurnwireError as error:
            self._report.reject(replace(problem_of(error), index=index or None), None)

    def all_bytes(self) -> bytes:
        """Returns the whole input, for formats of one message."""
        return b"".join(self._all_pieces(strip_mark=False))

    def _chunk(self, data: bytes) -> Chunk:
        chunk = Chunk(data, self._offset, self._line)
        self._offset += len(data)
        self._line += line_count(data)
        return chunk

    def _reject_size(self) -> None:
        self._report.reject(self._size_problem(self._line, self._offset), None)

    def too_large(self, element: Element) -> Problem:
        """Returns the problem of an element that is larger than the limit."""
        return replace(self._size_problem(element.line, element.offset), index=element.index)

    def _size_problem(self, line: int | None, offset: int | None) -> Problem:
        reason = f"the element is larger than {self._limit} bytes"
        return Problem("range", "", reason, line=line, offset=offset)

    def _pass_over(self, size: int) -> None:
        self._offset += size
        self._line += 1

    def _all_pieces(self, *, strip_mark: bool) -> Iterator[bytes]:
        first = self._first
        if strip_mark and self._part.start == 0 and first.startswith(_BYTE_ORDER_MARK):
            first = first[len(_BYTE_ORDER_MARK) :]
            self._offset += len(_BYTE_ORDER_MARK)
        self._first = b""
        if first:
            yield first
        yield from self._pieces

    def _unpacked(self) -> Iterator[bytes]:
        """Yields the bytes of the part, unpacked, and reports where they end too early."""
        name = self._part.name
        compression = None if name == STANDARD else compression_of(name)
        plain = self._plain(Decompressor(compression))
        try:
            for piece in plain if compression is None else items_ahead(plain, _PIECES_AHEAD):
                self._unpacked_bytes += len(piece)
                yield piece
        except MissingExtra:
            raise
        except (TurnwireError, OSError) as error:
            if isinstance(error, OSError) and not self._unpacked_bytes:
                raise
            self._is_cut = True
            self._report.reject(replace(problem_of(error), offset=self._unpacked_bytes), None)

    def _plain(self, unpacker: Decompressor) -> Iterator[bytes]:
        for piece in self._packed():
            self._report.advance(len(piece))
            yield from unpacker.feed(piece)
        yield from unpacker.close()

    def _packed(self) -> Iterator[bytes]:
        source = source_of(self._part.name)
        if not isinstance(source, Path):
            yield from iter(lambda: source.read1(_PIECE_BYTES), b"")  # type: ignore[attr-defined]
            return
        with source.open("rb") as file:
            if self._part.end is None:
                yield from iter(lambda: file.read(_PIECE_BYTES), b"")
                return
            file.seek(self._part.start)
            left = self._part.size
            while piece := file.read(min(_PIECE_BYTES, left)):
                left -= len(piece)
                yield piece
            if left:
                reason = f"the file became {left} bytes shorter while it was read"
                raise TruncatedStream(reason)
