"""Rows of very many columns that have few of them."""

from __future__ import annotations

from typing import Any, Final

_MIN_COLUMNS: Final = 64
_MAX_COLUMNS_PER_CELL: Final = 8


class SparseRow(dict[str, Any]):
    """A row that holds only its own cells; any other column is None when it is asked for.

    With all columns spelled out, rows of few cells would take memory beyond any bound: columns
    times rows, however short the input is.

    >>> row = SparseRow(a=1)
    >>> row["a"], row["b"], list(row)
    (1, None, ['a'])
    """

    __slots__ = ()

    def __missing__(self, name: str) -> None:
        return None

    def copy(self) -> SparseRow:
        """Returns a copy, which is sparse as well."""
        return SparseRow(self)


def is_sparse(cell_count: int, column_count: int) -> bool:
    """Returns whether a row has so few of its columns that it is a `SparseRow`.

    That is one of more than 64 columns that has fewer than one in eight of them.
    """
    return column_count > _MIN_COLUMNS and cell_count * _MAX_COLUMNS_PER_CELL < column_count


def row_in_order(members: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The members as a row of these columns: absent ones are None, or absent in a `SparseRow`.

    Members that are complete and in order, as most are, become the row themselves.
    """
    if list(members) == names:
        return members
    if is_sparse(len(members), len(names)):
        return SparseRow(members)
    return {name: members.get(name) for name in names}
