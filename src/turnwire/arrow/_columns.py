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
from turnwire.errors import SerializeError
from turnwire.protojson import to_dict, to_json
from turnwire.protojson._pure._types import WRAPPERS, descriptor_of, entry_fields

_F = FieldDescriptor
NANOS = 10**9
"""The nanoseconds of a second."""

# Its negative is the first time that is not pandas' and numpy's "not a time".
_MAX_INT64 = 2**63 - 1

_MAX_STRUCTS = 10_000
_MAX_LEVELS = 100
"""Protobuf reads as many levels of messages."""

TYPE_KEY = b"turnwire.type"
"""The key in a field's metadata for the message type whose JSON text a column holds."""

JSON_TYPES = frozenset(
    f"google.protobuf.{name}" for name in ("Any", "ListValue", "Struct", "Value")
)
"""The types whose columns hold their canonical JSON text."""

TIME_TYPES = frozenset(f"google.protobuf.{name}" for name in ("Duration", "Timestamp"))
"""The types whose columns hold nanoseconds."""


class Cell(NamedTuple):
    """The values of one field: all of it, or each of its elements.

    Attributes:
        type: The Arrow type.
        take: Returns the value for pyarrow of a value of protobuf.
        json: The full name of the message type whose JSON text it is.
    """

    type: Any
    take: Callable[[Any], Any]
    json: str | None = None

    def field(self, name: str) -> Any:
        """Returns the Arrow field of these values."""
        metadata = None if self.json is None else {TYPE_KEY: self.json.encode()}
        return pyarrow().field(name, self.type, metadata=metadata)


class Column(NamedTuple):
    """One column of a message.

    Attributes:
        arrow: The Arrow field. It is named for the field, or a oneof with ``_case`` behind it.
        take: Returns the value for pyarrow of a message.
    """

    arrow: Any
    take: Callable[[Any], Any]


def row_cell(message_class: type[Message], options: Options) -> Cell:
    """Returns the cell of whole messages.

    Raises:
        ValueError: The class has no columns: it has no fields, or is a well-known type that is one
            value.
    """
    descriptor = descriptor_of(message_class)
    cell = message_cell(descriptor, options)
    if not pyarrow().types.is_struct(cell.type):
        raise ValueError(
            f"{descriptor.full_name} has no columns; use a message that has a field of this type"
        )
    return cell


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
        inner = _scalar_cell(descriptor.fields_by_name["value"])
        return Cell(inner.type, lambda message: inner.take(message.value))
    if name in TIME_TYPES:
        if options.on_misfit == "string":
            return Cell(pa.string(), _time_text)
        return _time_cell(name, options)
    if name in JSON_TYPES or above.count(name) > options.recursion:
        return Cell(pa.string(), _json_text, name)
    return _struct_cell(descriptor, _columns_of(descriptor, options, (*above, name)))


def _columns_of(descriptor: Descriptor, options: Options, above: tuple[str, ...]) -> list[Column]:
    if options.structs is not None and next(options.structs) > _MAX_STRUCTS:
        raise ValueError(
            f"the schema would have more than {_MAX_STRUCTS:,} structs, at {descriptor.full_name}; "
            "choose a smaller recursion"
        )
    if len(above) > _MAX_LEVELS:
        raise ValueError(
            f"the schema would have more than {_MAX_LEVELS} levels, at {descriptor.full_name}; "
            "choose a smaller recursion"
        )
    columns = [_column(field, options, above) for field in descriptor.fields]
    for oneof in real_oneofs(descriptor):
        name = case_name(oneof)
        if name in descriptor.fields_by_name:
            clashing = descriptor.fields_by_name[name].full_name
            raise ValueError(
                f"the column {name} of the oneof {oneof.full_name} has the name of a field, "
                f"{clashing}; a message with both cannot be columns"
            )
        columns.append(_case_column(oneof))
    return columns


def _struct_cell(descriptor: Descriptor, columns: list[Column]) -> Cell:
    pa = pyarrow()
    plain = [(column.arrow.name, column.take) for column in columns]
    is_extendable = descriptor.is_extendable

    def take(message: Any) -> Any:
        if is_extendable:
            _refuse_extensions(message)
        taken: dict[str, Any] = {}
        name = ""
        try:
            for name, take_one in plain:
                taken[name] = take_one(message)
        except Misfit as misfit:
            raise misfit.within(name, f"{descriptor.full_name}.{name}") from None
        # A struct without members cannot be written to Parquet.
        return taken or True

    return Cell(pa.struct([column.arrow for column in columns]) if columns else pa.bool_(), take)


def _refuse_extensions(message: Message) -> None:
    for field, _ in message.ListFields():
        if field.is_extension:
            reason = f"the extension {field.full_name} is set, and extensions have no columns"
            raise Misfit(reason).within(f"[{field.full_name}]", field.full_name)


def real_oneofs(descriptor: Descriptor) -> Iterator[OneofDescriptor]:
    """Yields the oneofs, but not those that stand for an ``optional`` of proto3."""
    for oneof in descriptor.oneofs:
        fields = oneof.fields
        if len(fields) != 1 or oneof.name != f"_{fields[0].name}":
            yield oneof


def case_name(oneof: OneofDescriptor) -> str:
    """Returns the name of the column with the name of the member of a oneof that is set."""
    return f"{oneof.name}_case"


def _case_column(oneof: OneofDescriptor) -> Column:
    pa = pyarrow()
    name = oneof.name
    arrow = pa.field(case_name(oneof), pa.string())
    return Column(arrow, lambda message: message.WhichOneof(name))


def _column(field: FieldDescriptor, options: Options, above: tuple[str, ...]) -> Column:
    entry = entry_fields(field)
    if entry is not None:
        return _map_column(field, *entry, options, above)
    cell = _cell(field, options, above)
    name = field.name
    if field.is_repeated:
        return _list_column(field, cell)
    take_one = cell.take
    arrow = cell.field(name)
    if not field.has_presence:
        return Column(arrow, lambda message: take_one(getattr(message, name)))
    return Column(
        arrow,
        lambda message: take_one(getattr(message, name)) if message.HasField(name) else None,
    )


def _list_column(field: FieldDescriptor, cell: Cell) -> Column:
    pa = pyarrow()
    name, take_one = field.name, cell.take

    def take(message: Any) -> list[Any]:
        taken: list[Any] = []
        try:
            for value in getattr(message, name):
                taken.append(take_one(value))
        except Misfit as misfit:
            raise misfit.within(len(taken)) from None
        return taken

    return Column(pa.field(name, pa.list_(cell.field("item"))), take)


def _map_column(
    field: FieldDescriptor,
    key_field: FieldDescriptor,
    value_field: FieldDescriptor,
    options: Options,
    above: tuple[str, ...],
) -> Column:
    pa = pyarrow()
    name = field.name
    key_type = _scalar_cell(key_field).type
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

    return Column(pa.field(name, pa.map_(key_type, cell.field("value"))), take)


def _cell(field: FieldDescriptor, options: Options, above: tuple[str, ...]) -> Cell:
    if field.message_type is not None:
        return message_cell(field.message_type, options, above)
    if field.enum_type is not None:
        return _enum_cell(field.enum_type, options)
    return _scalar_cell(field)


def _scalar_cell(field: FieldDescriptor) -> Cell:
    kind = getattr(pyarrow(), _SCALAR_TYPES[field.type])()
    return Cell(kind, _text if field.type == _F.TYPE_STRING else _same)


def _same(value: Any) -> Any:
    return value


def _text(value: Any) -> str:
    # A string of proto2 may hold anything; protobuf gives it as bytes if it is not UTF-8.
    if isinstance(value, str):
        return value
    raise Misfit("a string holds invalid UTF-8", kind="encoding")


def _json_text(message: Message) -> str:
    try:
        return to_json(message).decode()
    except SerializeError as error:
        raise Misfit.of(error) from None


def _time_text(message: Message) -> str:
    try:
        return str(to_dict(message))
    except SerializeError as error:
        raise Misfit.of(error) from None


def _time_cell(name: str, options: Options) -> Cell:
    pa = pyarrow()
    is_timestamp = name == "google.protobuf.Timestamp"
    kind = pa.timestamp("ns", "UTC") if is_timestamp else pa.duration("ns")
    is_strict = options.on_misfit == "error"

    def take(message: Any) -> int | None:
        seconds, nanos = message.seconds, message.nanos
        # Both parts of a duration have one sign. Other pairs would not come back as they are.
        lower = -NANOS if seconds <= 0 and not is_timestamp else -1
        upper = 1 if seconds < 0 and not is_timestamp else NANOS
        total: int = seconds * NANOS + nanos
        if lower < nanos < upper and -_MAX_INT64 <= total <= _MAX_INT64:
            return total
        if is_strict:
            reason = f"{seconds} s and {nanos} ns do not fit {kind}; see on_misfit"
            raise Misfit(reason, kind="range")
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
