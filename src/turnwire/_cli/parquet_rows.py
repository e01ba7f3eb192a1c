"""Reads the messages in a column of a Parquet file, some rows at a time."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from turnwire.arrow._options import pyarrow
from turnwire.bulk._texts import holds_json
from turnwire.errors import ParseError, TurnwireError

_BATCH_BYTES = 2**20
_MAX_ROWS = 1024
_BUFFER_BYTES = 2**18
# The start of a JSON object or array: in wire format, that of a group, which is most unusual.
_JSON_STARTS = (b"{", b"[")


class Row(NamedTuple):
    """One row with a value in the column.

    Attributes:
        data: The value, without blanks around a JSON text.
        number: The number of the row in the file, from 0.
        others: The values of other columns that were asked for, by their names.
    """

    data: bytes
    number: int
    others: Mapping[str, Any]


class ParquetRows:
    """The rows of one file, which is open until they are read.

    Attributes:
        is_wire: Whether the column holds wire format; known as soon as there is a row.
        size: The bytes of the file.

    Args:
        name: The path of the file.
        column: The column with the messages; None for the only one of strings or binary values.
        others: The names of other columns, which may not be there.

    Raises:
        OSError: The file cannot be opened.
    """

    def __init__(self, name: str, column: str | None, others: Sequence[str] = ()) -> None:
        path = Path(name)
        self.is_wire = False
        self.size = path.stat().st_size
        self._file = path.open("rb")
        self._column = column
        self._others = others

    def batches(self) -> Iterator[tuple[list[Row], float]]:
        """Yields rows without those that are null, and the share of the file that they are.

        Raises:
            MissingExtra: pyarrow is not installed.
            TurnwireError: It is not a Parquet file, or has no such column.
        """
        pa = pyarrow()
        with self._file:
            try:
                yield from self._rows()
            except (pa.ArrowException, OSError) as error:
                raise ParseError(f"not valid Parquet data: {error}", kind="encoding") from error

    def _rows(self) -> Iterator[tuple[list[Row], float]]:
        parquet = importlib.import_module("pyarrow.parquet")
        # A buffer, so that no column of a large row group is read as a whole.
        with parquet.ParquetFile(self._file, buffer_size=_BUFFER_BYTES) as file:
            schema = file.schema_arrow
            others = [name for name in self._others if name in schema.names]
            column = self._column_in(schema, others)
            is_json = holds_json(schema.field(column).type, "auto")
            count = file.metadata.num_rows
            index = 0
            for batch in file.iter_batches(_batch_rows(file, column), columns=[column, *others]):
                rows = list(_rows_of(batch, column, others, index))
                if rows and not index and not is_json:
                    is_json = rows[0].data.lstrip().startswith(_JSON_STARTS)
                    self.is_wire = not is_json
                if is_json:
                    rows = [row._replace(data=row.data.strip()) for row in rows]
                index += batch.num_rows
                yield rows, batch.num_rows / count

    def _column_in(self, schema: Any, others: Sequence[str]) -> str:
        found: list[str] = [field.name for field in schema if _holds_texts(field.type)]
        if self._column is not None:
            if self._column in found:
                return self._column
            state = "holds other things" if self._column in schema.names else "is not in the file"
            raise TurnwireError(
                f"the column {self._column!r} {state}; {_texts(found)}", kind="type"
            )
        left = [name for name in found if name not in others]
        if len(left) != 1:
            raise TurnwireError(f"{_texts(left)}; name one with --column", kind="type")
        return left[0]


def _texts(columns: list[str]) -> str:
    listed = ", ".join(map(repr, columns)) or "none"
    return f"the columns of strings or binary values are {listed}"


def _rows_of(batch: Any, column: str, others: Sequence[str], first: int) -> Iterator[Row]:
    pa = pyarrow()
    values = batch.column(column)
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    rest = [batch.column(name).to_pylist() for name in others]
    for place, data in enumerate(values.cast(pa.large_binary()).to_pylist()):
        if data is not None:
            cells = {name: cells[place] for name, cells in zip(others, rest, strict=True)}
            yield Row(data, first + place, cells)


def _batch_rows(file: Any, column: str) -> int:
    """Returns the number of rows that are about a megabyte."""
    groups = [file.metadata.row_group(index) for index in range(file.metadata.num_row_groups)]
    size = sum(
        part.total_uncompressed_size
        for group in groups
        for part in (group.column(index) for index in range(group.num_columns))
        if part.path_in_schema == column
    )
    return int(min(max(_BATCH_BYTES * file.metadata.num_rows // max(size, 1), 1), _MAX_ROWS))


def _holds_texts(kind: Any) -> bool:
    try:
        holds_json(kind, "auto")
    except TypeError:
        return False
    return True
