"""Dictionaries of text in Arrow arrays.

pyarrow makes invalid dictionaries of values in a struct that is null, so dictionaries are encoded
after the array was made with plain text.
"""

from __future__ import annotations

from typing import Any

from turnwire.arrow._options import pyarrow


def plain_type(kind: Any) -> Any:
    """Returns a type with text where it has dictionaries."""
    pa = pyarrow()
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(plain_type(field.type)) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(kind.key_type, kind.item_field.with_type(plain_type(kind.item_type)))
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(plain_type(kind.value_type)))
    return kind


def encoded(array: Any, kind: Any) -> Any:
    """Returns an array of `plain_type` with the dictionaries of a type."""
    pa = pyarrow()
    if array.type == kind:
        return array
    if pa.types.is_dictionary(kind):
        return array.dictionary_encode()
    if pa.types.is_struct(kind):
        # Unlike field(), flatten() makes the members of a null struct null.
        children = zip(array.flatten(), kind, strict=True)
        members = [encoded(child, field.type) for child, field in children]
        return pa.StructArray.from_arrays(members, fields=list(kind), mask=array.is_null())
    if pa.types.is_map(kind):
        items = encoded(array.items, kind.item_type)
        return pa.MapArray.from_arrays(array.offsets, array.keys, items, kind)
    return pa.ListArray.from_arrays(array.offsets, encoded(array.values, kind.value_type), kind)
