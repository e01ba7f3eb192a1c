"""Finds required fields that are not set, which proto2 and editions can declare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from turnwire.protojson._pure._problem import Problem
from turnwire.protojson._pure._scalars import map_key_printer
from turnwire.protojson._pure._types import entry_fields


def check_required(message: Any) -> None:
    """Raises a Problem for the first required field that a message or one inside of it lacks."""
    descriptor: Descriptor = message.DESCRIPTOR
    for field in descriptor.fields:
        if field.is_required and not message.HasField(field.name):
            problem = Problem("required", "the field is required and not set")
            raise problem.within(field.json_name, field.full_name)
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for step, held in _held(field, value):
            try:
                check_required(held)
            except Problem as problem:
                key = f"[{field.full_name}]" if field.is_extension else field.json_name
                placed = problem if step is None else problem.at(step)
                raise placed.within(key, field.full_name) from None


def _held(field: FieldDescriptor, value: Any) -> Iterator[tuple[str | int | None, Any]]:
    """Iterates over the messages in a field, with the step that leads to each below the field."""
    entry = entry_fields(field)
    if entry is None:
        yield from enumerate(value) if field.is_repeated else ((None, value),)
    elif entry[1].message_type is not None:
        print_key = map_key_printer(entry[0])
        for key, held in value.items():
            yield print_key(key), held
