"""The Arrow types that every engine has, and columns cast to them."""

from __future__ import annotations

from typing import Any

from turnwire.arrow._options import pyarrow

_SIGNED = {"uint8": "int16", "uint16": "int32", "uint32": "int64", "halffloat": "float32"}


def portable_schema(schema: Any) -> Any:
    """Returns a schema with types that Spark reads.

    Times have microseconds, and durations are integers of nanoseconds. Unsigned integers have a
    wider signed type; ``uint64`` is a decimal of 20 digits. Times of day and decimals beyond 38
    digits are text.
    """
    pa = pyarrow()
    return pa.schema([_portable_field(field) for field in schema])


def to_portable(batch: Any, schema: Any) -> Any:
    """Returns a batch in the portable form of its schema; times are cut to microseconds."""
    if batch.schema.equals(schema):
        return batch
    columns = zip(batch.columns, schema, strict=True)
    arrays = [array.cast(field.type, safe=False) for array, field in columns]
    return pyarrow().RecordBatch.from_arrays(arrays, schema=schema)


def _portable_field(field: Any) -> Any:
    return pyarrow().field(field.name, _portable_type(field.type))


def _portable_type(kind: Any) -> Any:
    pa = pyarrow()
    types = pa.types
    if types.is_dictionary(kind):
        return _portable_type(kind.value_type)
    if types.is_struct(kind):
        return pa.struct([_portable_field(field) for field in kind])
    if types.is_map(kind):
        return pa.map_(_portable_type(kind.key_type), _portable_type(kind.item_type))
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return pa.list_(_portable_type(kind.value_type))
    if types.is_timestamp(kind):
        return pa.timestamp("us", "UTC" if kind.tz else None)
    if types.is_duration(kind):
        return pa.int64()
    if types.is_uint64(kind):
        return pa.decimal128(20, 0)
    if types.is_large_string(kind) or types.is_string_view(kind):
        return pa.string()
    if types.is_large_binary(kind) or types.is_binary_view(kind):
        return pa.binary()
    if types.is_date64(kind):
        return pa.date32()
    if types.is_time(kind) or types.is_decimal256(kind):
        return pa.string()
    return pa.type_for_alias(_SIGNED[str(kind)]) if str(kind) in _SIGNED else kind
