"""Goes through a message and checks what the annotations of its fields promise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from turnwire._required import missing_fields_of, required_fields_of
from turnwire.check._resources import Names, names_of
from turnwire.check._violation import Severity, Violation
from turnwire.errors import Path, excerpt

Visit = Callable[[Message, Path], Iterator[Violation]]
"""Checks one message at its place, beyond its annotations."""

_REQUEST_ENDINGS = ("Request", "ClientMessage", "SessionInput", "SessionConfig", "ToolResponses")
_WELL_KNOWN = "google.protobuf."


class Visitor:
    """Checks messages and all that is in them.

    Args:
        visits: Further checks, by the full name of the messages that they take.
    """

    def __init__(self, visits: dict[str, Visit]) -> None:
        self._visits = visits
        self._severity: Severity = "error"
        self._visited = frozenset(visits)

    def violations(self, message: Message, path: Path = ()) -> Iterator[Violation]:
        """Yields the violations in a message, in the order of its fields.

        Required fields that are missing are errors in a request, which the client makes, and notes
        in an answer.
        """
        self._severity = "error" if is_request(message.DESCRIPTOR.name) else "note"
        yield from self._violations(message, path)

    def _violations(self, message: Message, path: Path) -> Iterator[Violation]:
        plan = plan_of(message.DESCRIPTOR, self._visited)
        if plan.has_required:
            yield from self._missing(message, path)
        if plan.is_visited:
            yield from self._visits[message.DESCRIPTOR.full_name](message, path)
        if not plan.fields:
            return
        for field, value in message.ListFields():
            held = plan.fields.get(field.number)
            if held is None:
                continue
            place = (*path, field.json_name)
            if held.names is not None:
                yield from _misnamed(value, held.names, place, field.is_repeated)
            elif held.is_map:
                for key, item in value.items():
                    yield from self._violations(item, (*place, str(key)))
            elif field.is_repeated:
                for index, item in enumerate(value):
                    yield from self._violations(item, (*place, index))
            else:
                yield from self._violations(value, place)

    def _missing(self, message: Message, path: Path) -> Iterator[Violation]:
        for field in missing_fields_of(message):
            if is_empty_value(message, field):
                continue
            reason = "the field is required and not set"
            yield Violation((*path, field.json_name), "required", self._severity, reason)


class Held(NamedTuple):
    """A field in which something is checked: its own names, or the messages in it."""

    names: Names | None
    is_map: bool


class Plan(NamedTuple):
    """The checks of one message type: of itself, and by number of its fields."""

    has_required: bool
    is_visited: bool
    fields: dict[int, Held]


@cache
def plan_of(descriptor: Descriptor, visited: frozenset[str]) -> Plan:
    """Returns the checks of a message type.

    Args:
        descriptor: The message type.
        visited: The full names of the message types that have further checks.
    """
    return Plan(
        has_required=bool(required_fields_of(descriptor)),
        is_visited=descriptor.full_name in visited,
        fields={
            field.number: Held(names_of(field), is_map=_is_map(field))
            for field in descriptor.fields
            if names_of(field) is not None
            or (field.message_type is not None and _leads_on(field.message_type, visited))
        },
    )


def is_request(type_name: str) -> bool:
    """Reports whether messages of a type are sent by a client.

    >>> is_request("RunSessionRequest"), is_request("SessionOutput")
    (True, False)
    """
    return type_name.endswith(_REQUEST_ENDINGS)


def is_empty_value(message: Message, field: FieldDescriptor) -> bool:
    """Reports whether a field is set to a value such as an empty Struct, which may be meant."""
    found = field.message_type
    if found is None or field.is_repeated or not found.full_name.startswith(_WELL_KNOWN):
        return False
    return message.HasField(field.name)


def _misnamed(value: Any, names: Names, path: Path, is_repeated: bool) -> Iterator[Violation]:
    for step, name in enumerate(value) if is_repeated else ((None, value),):
        if name and not names.expression.fullmatch(name):
            place = path if step is None else (*path, step)
            reason = f"expected {' or '.join(names.patterns)}, got {excerpt(name)}"
            yield Violation(place, "resource_name", "error", reason)


@cache
def _leads_on(descriptor: Descriptor, visited: frozenset[str]) -> bool:
    """Reports whether something is checked in messages of a type or in those inside of them."""
    return any(
        required_fields_of(each)
        or each.full_name in visited
        or any(names_of(field) is not None for field in each.fields)
        for each in reached_types(descriptor)
    )


@cache
def reached_types(descriptor: Descriptor) -> tuple[Descriptor, ...]:
    """Returns a message type and all types of messages that may be inside of it."""
    reached = {descriptor.full_name: descriptor}
    left = [descriptor]
    while left:
        for field in left.pop().fields:
            found = field.message_type
            if found is not None and found.full_name not in reached:
                reached[found.full_name] = found
                left.append(found)
    return tuple(reached.values())


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
