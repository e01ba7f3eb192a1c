"""A data result as a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from turnwire_schema.geminidataanalytics.v1.data_pb2 import DataResult

from turnwire._views import View, short_list_repr, short_repr
from turnwire.geminidataanalytics._plain import is_list, is_object
from turnwire.geminidataanalytics._rows import columns_of, formatted_rows_of, rows_of
from turnwire.geminidataanalytics._sparse import SparseRow


@dataclass(frozen=True, repr=False)  # no slots: the rows are kept once they were read
class Table(View):
    """One data result.

    Attributes:
        message: The result as it came.

    >>> from turnwire import geminidataanalytics as gda
    >>> result = gda.DataResult(name="rides_by_station")
    >>> result.data.add().update({"station": "Mill", "rides": 41})
    >>> Table(result)
    Table('rides_by_station', columns=['rides', 'station'], rows=1)
    """

    message: DataResult

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

        Raises:
            SerializeError: A number in the data is NaN or infinite, which JSON cannot send.
        """
        nested = self._nested
        rows: list[dict[str, Any]] = []
        for row in self._rows:
            copied = row.copy()
            for name in row if isinstance(row, SparseRow) else nested:
                copied[name] = _copied(row[name])
            rows.append(copied)
        return rows

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        return rows_of(self.message)

    @cached_property
    def _nested(self) -> list[str]:
        # The columns that hold a list or an object. Mostly there are none, and rows copy quickly.
        rows = [row for row in self._rows if not isinstance(row, SparseRow)]
        names = rows[0] if rows else ()
        containers = {list, dict}
        return [name for name in names if containers & {type(row[name]) for row in rows}]

    @property
    def formatted_rows(self) -> list[dict[str, Any]]:
        """The rows as they are formatted for people, or none; see `formatted_rows_of`."""
        return formatted_rows_of(self.message)

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
