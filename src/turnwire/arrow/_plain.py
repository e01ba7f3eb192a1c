"""Python values of Arrow arrays, times and durations as integers of nanoseconds.

pyarrow's conversion makes datetimes, which end at microseconds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from turnwire.arrow._options import pyarrow

_NANOS_OF_UNIT = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def plain_values(array: Any) -> list[Any]:
    """Returns the values of an array: dicts, lists, pairs of a map, and scalars."""
    types = pyarrow().types
    kind = array.type
    if isinstance(kind, pyarrow().BaseExtensionType):
        return plain_values(array.storage)
    if types.is_dictionary(kind):
        values = plain_values(array.dictionary)
        return [None if index is None else values[index] for index in array.indices.to_pylist()]
    if types.is_struct(kind):
        return _dicts(array)
    if types.is_map(kind):
        return _lists(array, lambda part: list(zip(*map(plain_values, part), strict=True)))
    if types.is_list(kind) or types.is_large_list(kind):
        return _lists(array, lambda part: plain_values(part[0]))
    if types.is_fixed_size_list(kind) or types.is_list_view(kind) or types.is_large_list_view(kind):
        return [None if item is None else plain_values(item) for item in _items(array)]
    if types.is_timestamp(kind) or types.is_duration(kind):
        factor = _NANOS_OF_UNIT[kind.unit]
        integers = array.cast(pyarrow().int64()).to_pylist()
        return [None if value is None else value * factor for value in integers]
    return list(array.to_pylist())


def _dicts(array: Any) -> list[Any]:
    names = [field.name for field in array.type]
    # Unlike field(), flatten() regards the slice and the nulls of the struct.
    columns = [plain_values(child) for child in array.flatten()]
    rows: list[Any] = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    return _with_nulls(array, rows if names else [{}] * len(array))


def _lists(array: Any, plain: Any) -> list[Any]:
    """Returns the lists of an array.

    Args:
        array: The lists or maps.
        plain: Returns the values of the children, which are one array, or the keys and the items.
    """
    is_map = pyarrow().types.is_map(array.type)
    offsets = array.offsets.to_pylist()
    start, length = offsets[0], offsets[-1] - offsets[0]
    # The children are those of the whole array, of which this one may be a slice.
    children = (array.keys, array.items) if is_map else (array.values,)
    values = plain([child.slice(start, length) for child in children])
    bounds = pairwise(offsets)
    return _with_nulls(array, [values[first - start : last - start] for first, last in bounds])


def _with_nulls(array: Any, values: list[Any]) -> list[Any]:
    if not array.null_count:
        return values
    valid = array.is_valid().to_pylist()
    return [value if is_valid else None for value, is_valid in zip(values, valid, strict=True)]


def _items(array: Any) -> list[Any]:
    return [scalar.values for scalar in array]
