"""JSON values to wire text: one reader per message type, compiled from its descriptor.

A reader takes a JSON value and gives the message in wire text. Its bytes are then parsed by
protobuf's own C code, which is far quicker than setting one attribute after another, and which
has the last word on the content of a message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from turnwire.protojson._caches import make_room
from turnwire.protojson._pure import _types
from turnwire.protojson._pure._problem import Problem, too_deep
from turnwire.protojson._pure._reading import Reading
from turnwire.protojson._pure._scalars import ScalarReader, map_key_reader, scalar_reader
from turnwire.protojson._pure._structs import read_struct, read_structs
from turnwire.protojson._pure._values import as_array, as_object, check_key
from turnwire.protojson._pure._wellknown import wellknown_reader
from turnwire.protojson._pure._wire import (
    END_GROUP,
    LENGTH_DELIMITED,
    MAX_PIECES,
    ONE_BYTE,
    START_GROUP,
    delimited,
    tag,
    varint,
)

MessageReader = Callable[[Any, Reading, int], str | None]
"""Takes a JSON value, the reading, and the depth at which the message stands."""

_FieldWriter = Callable[[Any, Reading, int], str | None]


class FieldReader:
    """The reader of one field, under one spelling of its name."""

    __slots__ = ("name", "oneof", "other_spelling", "takes_null", "write")

    def __init__(
        self,
        field: FieldDescriptor,
        write: _FieldWriter,
        other_spelling: str | None,
    ) -> None:
        self.name = field.full_name
        self.write = write
        self.oneof = field.containing_oneof.name if field.containing_oneof else None
        # Only the second spelling looks for the first: one look is enough to find both.
        self.other_spelling = other_spelling
        self.takes_null = not field.is_repeated and _means_null(field)


def _means_null(field: FieldDescriptor) -> bool:
    """Returns whether JSON null is a value of the field rather than its absence."""
    if field.message_type is not None:
        return field.message_type.full_name == "google.protobuf.Value"
    if field.enum_type is not None:
        return field.enum_type.full_name == "google.protobuf.NullValue"
    return False


_MAX_READERS = 512
_readers: dict[Descriptor, MessageReader] = {}
_extensions: dict[FieldDescriptor, FieldReader] = {}


def message_reader(descriptor: Descriptor) -> MessageReader:
    """Returns the reader of a message type, compiled on first use."""
    # Two threads may compile the same type; either reader will do.
    return _readers.get(descriptor) or _Compiler().finish(descriptor)


def _extension_reader(extension: FieldDescriptor) -> FieldReader:
    reader = _extensions.get(extension)
    if reader is None:
        compiler = _Compiler()
        reader = FieldReader(extension, compiler.field_writer(extension), None)
        compiler.publish()
        make_room(_extensions, _MAX_READERS)
        _extensions[extension] = reader
    return reader


class _Compiler:
    """Compiles a message type and all that it reaches; other threads see them when all are done."""

    def __init__(self) -> None:
        self._tables: dict[Descriptor, dict[str, FieldReader]] = {}
        self._done: dict[Descriptor, MessageReader] = {}
        self._waiting: list[Descriptor] = []

    def finish(self, descriptor: Descriptor) -> MessageReader:
        reader = self._reader_of(descriptor)
        self.publish()
        return reader

    def publish(self) -> None:
        while self._waiting:
            descriptor = self._waiting.pop()
            table = self._tables[descriptor]
            writers = {field: self.field_writer(field) for field in descriptor.fields}
            names = _types.fields_by_name(descriptor)
            for name, field in names.items():
                is_second = name != field.json_name and names[field.json_name] == field
                other_spelling = field.json_name if is_second else None
                table[name] = FieldReader(field, writers[field], other_spelling)
        for descriptor, reader in self._done.items():
            make_room(_readers, _MAX_READERS)
            _readers[descriptor] = reader

    def _reader_of(self, descriptor: Descriptor) -> MessageReader:
        reader = self._done.get(descriptor) or _readers.get(descriptor)
        if reader is None:
            reader = wellknown_reader(descriptor, message_reader)
            if reader is None:
                # The table is filled later: message types may contain themselves.
                table = self._tables[descriptor] = {}
                self._waiting.append(descriptor)
                reader = _object_reader(descriptor, table)
            self._done[descriptor] = reader
        return reader

    def field_writer(self, field: FieldDescriptor) -> _FieldWriter:
        if field.message_type is not None:
            entry = _types.entry_fields(field)
            if entry is not None:
                return self._map_writer(field, *entry)
            read = self._reader_of(field.message_type)
            if field.is_repeated:
                return _repeated_message_writer(field, read)
            return _message_writer(field, read)
        read_scalar = scalar_reader(field)
        if not field.is_repeated:
            return _scalar_writer(field, read_scalar)
        return _repeated_scalar_writer(field, read_scalar)

    def _map_writer(
        self, field: FieldDescriptor, key_field: FieldDescriptor, value_field: FieldDescriptor
    ) -> _FieldWriter:
        read_key = map_key_reader(key_field)
        write_value = self.field_writer(value_field)
        start = tag(field.number, LENGTH_DELIMITED)

        def write(value: Any, reading: Reading, depth: int) -> str:
            if type(value) is not dict:
                value = as_object(value)
            if value and depth + 1 > reading.max_depth:
                raise too_deep(reading.max_depth)
            out: list[str] = []
            seen: set[str] = set()
            key = ""
            try:
                for key, item in value.items():
                    check_key(key)
                    key_text = read_key(key)
                    # "0" and "-0" are two JSON keys and one map key.
                    if key_text in seen:
                        raise Problem("duplicate", "two keys of a map are equal")
                    seen.add(key_text)
                    value_text = write_value(item, reading, depth + 1)
                    if value_text is None:
                        reading.leave_out(value, key, item)
                        continue
                    out.append(start + delimited(key_text + value_text))
            except Problem as problem:
                raise problem.at(key) from None
            return "".join(out)

        return write


def _object_reader(descriptor: Descriptor, fields: dict[str, FieldReader]) -> MessageReader:
    message_name = descriptor.full_name
    pool = descriptor.file.pool
    find = fields.get

    def read(value: Any, reading: Reading, depth: int) -> str:
        if type(value) is not dict:
            value = as_object(value)
        out: list[str] = []
        oneofs: dict[str, str] | None = None
        key = ""
        field: FieldReader | None = None
        try:
            for key, item in value.items():
                field = find(key)
                if field is None:
                    check_key(key)
                    extension = _types.extension_named(key, message_name, reading.pool, pool)
                    if extension is None:
                        reading.unknown_field(value, key, message_name)
                        continue
                    field = _extension_reader(extension)
                elif field.other_spelling is not None and field.other_spelling in value:
                    reason = f"the field is given twice, also as {field.other_spelling}"
                    raise Problem("duplicate", reason)
                if item is None and not field.takes_null:
                    continue
                if field.oneof is not None:
                    if oneofs is None:
                        oneofs = {field.oneof: key}
                    elif field.oneof in oneofs:
                        reason = (
                            f"at most one member of the oneof {field.oneof} may be set, "
                            f"and {oneofs[field.oneof]} is"
                        )
                        raise Problem("oneof", reason)
                    else:
                        oneofs[field.oneof] = key
                written = field.write(item, reading, depth)
                if written is None:
                    reading.leave_out(value, key, item)
                else:
                    out.append(written)
        except Problem as problem:
            # A problem outside of the fields has placed itself already.
            if field is None:
                raise
            raise problem.within(key, field.name) from None
        return "".join(out)

    return read


def _message_writer(field: FieldDescriptor, read: MessageReader) -> _FieldWriter:
    if field.type == FieldDescriptor.TYPE_GROUP:
        start, end = tag(field.number, START_GROUP), tag(field.number, END_GROUP)
    else:
        start, end = tag(field.number, LENGTH_DELIMITED), None

    def write(value: Any, reading: Reading, depth: int) -> str | None:
        if depth >= reading.max_depth:
            raise too_deep(reading.max_depth)
        body = read(value, reading, depth + 1)
        if body is None:
            return None
        if end is not None:
            return start + body + end
        size = len(body)
        return start + (ONE_BYTE[size] if size < 128 else varint(size)) + body

    return write


def _repeated_message_writer(field: FieldDescriptor, read: MessageReader) -> _FieldWriter:
    if read is not read_struct or field.type == FieldDescriptor.TYPE_GROUP:
        return _repeated_writer(_message_writer(field, read))
    # The rows of a result: a separate loop saves two calls for each of them.
    start = tag(field.number, LENGTH_DELIMITED)

    def write(value: Any, reading: Reading, depth: int) -> str:
        if depth >= reading.max_depth and value:
            raise too_deep(reading.max_depth)
        rows = value if type(value) is list else as_array(value)
        return read_structs(rows, reading, depth + 1, start)

    return write


def _repeated_writer(write_one: _FieldWriter) -> _FieldWriter:
    def write(value: Any, reading: Reading, depth: int) -> str:
        if type(value) is not list:
            value = as_array(value)
        out: list[str] = []
        joined: list[str] = []
        index = 0
        try:
            for index, item in enumerate(value):
                written = write_one(item, reading, depth)
                if written is None:
                    reading.leave_out(value, index, item)
                else:
                    out.append(written)
                    if len(out) == MAX_PIECES:
                        joined.append("".join(out))
                        out.clear()
        except Problem as problem:
            raise problem.at(index) from None
        return "".join((*joined, *out))

    return write


def _scalar_writer(field: FieldDescriptor, read: ScalarReader) -> _FieldWriter:
    start = tag(field.number, read.wire_type)
    payload = read.payload
    if field.type == FieldDescriptor.TYPE_STRING:
        # By far the most frequent kind of field.
        def write_string(value: Any, reading: Reading, depth: int) -> str | None:
            if type(value) is str and len(value) < 128 and value.isascii():
                return start + ONE_BYTE[len(value)] + value
            body = payload(value, reading)
            return None if body is None else start + body

        return write_string

    def write(value: Any, reading: Reading, depth: int) -> str | None:
        body = payload(value, reading)
        return None if body is None else start + body

    return write


def _repeated_scalar_writer(field: FieldDescriptor, read: ScalarReader) -> _FieldWriter:
    if not read.packable:
        return _repeated_writer(_scalar_writer(field, read))
    start = tag(field.number, LENGTH_DELIMITED)
    payload = read.payload
    elements = _repeated_writer(lambda value, reading, _: payload(value, reading))

    def write(value: Any, reading: Reading, depth: int) -> str:
        body = elements(value, reading, depth)
        return start + delimited(body) if body else ""

    return write
