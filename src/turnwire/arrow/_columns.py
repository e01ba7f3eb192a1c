"""Columns of a message class: the Arrow type and the values of each field.

The values are Python's as pyarrow takes them: dicts, lists, pairs of a map, and integers for times
and durations in nanoseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.message import Message

from turnwire.arrow._misfits import Misfit
from turnwire.arrow._options import Options, pyarrow
from turnwire.protojson import to_json
from turnwire.protojson._pure._types import WRAPPERS, descriptor_of, entry_fields

_F = FieldDescriptor
NANOS = 10**9
"""The nanoseconds of a second."""

_MAX_INT64 = 2**63 - 1

JSON_TYPES = frozenset(
    f"google.protobuf.{name}" for name in ("Any", "FieldMask", "ListValue", "Struct", "Value")
)
"""The types whose columns hold their canonical JSON text."""


class Cell(NamedTuple):
    """The values of one field, singular or an element.

    Attributes:
        type: The Arrow type.
        take: Returns the value for pyarrow of a value of protobuf.
    """

    type: Any
    take: Callable[[Any], Any]


class Column(NamedTuple):
    """One column of a message.

    Attributes:
        name: The column's name: that of the field, or of a oneof with ``_case`` behind it.
        type: The Arrow type.
        take: Returns the value for pyarrow of a message.
    """

    name: str
    type: Any
    take: Callable[[Any], Any]


def columns_of(
    descriptor: Descriptor, options: Options, above: tuple[str, ...] = ()
) -> tuple[Column, ...]:
    """Returns the columns of a message type.

    Args:
        descriptor: The type.
        options: The options.
        above: The full names of the message types that the message stands in.

    Raises:
        ValueError: Two columns would have one name.
    """
    above = (*above, descriptor.full_name)
    columns = [_column(field, options, above) for field in descriptor.fields]
    columns += [_case_column(oneof) for oneof in real_oneofs(descriptor)]
    names = [column.name for column in columns]
    for oneof in real_oneofs(descriptor):
        name = case_name(oneof)
        if names.count(name) > 1:
            raise ValueError(
                f"the column {name} of the oneof {oneof.full_name} has the name of a field of "
                f"{descriptor.full_name}"
            )
    return tuple(columns)


def struct_cell(descriptor: Descriptor, columns: tuple[Column, ...]) -> Cell:
    """Returns the cell of a message with these columns."""
    pa = pyarrow()
    if not columns:
        # A struct without members cannot be written to Parquet.
        return Cell(pa.bool_(), lambda message: True)
    plain = [(column.name, column.take) for column in columns]

    def take(message: Any) -> dict[str, Any]:
        taken: dict[str, Any] = {}
        name = ""
        try:
            for name, take_one in plain:
                taken[name] = take_one(message)
        except Misfit as misfit:
            raise misfit.within(name) from None
        return taken

    fields = [pa.field(column.name, column.type) for column in columns]
    return Cell(pa.struct(fields), take)


def real_oneofs(descriptor: Descriptor) -> Iterator[OneofDescriptor]:
    """Yields the oneofs, but not those that stand for an ``optional`` of proto3."""
    for oneof in descriptor.oneofs:
        fields = oneof.fields
        if len(fields) != 1 or oneof.name != f"_{fields[0].name}":
            yield oneof


def case_name(oneof: OneofDescriptor) -> str:
    """Returns the name of the column that says which member of a oneof is set."""
    return f"{oneof.name}_case"


def _case_column(oneof: OneofDescriptor) -> Column:
    name = oneof.name
    return Column(case_name(oneof), pyarrow().string(), lambda message: message.WhichOneof(name))


def _column(field: FieldDescriptor, options: Options, above: tuple[str, ...]) -> Column:
    entry = entry_fields(field)
    if entry is not None:
        return _map_column(field, *entry, options, above)
    cell = _cell(field, options, above)
    name = field.name
    if field.is_repeated:
        return _list_column(field, cell)
    take_one = cell.take
    if not field.has_presence:
        return Column(name, cell.type, lambda message: take_one(getattr(message, name)))
    return Column(
        name,
        cell.type,
        lambda message: take_one(getattr(message, name)) if message.HasField(name) else None,
    )


def _list_column(field: FieldDescriptor, cell: Cell) -> Column:
    name, take_one = field.name, cell.take

    def take(message: Any) -> list[Any]:
        taken: list[Any] = []
        try:
            for value in getattr(message, name):
                taken.append(take_one(value))
        except Misfit as misfit:
            raise misfit.within(len(taken)) from None
        return taken

    return Column(name, pyarrow().list_(cell.type), take)


def _map_column(
    field: FieldDescriptor,
    key_field: FieldDescriptor,
    value_field: FieldDescriptor,
    options: Options,
    above: tuple[str, ...],
) -> Column:
    name = field.name
    key_type = _scalar_type(key_field)
    cell = _cell(value_field, options, above)
    take_one = cell.take

    def take(message: Any) -> list[tuple[Any, Any]]:
        held = getattr(message, name)
        taken: list[tuple[Any, Any]] = []
        key: Any = None
        try:
            for key in sorted(held):
                taken.append((key, take_one(held[key])))
        except Misfit as misfit:
            raise misfit.within(str(key)) from None
        return taken

    return Column(name, pyarrow().map_(key_type, cell.type), take)


def _cell(field: FieldDescriptor, options: Options, above: tuple[str, ...]) -> Cell:
    if field.message_type is not None:
        return message_cell(field.message_type, options, above)
    if field.enum_type is not None:
        return _enum_cell(field.enum_type, options)
    return Cell(_scalar_type(field), _same)


def message_cell(descriptor: Descriptor, options: Options, above: tuple[str, ...] = ()) -> Cell:
    """Returns the cell of a message type.

    Args:
        descriptor: The type.
        options: The options.
        above: The full names of the message types that the message stands in.
    """
    pa = pyarrow()
    name = descriptor.full_name
    if name in WRAPPERS:
        return Cell(_scalar_type(descriptor.fields_by_name["value"]), lambda message: message.value)
    if name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
        kind = pa.timestamp("ns", "UTC") if descriptor.name == "Timestamp" else pa.duration("ns")
        return _time_cell(kind, options)
    if name in JSON_TYPES or above.count(name) > options.recursion:
        return Cell(pa.string(), _json_text)
    return struct_cell(descriptor, columns_of(descriptor, options, above))


def _same(value: Any) -> Any:
    return value


def _json_text(message: Message) -> str:
    return to_json(message).decode()


def _time_cell(kind: Any, options: Options) -> Cell:
    is_strict = options.on_misfit == "error"

    def take(message: Any) -> int | None:
        nanos: int = message.seconds * NANOS + message.nanos
        if -_MAX_INT64 <= nanos <= _MAX_INT64:
            return nanos
        if is_strict:
            raise Misfit(f"{message.seconds} s and {message.nanos} ns do not fit {kind}")
        return None

    return Cell(kind, take)


def _enum_cell(enum: EnumDescriptor, options: Options) -> Cell:
    pa = pyarrow()
    kind = pa.dictionary(pa.int32(), pa.string()) if options.enums == "dictionary" else pa.string()
    names: dict[int, str] = {}
    for value in enum.values:
        # An alias is a second name of a number; the first one is written.
        names.setdefault(value.number, value.name)
    return Cell(kind, lambda number: names.get(number) or str(number))


def _scalar_type(field: FieldDescriptor) -> Any:
    return getattr(pyarrow(), _SCALAR_TYPES[field.type])()


_SCALAR_TYPES = {
    _F.TYPE_DOUBLE: "float64",
    _F.TYPE_FLOAT: "float32",
    _F.TYPE_BOOL: "bool_",
    _F.TYPE_STRING: "string",
    _F.TYPE_BYTES: "binary",
    **dict.fromkeys((_F.TYPE_INT32, _F.TYPE_SINT32, _F.TYPE_SFIXED32), "int32"),
    **dict.fromkeys((_F.TYPE_INT64, _F.TYPE_SINT64, _F.TYPE_SFIXED64), "int64"),
    **dict.fromkeys((_F.TYPE_UINT32, _F.TYPE_FIXED32), "uint32"),
    **dict.fromkeys((_F.TYPE_UINT64, _F.TYPE_FIXED64), "uint64"),
}
"""The Arrow type of each scalar type, by the name of its maker in pyarrow."""


def row_cell(message_class: type[Message], options: Options) -> Cell:
    """Returns the cell of whole messages.

    Raises:
        ValueError: The class has no columns: it is a well-known type that is one value.
    """
    descriptor = descriptor_of(message_class)
    cell = message_cell(descriptor, options)
    if not pyarrow().types.is_struct(cell.type):
        raise ValueError(f"{descriptor.full_name} has no fields that could be columns")
    return cell
