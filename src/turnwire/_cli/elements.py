"""Reads the elements of an input with their places, and reports what cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from turnwire import streams
from turnwire._cli.ahead import items_ahead
from turnwire._cli.files import STANDARD, source_of
from turnwire._cli.formats import AUTO, JSON, PARQUET, framing_of
from turnwire._cli.inputs import Part, format_of
from turnwire._cli.lines import begins_with_object_line
from turnwire._cli.problems import Problem, problem_of
from turnwire.errors import MissingExtra, TruncatedStream, TurnwireError
from turnwire.protojson._accelerator import line_count
from turnwire.streams._compression import Decompressor, compression_of
from turnwire.streams._framer import MAX_ELEMENT_BYTES
from turnwire.streams._machine import BLANKS

if TYPE_CHECKING:
    from turnwire._cli.parquet_rows import ParquetRows

BATCH_BYTES = 2**20
"""The size that a batch of elements has at least, unless the input ends."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PIECE_BYTES = 2**18
_PIECES_AHEAD = 8


@dataclass(slots=True)
class Element:
    """One element of an input.

    Attributes:
        data: A JSON text without blanks around it, or wire bytes in the format "delimited".
        offset: The byte at which it begins in the unpacked input; None if that is not known.
        line: The line on which it begins, from 1; None if that is not known.
        index: Its index in the part, from 0.
        raw: The whole line, without its line feed; the data in a format without lines.
        others: The values of other columns, by their names, where the element is a row of a table.
    """

    data: bytes
    offset: int | None
    line: int | None
    index: int
    raw: bytes
    others: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def placed(self, problem: Problem) -> Problem:
        """Returns a problem of the element with its place."""
        return replace(problem, line=self.line, offset=self.offset, index=self.index)


class Chunk(NamedTuple):
    """Whole lines of an input.

    Attributes:
        data: The lines, with their ends.
        offset: The byte at which they begin in the unpacked input.
        line: The number of the first one, from 1.
    """

    data: bytes
    offset: int
    line: int


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
        places = _Places(self._part.start)
        index = 0
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


def elements_in(chunk: Chunk, index: int) -> list[Element]:
    """Returns the elements on the lines of a chunk; lines of blanks hold none.

    Args:
        chunk: The chunk.
        index: The index of its first element.
    """
    elements = []
    offset = chunk.offset
    for line, text in enumerate(chunk.data.split(b"\n"), start=chunk.line):
        data = text.strip(BLANKS)
        if data:
            begin = offset if len(data) == len(text) else offset + text.index(data)
            elements.append(Element(data, begin, line, index, text))
            index += 1
        offset += len(text) + 1
    return elements


def element_on_line(chunk: Chunk, start: int, end: int, line: int, index: int) -> Element:
    """Returns the element on one line of a chunk.

    Args:
        chunk: The chunk.
        start: The start of the element in its data.
        end: The end of the element, without the blanks behind it.
        line: The number of its line in the chunk, from 0.
        index: The index of the element in the part.
    """
    data = chunk.data
    begin = data.rfind(b"\n", 0, start) + 1
    after = data.find(b"\n", end)
    raw = data[begin : after if after >= 0 else len(data)]
    return Element(data[start:end], chunk.offset + start, chunk.line + line, index, raw)


class _Places:
    """Finds where elements begin in the bytes that were fed, for formats other than lines."""

    def __init__(self, offset: int) -> None:
        self._window = bytearray()
        self._offset = offset
        self._line = 1

    def feed(self, piece: bytes) -> None:
        self._window += piece

    def placed(self, found: list[bytes], index: int) -> list[Element]:
        """Returns elements with their places; without one where the text was put together."""
        elements = []
        position = 0
        for number, data in enumerate(found, start=index):
            begin = self._window.find(data, position)
            if begin < 0:
                elements.append(Element(data, None, None, number, data))
                continue
            self._line += self._window.count(b"\n", position, begin)
            elements.append(Element(data, self._offset + begin, self._line, number, data))
            self._line += data.count(b"\n")
            position = begin + len(data)
        if found and not position:
            position = len(self._window)
            self._line += self._window.count(b"\n")
        del self._window[:position]
        self._offset += position
        return elements
