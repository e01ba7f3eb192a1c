"""The cells of a table: the cast of each column, and cells that do not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwire._plain_json import is_list, is_object
from turnwire.errors import Path, excerpt
from turnwire.geminidataanalytics._column_types import TEXT, ColumnType
from turnwire.geminidataanalytics._shapes import Shape
from turnwire.geminidataanalytics._sparse import SparseRow, row_in_order
from turnwire.protojson._columns import Cast, Column


class Misfit(ValueError):
    """A cell does not fit its column's type. It never leaves this package."""

    def __init__(self, reason: str, path: Path = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path

    def below(self, step: str | int) -> Misfit:
        """The same misfit, seen from one level further up."""
        return Misfit(self.reason, (step, *self.path))


def columns_for(shapes: Mapping[str, Shape], *, strict: bool) -> list[Column]:
    """The columns of these shapes, in their order.

    Args:
        shapes: The shape of each column by its name.
        strict: Whether the casts raise `Misfit` for a cell that does not fit, or return the cell
            as it is.
    """
    columns: list[Column] = []
    for name, shape in shapes.items():
        cast = cast_for(shape, strict=strict)
        form = None if shape.scalar is None else shape.scalar.form
        columns.append(Column(name, None if cast is _unchanged else cast, form))
    return columns


def cast_for(shape: Shape, *, strict: bool) -> Cast:
    """The cast of one column, chosen once for all of its cells."""
    if shape.items is not None:
        items = cast_for(shape.items, strict=strict)
        cast = _list_cast(items)
    elif shape.is_record:
        cast = record_cast(dict(shape.members), strict=strict)
    elif shape.scalar is not None:
        # Text stays as it is, and so does a cell that does not fit.
        lenient = _unchanged if shape.scalar is TEXT else shape.scalar.cast
        cast = _checked(shape.scalar, shape.name) if strict else lenient
    else:
        cast = _unchanged
    return cast if strict or cast is _unchanged else _forgiving(cast)


def record_cast(shapes: Mapping[str, Shape], *, strict: bool) -> Cast:
    """The cast of an object: its members in the order of the shapes; absent ones are None.

    Without shapes the object stays as it is. When strict, a member without a shape is a misfit.
    """
    columns = columns_for(shapes, strict=strict)
    if not columns:
        return _object
    names = [column.name for column in columns]
    known = frozenset(names)
    casts = {column.name: column.cast for column in columns if column.cast is not None}

    def cast_members(value: Any) -> dict[str, Any]:
        members = _object(value)
        if not members.keys() <= known:
            if strict:
                unknown = next(name for name in members if name not in known)
                raise Misfit("the schema has no such column", (unknown,))
            members = {name: cell for name, cell in members.items() if name in known}
        row = row_in_order(members, names)
        for name in list(row) if isinstance(row, SparseRow) else casts:
            cell = row[name]
            if cell is not None and (cast := casts.get(name)) is not None:
                try:
                    row[name] = cast(cell)
                except Misfit as misfit:
                    raise misfit.below(name) from None
        return row

    return cast_members


def _list_cast(cast: Cast) -> Cast:
    def cast_items(value: Any) -> list[Any]:
        if not is_list(value):
            raise Misfit(f"expected a list, got {described(value)}")
        typed: list[Any] = []
        for index, item in enumerate(value):
            try:
                typed.append(None if item is None else cast(item))
            except Misfit as misfit:
                raise misfit.below(index) from None
        return typed

    return cast_items


def _checked(scalar: ColumnType, name: str) -> Cast:
    def cast_or_refuse(value: Any) -> Any:
        try:
            return scalar.cast(value)
        except (ValueError, ArithmeticError):
            raise Misfit(f"expected {name}, got {described(value)}") from None

    return cast_or_refuse


def _forgiving(cast: Cast) -> Cast:
    def cast_or_keep(value: Any) -> Any:
        try:
            return cast(value)
        except (ValueError, ArithmeticError):
            return value

    return cast_or_keep


def _unchanged(value: Any) -> Any:
    return value


def _object(value: Any) -> dict[str, Any]:
    if not is_object(value):
        raise Misfit(f"expected an object, got {described(value)}")
    return value


def described(value: Any) -> str:
    """A cell in words, for errors."""
    if isinstance(value, str):
        return f"string {excerpt(value)}"
    if isinstance(value, bool):
        return f"boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return f"number {value!r}"
    return "a list" if isinstance(value, list) else "an object"
