"""The cells of a table: which cast a column has, and what becomes of a cell that does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from turnwire_schema.geminidataanalytics.v1.schema_pb2 import Field

from turnwire.errors import Path, excerpt
from turnwire.geminidataanalytics import _scalars
from turnwire.geminidataanalytics._plain import is_list, is_object

Cast = Callable[[Any], Any]
"""Takes a cell that is not None and gives its typed value."""


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


def record_cast(fields: Iterable[Field], *, strict: bool) -> Cast:
    """The cast of an object: its members by the fields, in their order; absent ones are None.

    Without fields the object stays as it is. A field name that comes twice counts once. When
    strict, a member that no field names is a misfit.
    """
    casts: dict[str, Cast] = {}
    for field in fields:
        casts.setdefault(field.name, cast_for(field, strict=strict))
    columns = list(casts.items())
    names = list(casts)
    casting = [(name, cast) for name, cast in columns if cast is not _unchanged]

    def cast_members(value: Any) -> dict[str, Any]:
        members = _object(value)
        typed = members if list(members) == names else {name: members.get(name) for name in names}
        for name, cast in casting:
            if (cell := typed[name]) is not None:
                typed[name] = cast(cell)
        return typed

    def cast_strictly(value: Any) -> dict[str, Any]:
        members = _object(value)
        for name in members:
            if name not in casts:
                raise Misfit("the schema has no such column", (name,))
        typed: dict[str, Any] = {}
        for name, cast in columns:
            cell = members.get(name)
            try:
                typed[name] = None if cell is None else cast(cell)
            except Misfit as misfit:
                raise misfit.below(name) from None
        return typed

    if not columns:
        return _object
    return cast_strictly if strict else cast_members


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
