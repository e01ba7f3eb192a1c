"""Python values of Arrow arrays, times and durations as integers of nanoseconds.

pyarrow's own conversion makes datetimes, which end at microseconds.
"""

from __future__ import annotations

from typing import Any

from turnwire.arrow._options import pyarrow

_NANOS_OF_UNIT = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def plain_values(array: Any) -> list[Any]:
    """Returns the values of an array: dicts, lists, pairs of a map, and scalars."""
    types = pyarrow().types
    kind = array.type
    if types.is_dictionary(kind):
        return plain_values(array.dictionary_decode())
    if types.is_struct(kind):
        return _dicts(array)
    if types.is_map(kind):
        return _lists(array, list(zip(plain_values(array.keys), plain_values(array.items))))
    if types.is_list(kind) or types.is_large_list(kind):
        return _lists(array, plain_values(array.values))
    if types.is_timestamp(kind) or types.is_duration(kind):
        factor = _NANOS_OF_UNIT[kind.unit]
        integers = array.cast(pyarrow().int64()).to_pylist()
        return [None if value is None else value * factor for value in integers]
    return list(array.to_pylist())


def _dicts(array: Any) -> list[Any]:
    names = [field.name for field in array.type]
    # A slice of a struct does not move its children.
    columns = [plain_values(child) for child in array.flatten()]
    rows: list[Any] = [dict(zip(names, row)) for row in zip(*columns)] or [{}] * len(array)
    if array.null_count:
        return [row if valid else None for row, valid in zip(rows, array.is_valid().to_pylist())]
    return rows


def _lists(array: Any, values: list[Any]) -> list[Any]:
    offsets = array.offsets.to_pylist()
    lists: list[Any] = [values[start:end] for start, end in zip(offsets, offsets[1:])]
    if array.null_count:
        valid = array.is_valid().to_pylist()
        return [found if is_valid else None for found, is_valid in zip(lists, valid)]
    return lists
