"""A data result as a table."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from turnwire_schema.geminidataanalytics.v1.data_pb2 import DataResult
from turnwire_schema.geminidataanalytics.v1.query_data_pb2 import ExecutedQueryResult

from turnwire._notebooks import ShownView
from turnwire._plain_json import is_list, is_object
from turnwire._views import short_list_repr, short_repr
from turnwire.arrow import OnMisfit
from turnwire.geminidataanalytics._arrow_table import (
    TableColumn,
    arrow_table,
    table_columns,
    text_rows,
)
from turnwire.geminidataanalytics._frames import to_pandas, to_polars, write_csv, write_parquet
from turnwire.geminidataanalytics._query_results import data_result_of
from turnwire.geminidataanalytics._rows import columns_of, formatted_rows_of, rows_of
from turnwire.geminidataanalytics._sparse import SparseRow

if TYPE_CHECKING:
    import pandas  # pyright: ignore[reportMissingImports]
    import polars  # pyright: ignore[reportMissingImports]
    import pyarrow


@dataclass(frozen=True, repr=False)  # no slots: the rows are kept once they were read
class Table(ShownView):
    """One data result.

    Attributes:
        message: The result as it came. Of an `ExecutedQueryResult`, the same rows as a
            `DataResult`; `rows_of` has the rules.

    >>> from turnwire import geminidataanalytics as gda
    >>> result = gda.DataResult(name="rides_by_station")
    >>> result.data.add().update({"station": "Mill", "rides": 41})
    >>> Table(result)
    Table('rides_by_station', columns=['rides', 'station'], rows=1)
    """

    message: DataResult

    def __init__(self, message: DataResult | ExecutedQueryResult) -> None:
        object.__setattr__(self, "message", data_result_of(message))

    @property
    def name(self) -> str:
        """The name by which queries, charts and analyses refer to it; ``""`` where it has none."""
        return self.message.name

    @property
    def columns(self) -> list[str]:
        """The column names; see `columns_of`."""
        return columns_of(self.message)

    @property
    def row_count(self) -> int:
        """The number of rows; they are not read for it."""
        return len(self.message.data)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The typed rows; see `rows_of`.

        They are read once, and each access copies them, so that changing them changes no table.
        Sparse rows, which take much memory for their few cells, are read at each access.

        Raises:
            SerializeError: A number in the data is NaN or infinite, which JSON cannot send.
        """
        rows = self._kept_rows
        if self._is_sparse:
            # These are not kept: the first ones are given away, and then read again.
            self.__dict__.pop("_kept_rows")
            return rows
        nested = self._nested
        copies: list[dict[str, Any]] = []
        for row in rows:
            copied = row.copy()
            for name in nested:
                copied[name] = _copied(row[name])
            copies.append(copied)
        return copies

    @cached_property
    def _kept_rows(self) -> list[dict[str, Any]]:
        return rows_of(self.message)

    @cached_property
    def _is_sparse(self) -> bool:
        return any(isinstance(row, SparseRow) for row in self._kept_rows)

    @cached_property
    def _nested(self) -> list[str]:
        # The columns that hold a list or an object. Mostly there are none, and rows copy quickly.
        rows = self._kept_rows
        names = rows[0] if rows else ()
        containers = {list, dict}
        return [name for name in names if containers & {type(row[name]) for row in rows}]

    @property
    def formatted_rows(self) -> list[dict[str, Any]]:
        """The rows as they are formatted for people, or none; see `formatted_rows_of`."""
        return formatted_rows_of(self.message)

    @property
    def column_types(self) -> tuple[TableColumn, ...]:
        """The columns with the API's types and those of `to_arrow`.

        Raises:
            MissingExtra: pyarrow is not installed.

        >>> from turnwire import geminidataanalytics as gda
        >>> schema = gda.Schema(fields=[gda.Field(name="rides", type="INTEGER")])
        >>> Table(gda.DataResult(schema=schema)).column_types[0].arrow
        'int64'
        """
        return table_columns(self.message)

    def to_arrow(self, *, on_misfit: OnMisfit = "error") -> pyarrow.Table:
        """The table in Apache Arrow's form, with the types of google-cloud-bigquery.

        The columns are those of `column_types`; ``docs/conversational-analytics.md`` has the types.
        All are nullable. The API's type is in each field's metadata, under ``turnwire.type``. A
        column of a result without a schema is bool, string, int64 or double where all of its cells
        are of one kind, else the cells as JSON text.

        Args:
            on_misfit: The treatment of a cell that its column cannot hold: ``"error"``; ``"null"``;
                or ``"string"``, which makes the whole column text, as it came. The first one also
                refuses a cell of a column that the schema lacks.

        Raises:
            ParseError: A cell does not fit; ``path`` is its place, as for `rows_of`.
            SerializeError: A number in the data is NaN or infinite, which JSON cannot send.
            MissingExtra: pyarrow is not installed.
            ValueError: The option does not exist.

        >>> from turnwire import geminidataanalytics as gda
        >>> schema = gda.Schema(fields=[gda.Field(name="rides", type="INTEGER")])
        >>> result = gda.DataResult(schema=schema)
        >>> result.data.add()["rides"] = "9007199254740993"
        >>> Table(result).to_arrow()["rides"].to_pylist()
        [9007199254740993]
        """
        table: pyarrow.Table = arrow_table(self.message, on_misfit)
        return table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Exports the table through Arrow's C interface: to polars, pandas, pyarrow and DuckDB."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(
        self,
        *,
        on_misfit: OnMisfit = "error",
        types_mapper: Callable[[pyarrow.DataType], Any] | None = None,
    ) -> pandas.DataFrame:
        """The table as a frame of pandas, every value exact.

        Integers are ``Int64`` and booleans ``boolean``; decimals, dates, times and bytes have
        Arrow's types, decimals those of 256 bits, with which sums, products and quotients are
        exact; lists and records are the values of `rows`. All else has pandas' own types.
        ``docs/conversational-analytics.md`` has the table of types.

        Args:
            on_misfit: As for `to_arrow`.
            types_mapper: Returns the pandas type of an Arrow type of `to_arrow`, such as
                ``pandas.ArrowDtype``, or None for pandas' own one, which for decimals, dates, times
                and bytes is an object of Python. It decides for all columns.

        Raises:
            ParseError: As for `to_arrow`.
            MissingExtra: pandas or pyarrow is not installed.
        """
        frame: pandas.DataFrame = to_pandas(self.to_arrow(on_misfit=on_misfit), types_mapper)
        return frame

    def to_polars(self, *, on_misfit: OnMisfit = "error") -> polars.DataFrame:
        """The table as a frame of polars.

        Polars has decimals of 38 digits: a BIGNUMERIC column is one of them where that is exact,
        and text else.

        Args:
            on_misfit: As for `to_arrow`.

        Raises:
            ParseError: As for `to_arrow`.
            MissingExtra: polars or pyarrow is not installed.
        """
        frame: polars.DataFrame = to_polars(self.to_arrow(on_misfit=on_misfit))
        return frame

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the cells as they came as a CSV file in UTF-8; null is empty, nested cells JSON.

        Raises:
            OSError: The file cannot be written; the one that stood there before still does.
        """
        write_csv(self.columns, text_rows(self.message), path)

    def to_parquet(self, path: str | os.PathLike[str], *, on_misfit: OnMisfit = "error") -> None:
        """Writes the table of `to_arrow` as a Parquet file.

        Args:
            path: The file.
            on_misfit: As for `to_arrow`.

        Raises:
            ParseError: As for `to_arrow`.
            MissingExtra: pyarrow is not installed.
            OSError: The file cannot be written; the one that stood there before still does.
        """
        write_parquet(self.to_arrow(on_misfit=on_misfit), path)

    @property
    def for_display(self) -> bool:
        """Whether people should see it: it has rows, and is not one of the agent's samples."""
        return self.row_count > 0 and not self.name.endswith("_sample_values")

    def _shown(self) -> list[str]:
        # Without a schema it takes all rows to know the columns: the first one has to do.
        result = self.message
        columns = columns_of(DataResult(schema=result.schema, data=result.data[:1]))
        names = short_list_repr(columns)
        return [short_repr(self.name), f"columns={names}", f"rows={self.row_count}"]


def _copied(cell: Any) -> Any:
    """A copy of a cell; values other than lists and dicts cannot be changed."""
    if is_object(cell):
        return {name: _copied(member) for name, member in cell.items()}
    return [_copied(item) for item in cell] if is_list(cell) else cell
