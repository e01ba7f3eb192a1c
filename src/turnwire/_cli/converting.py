"""Converts the parts of many inputs, and puts the outputs of all parts together."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from google.protobuf.message import Message

from turnwire import arrow
from turnwire._cli.decoding import Decoding
from turnwire._cli.elements import Reader
from turnwire._cli.formats import BINARY, JSON, PARQUET, TEXT, print_one, read_whole, write_messages
from turnwire._cli.inputs import Part
from turnwire._cli.own_types import class_of
from turnwire._cli.places import Chunk, Element, element_on_line
from turnwire._cli.problems import problem_of, unknown_problem
from turnwire._cli.report import Report
from turnwire._cli.unknown import silent
from turnwire.arrow._options import pyarrow
from turnwire.errors import ParseError, TurnwireError
from turnwire.errors import Path as Place
from turnwire.protojson import Unknown, from_json
from turnwire.protojson._accelerator import LineConverter, line_converter_of
from turnwire.streams._compression import compressing, compression_of
from turnwire.streams._machine import BLANKS
from turnwire.streams._writer import LAYOUTS, encoder_of

_ROW_GROUP = 2**16
_COPIED_BYTES = 2**20


@dataclass(frozen=True)
class Conversion:
    """The work of `turnwire convert` on one part.

    Attributes:
        type_name: The message type.
        target: The format of the output.
        suffix: The suffixes of its file, that of a compression among them.
        source: The format of the input; None if suffix and content tell it.
        at: The place of the messages in each element.
        unknown: The choice about unknown things: ``error``, ``ignore`` or ``warn``.
        max_element_bytes: The size of the largest element that is read.
        column: The column of the messages in Parquet; None for the only one that may be it.
    """

    type_name: str
    target: str
    suffix: str
    source: str | None
    at: str | None
    unknown: str
    max_element_bytes: int
    column: str | None = None

    def makes(self, name: str) -> bool:
        """Reports whether a file is an output of this format."""
        return name.endswith(self.suffix)

    def __call__(self, part: Part, folder: Path, report: Report) -> None:
        """Reads a part and writes its output."""
        message_class = class_of(self.type_name)
        reader = Reader(part, report, self.source, self.max_element_bytes, self.column)
        with _output(folder / f"{part.stem}{self.suffix}", self.target, message_class) as output:
            if reader.format in (BINARY, TEXT):
                data = reader.all_bytes()
                message = read_whole(message_class, data, reader.format, silent(self.unknown))
                output.put([message])
                report.count(1)
                return
            converter = _Converter(self, message_class, reader, output, report)
            if reader.holds_lines and self.at is None:
                for chunk in reader.chunks():
                    converter.convert_lines(chunk)
            else:
                for batch in reader.batches():
                    for element in batch:
                        converter.convert(element)
            report.count(converter.count)


class _Converter:
    """Converts the elements of one part.

    Attributes:
        count: The number of elements so far.
    """

    def __init__(
        self,
        work: Conversion,
        message_class: type[Message],
        reader: Reader,
        output: _Output,
        report: Report,
    ) -> None:
        self.count = 0
        self._class = message_class
        self._reader = reader
        self._output = output
        self._report = report
        self._limit = work.max_element_bytes
        self._left_out: list[Place] = []
        self._is_strict = work.unknown == "error"
        unknown: Unknown = "error"
        if not self._is_strict:
            unknown = self._left_out.append if work.unknown == "warn" else "ignore"
        self._lines: LineConverter | None = None
        if isinstance(output, _Framed) and work.target == "ndjson":
            self._lines = line_converter_of(message_class)
            self._write = output.write
        self._of = {
            is_wire: Decoding(message_class, is_wire=is_wire, at=work.at, unknown=unknown).of
            for is_wire in (False, True)
        }

    def convert(self, element: Element) -> None:
        """Converts an element, or rejects it."""
        self.count += 1
        if len(element.data) > self._limit:
            self._report.reject(self._reader.too_large(element), element.raw)
            return
        try:
            messages = self._of[self._reader.is_wire](element)
            self._output.put([message for _, message in messages])
        except TurnwireError as error:
            self._report.reject(element.placed(problem_of(error)), element.raw)
        for path in self._left_out:
            self._report.note(element.placed(unknown_problem(path)))
        self._left_out.clear()

    def convert_lines(self, chunk: Chunk) -> None:
        """Converts whole lines; only one that is not plainly a message becomes an element."""
        if self._lines is None:
            self._convert_each_line(chunk)
            return
        first = self.count
        converted, count, doubtful = self._lines(chunk.data, self._limit)
        place = 0
        for start, end, line, number, after in doubtful:
            self._write(converted[place:after])
            place = after
            self.count = first + number
            self.convert(element_on_line(chunk, start, end, line, self.count))
        self._write(converted[place:] if place else converted)
        self.count = first + count

    def _convert_each_line(self, chunk: Chunk) -> None:
        left_out: list[Place] = []
        unknown: Unknown = "error" if self._is_strict else left_out.append
        offset, put, message_class = chunk.offset, self._output.put, self._class
        for line, text in enumerate(chunk.data.split(b"\n"), start=chunk.line):
            if data := text.strip(BLANKS):
                try:
                    if len(data) > self._limit:
                        raise ParseError("", kind="range")
                    message = from_json(message_class, data, unknown=unknown)
                    if left_out:
                        raise ParseError("", kind="unknown")
                    put((message,))
                    self.count += 1
                except TurnwireError:
                    left_out.clear()
                    begin = offset + text.index(data)
                    self.convert(Element(data, begin, line, self.count, text))
            offset += len(text) + 1


def merge(files: Sequence[Path], sink: BinaryIO, format: str, message_class: type[Message]) -> None:
    """Writes the outputs of all parts as one output.

    Args:
        files: The outputs, in their order; those of `part_format`.
        sink: The file to write.
        format: The format of the output.
        message_class: The class of the messages in it.
    """
    if format == PARQUET:
        _merge_parquet(files, sink, message_class)
        return
    if format not in ("array", JSON):
        for path in files:
            with path.open("rb") as file:
                shutil.copyfileobj(file, sink, _COPIED_BYTES)
        return
    layout = LAYOUTS["array"]
    sink.write(layout.start)
    between = b""
    for piece in _pieces(files):
        # Each line is one message, since JSON escapes line ends.
        lines = piece.removesuffix(b"\n")
        sink.write(between + lines.replace(b"\n", layout.between))
        between = layout.between if lines != piece else b""
    sink.write(layout.end)


def part_format(format: str) -> str:
    """Returns the format of the outputs of parts that `merge` puts together."""
    return "ndjson" if format in ("array", JSON) else format


class _Output(Protocol):
    """Takes messages and writes them."""

    def put(self, messages: Sequence[Message]) -> None:
        """Writes messages; an error leaves out all of them."""

    def close(self) -> None:
        """Writes the end."""


class _Framed:
    def __init__(self, sink: BinaryIO, format: str) -> None:
        self.write: Callable[[bytes], object] = sink.write
        self._layout = LAYOUTS[format]
        self._encode = encoder_of(format)
        self._between = b""
        self.write(self._layout.start)

    def put(self, messages: Sequence[Message]) -> None:
        layout = self._layout
        for encoded in [self._encode(message) for message in messages]:
            self.write(self._between + layout.before_each + encoded + layout.after_each)
            self._between = layout.between

    def close(self) -> None:
        self.write(self._layout.end)


class _Json:
    """Writes one message indented, and any other number of them as an array."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._held: list[Message] = []
        self._array: _Framed | None = None

    def put(self, messages: Sequence[Message]) -> None:
        if self._array is None:
            self._held += messages
            if len(self._held) < 2:
                return
            self._array = _Framed(self._sink, "array")
            messages = self._held
        self._array.put(messages)

    def close(self) -> None:
        if self._array is not None:
            self._array.close()
        else:
            write_messages(iter(self._held), self._sink, JSON, printable=False)


class _One:
    def __init__(self, sink: BinaryIO, format: str) -> None:
        self._sink = sink
        self._format = format
        self._messages: list[Message] = []

    def put(self, messages: Sequence[Message]) -> None:
        self._messages = [*self._messages, *messages][:2]

    def close(self) -> None:
        self._sink.write(print_one(iter(self._messages), self._format))


class _Parquet:
    def __init__(self, sink: BinaryIO, message_class: type[Message]) -> None:
        self._class = message_class
        self._messages: list[Message] = []
        self._writer = _parquet().ParquetWriter(sink, arrow.schema_of(message_class))

    def put(self, messages: Sequence[Message]) -> None:
        self._messages += messages
        if len(self._messages) >= _ROW_GROUP:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(arrow.to_arrow(self._class, self._messages))
        self._messages = []


@contextmanager
def _output(path: Path, format: str, message_class: type[Message]) -> Generator[_Output]:
    with ExitStack() as stack:
        output: _Output
        sink: BinaryIO = stack.enter_context(path.open("wb"))
        if format == PARQUET:
            output = _Parquet(sink, message_class)
        else:
            compression = compression_of(path)
            if compression is not None:
                sink = cast("BinaryIO", stack.enter_context(compressing(sink, compression)))
            if format == JSON:
                output = _Json(sink)
            else:
                output = _Framed(sink, format) if format in LAYOUTS else _One(sink, format)
        yield output
        output.close()


def _merge_parquet(files: Sequence[Path], sink: BinaryIO, message_class: type[Message]) -> None:
    parquet = _parquet()
    with parquet.ParquetWriter(sink, arrow.schema_of(message_class)) as writer:
        for path in files:  # pyarrow takes no path that is not UTF-8
            with path.open("rb") as part, parquet.ParquetFile(part) as file:
                for batch in file.iter_batches():
                    writer.write_batch(batch)


def _parquet() -> Any:
    pyarrow()
    return importlib.import_module("pyarrow.parquet")


def _pieces(files: Sequence[Path]) -> Iterator[bytes]:
    for path in files:
        with path.open("rb") as file:
            yield from iter(lambda: file.read(_COPIED_BYTES), b"")
