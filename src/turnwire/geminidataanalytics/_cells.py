"""The cells of a table: which cast a column has, and what becomes of a cell that does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from turnwire_schema.geminidataanalytics.v1.schema_pb2 import Field

from turnwire.errors import Path, excerpt
from turnwire.geminidataanalytics import _scalars
from turnwire.geminidataanalytics._plain import is_list, is_object
from turnwire.protojson._columns import Cast, Column, Form, row_maker

# What these do with an ordinary cell, in the words of the core.
_FORMS: Final[dict[Callable[[Any], Any] | None, Form]] = {
    _scalars.integer: "integer",
    _scalars.floating: "double",
    _scalars.boolean: "boolean",
}


class Misfit(ValueError):
    """A cell does not fit its column's type. It never leaves this package."""

    def __init__(self, reason: str, path: Path = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path

    def below(self, step: str | int) -> Misfit:
        """The same misfit, seen from one level further up."""
        return Misfit(self.reason, (step, *self.path))


def cast_for(field: Field, *, strict: bool) -> Cast:
    """The cast of one column, chosen once for all of its cells.

    Args:
        field: The column, as the schema describes it.
        strict: Whether the cast raises `Misfit` for a cell that does not fit, or gives the cell
            back as it is.
    """
    type_name = field.type.upper()
    if type_name in ("RECORD", "STRUCT"):
        cast = record_cast(field.subfields, strict=strict)
    elif scalar := _scalars.BY_TYPE.get(type_name):
        # Text is what it was, and so is what does not fit.
        lenient = _unchanged if scalar is _scalars.string else scalar
        cast = _checked(type_name, scalar) if strict else lenient
    else:
        cast = _unchanged
    if field.mode.upper() == "REPEATED":
        cast = _list_cast(cast if strict else _forgiving(cast))
    return cast if strict or cast is _unchanged else _forgiving(cast)


def columns_for(fields: Iterable[Field], *, strict: bool) -> list[Column]:
    """The columns of an object by the fields, in their order; a name that comes twice counts once.

    Args:
        fields: The fields of a schema, or of a RECORD.
        strict: Whether the casts raise `Misfit`, as those of `cast_for`.
    """
    columns: dict[str, Column] = {}
    for field in fields:
        if field.name not in columns:
            cast = cast_for(field, strict=strict)
            scalar = _scalars.BY_TYPE.get(field.type.upper())
            form = None if field.mode.upper() == "REPEATED" else _FORMS.get(scalar)
            columns[field.name] = Column(field.name, None if cast is _unchanged else cast, form)
    return list(columns.values())


def record_cast(fields: Iterable[Field], *, strict: bool) -> Cast:
    """The cast of an object: its members by the fields, in their order; absent ones are None.

    Without fields the object stays as it is. When strict, a member that no field names is a misfit.
    """
    columns = columns_for(fields, strict=strict)
    if not columns:
        return _object
    if strict:
        return _strict_record_cast(columns)
    as_row = row_maker(columns)
    return lambda value: as_row(_object(value))


def _strict_record_cast(columns: list[Column]) -> Cast:
    names = {column.name for column in columns}

    def cast_strictly(value: Any) -> dict[str, Any]:
        members = _object(value)
        for name in members:
            if name not in names:
                raise Misfit("the schema has no such column", (name,))
        typed: dict[str, Any] = {}
        for name, cast, _ in columns:
            cell = members.get(name)
            try:
                typed[name] = cell if cell is None or cast is None else cast(cell)
            except Misfit as misfit:
                raise misfit.below(name) from None
        return typed

    return cast_strictly


def _list_cast(cast: Cast) -> Cast:
    def cast_items(value: Any) -> list[Any]:
        if not is_list(value):
            raise Misfit(f"expected a list, got {_described(value)}")
        typed: list[Any] = []
        for index, item in enumerate(value):
            try:
                typed.append(None if item is None else cast(item))
            except Misfit as misfit:
                raise misfit.below(index) from None
        return typed

    return cast_items


def _checked(type_name: str, scalar: Callable[[Any], Any]) -> Cast:
    def cast_or_refuse(value: Any) -> Any:
        try:
            return scalar(value)
        except (ValueError, ArithmeticError):
            raise Misfit(f"expected {type_name}, got {_described(value)}") from None

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
        raise Misfit(f"expected an object, got {_described(value)}")
    return value


def _described(value: Any) -> str:
    if isinstance(value, str):
        return f"string {excerpt(value)}"
    if isinstance(value, bool):
        return f"boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return f"number {value!r}"
    return "a list" if isinstance(value, list) else "an object"
