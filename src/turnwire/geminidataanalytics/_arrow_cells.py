"""The Arrow type of a column's shape, and cells that fit it.

A cell comes as `rows_of` types it, save that JSON stays text and a NUMBER is a float.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Final

from turnwire.arrow._options import pyarrow
from turnwire.errors import excerpt
from turnwire.geminidataanalytics import _scalars
from turnwire.geminidataanalytics._cells import Misfit, cast_for, described
from turnwire.geminidataanalytics._column_types import TYPE_BY_NAME
from turnwire.geminidataanalytics._shapes import Shape

_CLASSES: Final = {
    "int64": int,
    "double": float,
    "decimal128(38, 9)": Decimal,
    "decimal256(76, 38)": Decimal,
    "bool": bool,
    "date32[day]": date,
    "time64[us]": time,
    "timestamp[us]": datetime,
    "timestamp[us, tz=UTC]": datetime,
    "binary": bytes,
    "string": str,
}
"""The class of the cells of each Arrow type of one value."""

_RANGE: Final = re.compile(r"\[(?P<start>[^,]+), ?(?P<end>[^,]+)\)")
_JSON: Final = TYPE_BY_NAME["JSON"]
_NUMBER: Final = TYPE_BY_NAME["NUMBER"]
_TIMESTAMP: Final = TYPE_BY_NAME["TIMESTAMP"]
_UNBOUNDED: Final = frozenset({"UNBOUNDED", "NULL"})


def text_of(cell: Any) -> str | None:
    """Returns a plain JSON value as text: a string as it is, anything else as JSON."""
    if cell is None or isinstance(cell, str):
        return cell
    return json.dumps(cell, ensure_ascii=False, separators=(",", ":"))


def scalar_class(kind: Any) -> type | None:
    """Returns the class of the cells of an Arrow type; None for lists and structs."""
    return _CLASSES.get(str(kind))


def arrow_type_of(shape: Shape) -> Any:
    """Returns the Arrow type of a shape; text where the type is unknown."""
    pa = pyarrow()
    if shape.items is not None:
        return pa.list_(arrow_type_of(shape.items))
    if shape.bounds is not None:
        bound = arrow_type_of(shape.bounds)
        return pa.struct([("start", bound), ("end", bound)])
    if shape.members:
        return pa.struct([(name, arrow_type_of(member)) for name, member in shape.members])
    return _scalar_types()[shape.scalar.arrow if shape.scalar is not None else "string"]


def _scalar_types() -> dict[str, Any]:
    pa = pyarrow()
    kinds = (
        *(pa.int64(), pa.float64(), pa.bool_(), pa.string(), pa.binary(), pa.date32()),
        *(pa.decimal128(38, 9), pa.decimal256(76, 38), pa.time64("us")),
        *(pa.timestamp("us"), pa.timestamp("us", "UTC")),
    )
    return {str(kind): kind for kind in kinds}


def exact_shape(shape: Shape) -> Shape:
    """Returns the shape whose casts give cells for Arrow."""
    if shape.items is not None:
        return shape._replace(items=exact_shape(shape.items))
    if shape.bounds is not None:
        return shape._replace(bounds=exact_shape(shape.bounds))
    if shape.members:
        members = tuple((name, exact_shape(member)) for name, member in shape.members)
        return shape._replace(members=members)
    if shape.is_record or shape.scalar is _JSON:
        return Shape(shape.name)
    if shape.scalar is _NUMBER:
        return shape._replace(scalar=_NUMBER._replace(cast=_exact_double, form="exact_double"))
    if shape.scalar is _TIMESTAMP:
        return shape._replace(scalar=_TIMESTAMP._replace(cast=_instant_in_utc))
    return shape


def form_of(shape: Shape) -> Any:
    """Returns the promise of the cells of a shape, of `exact_shape`, for `print_columns`."""
    if shape.items is not None:
        return [form_of(shape.items)]
    if shape.members:
        return {name: form_of(member) for name, member in shape.members}
    if shape.scalar is not None:
        return shape.scalar.form or "python"
    if shape.name in _JSON.names:
        return "json"
    return "python" if shape.bounds is not None else None


def _fit_json(value: Any) -> str | None:
    try:
        _JSON.cast(value)
    except ValueError:
        raise Misfit(f"expected JSON, got {described(value)}") from None
    return text_of(value)


def _exact_double(value: Any) -> float:
    number = _scalars.decimal(value)
    found = float(number)
    # The digits of a double are its shortest ones: 0.1 is one, and 2**53 + 1 is not.
    if Decimal(repr(found)) != number:
        raise ValueError
    return found


def _instant_in_utc(value: Any) -> datetime:
    # An offset may lead out of the years 1 to 9999, which Python and BigQuery end at.
    return _scalars.instant(value).astimezone(UTC)


def fitter(shape: Shape, *, strict: bool) -> Callable[[Any], Any]:
    """Returns the function that turns a cell, which is not None, into a value for pyarrow.

    Args:
        shape: The shape, of `exact_shape`.
        strict: Whether a value that does not fit is a `Misfit`, or None in its place.
    """
    if shape.items is not None:
        fit = _list_fitter(shape.items, strict)
    elif shape.bounds is not None:
        fit = _range_fitter(shape.bounds, strict)
    elif shape.members:
        fit = _record_fitter(shape, strict)
    elif shape.scalar is None:
        fit = _fit_json if shape.name in _JSON.names else text_of
    else:
        fit = _scalar_fitter(shape)
    return fit if strict else _or_none(fit)


def _or_none(fit: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def fit_or_none(cell: Any) -> Any:
        try:
            return fit(cell)
        except Misfit:
            return None

    return fit_or_none


def _scalar_fitter(shape: Shape) -> Callable[[Any], Any]:
    pa = pyarrow()
    kind = arrow_type_of(shape)
    expected = scalar_class(kind)

    def fit(cell: Any) -> Any:
        if type(cell) is not expected:
            raise Misfit(f"expected {shape.name}, got {described(cell)}")
        if expected is Decimal and not cell:
            return Decimal()  # pyarrow takes 0E+50 for a number of 51 digits
        try:
            pa.scalar(cell, kind)
        except (pa.ArrowException, OverflowError, ValueError):
            raise Misfit(f"expected {shape.name}, got {cell}, which {kind} cannot hold") from None
        return cell

    return fit


def _list_fitter(items: Shape, strict: bool) -> Callable[[Any], Any]:
    fit_one = fitter(items, strict=strict)

    def fit(cell: Any) -> Any:
        if not isinstance(cell, list):
            raise Misfit(f"expected a list, got {described(cell)}")
        fitting: list[Any] = []
        for index, item in enumerate(cell):
            try:
                fitting.append(None if item is None else fit_one(item))
            except Misfit as misfit:
                raise misfit.below(index) from None
        return fitting

    return fit


def _record_fitter(shape: Shape, strict: bool) -> Callable[[Any], Any]:
    fits = {name: fitter(member, strict=strict) for name, member in shape.members}

    def fit(cell: Any) -> Any:
        if not isinstance(cell, dict):
            raise Misfit(f"expected an object, got {described(cell)}")
        fitting: dict[str, Any] = {}
        for name, fit_one in fits.items():
            try:
                value = cell.get(name)
                fitting[name] = None if value is None else fit_one(value)
            except Misfit as misfit:
                raise misfit.below(name) from None
        return fitting

    return fit


def _range_fitter(bound: Shape, strict: bool) -> Callable[[Any], Any]:
    cast, fit_one = cast_for(bound, strict=True), fitter(bound, strict=strict)

    def fit_bound(text: str) -> Any:
        return None if text in _UNBOUNDED else fit_one(cast(text))

    def fit(cell: Any) -> Any:
        match = _RANGE.fullmatch(cell) if isinstance(cell, str) else None
        if match is None:
            form = f"got {excerpt(cell) if isinstance(cell, str) else described(cell)}"
            raise Misfit(f"expected a RANGE such as [2025-01-01, UNBOUNDED), {form}")
        return {"start": fit_bound(match["start"]), "end": fit_bound(match["end"])}

    return fit
