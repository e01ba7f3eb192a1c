"""The rules as the core takes them, and the facts that it returns about lines without violation.

The core checks what the annotations of one message say, and leaves every line that may violate
them to Python. Of the other lines it collects what the rules about references need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from turnwire._required import may_be_missing, required_fields_of
from turnwire.check._fields import reached_types
from turnwire.check._resources import names_of
from turnwire.errors import Path


class Event(NamedTuple):
    """The part that a message type has in the rules about references.

    Attributes:
        kind: The name that the core has for it; ``""`` if it collects nothing.
        slots: The fields that belong to it, in the core's order; a dot leads into a field.
        doubtful: The fields whose content only Python checks.
    """

    kind: str
    slots: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()


class OpenCalls(NamedTuple):
    """The calls of a tool that wait for a response: `count` of them become `after(count)`."""

    name: str
    change: int
    floor: int
    needed: int
    """The count that responses without an id need at the start."""

    def after(self, count: int) -> int:
        """Returns the count at the end.

        >>> OpenCalls("t", -2, 0, 0).after(5), OpenCalls("t", -2, 0, 0).after(1)
        (3, 0)
        """
        return max(count + self.change, self.floor)


class Child(NamedTuple):
    """A tool call with a parent, and its place: of its line in the text, and in the message."""

    id: str
    parent: str
    start: int
    line: int
    number: int
    path: Path


class Outputs(NamedTuple):
    """Outputs of one turn that follow each other."""

    turn: int
    text_bytes: int
    is_last: bool


class Turn(NamedTuple):
    """The queries of a turn, and the results without one of them."""

    queries: list[str]
    unmatched: list[str]
    is_nameless: bool


class Facts(NamedTuple):
    """The facts of lines in which no rule about one message is violated.

    Attributes:
        session: The name with which they begin; ``""`` where nothing says it.
        calls: The number of tool calls.
        called: Their ids, each once, for `ids_of`.
        unmatched: The ids of tool responses that are not among them.
        tools: The calls of each tool that wait for a response, as an `OpenCalls`.
        children: The calls with a parent, each as a `Child`.
        outputs: The outputs, as `Outputs`.
        turns: The turn of an answer that was open at the start and, if another one began, the last
            one, each as a `Turn`.
        is_violated: Whether a turn between them has a result without a query.
    """

    session: str
    calls: int
    called: bytes
    unmatched: list[str]
    tools: list[OpenCalls]
    children: list[Child]
    outputs: list[Outputs]
    turns: list[Turn]
    is_violated: bool

    @classmethod
    def of_core(cls, values: tuple[Any, ...]) -> Facts:
        """Returns the facts that the core gives as plain tuples."""
        session, calls, called, unmatched, tools, children, outputs, turns, is_violated = values
        return cls(
            session,
            calls,
            called,
            unmatched,
            [OpenCalls(*each) for each in tools],
            [Child(*each) for each in children],
            [Outputs(*each) for each in outputs],
            [Turn(*each) for each in turns],
            is_violated,
        )


def ids_of(called: bytes) -> list[str]:
    r"""Returns the ids of calls, between which the core puts a byte that no UTF-8 has.

    >>> ids_of(b"a\xffb"), ids_of(b"")
    (['a', 'b'], [])
    """
    return called.decode("utf-8", "surrogateescape").split("\udcff") if called else []


PlaceOf = Callable[[Child], Path]
"""Returns the place of the message with a call in the recording."""

Rules = dict[str, tuple[list[str], list[tuple[str, list[list[str]]]], list[str], str, list[str]]]
"""By the full name of a message type: its required fields, the texts around the variables of its
resource names, the doubtful fields, the kind of its event and the slots of that."""


def rules_of(message_class: type[Message], events: Mapping[str, Event]) -> Rules:
    """Returns the rules of a message class and of all messages in it.

    Args:
        message_class: The class.
        events: The events by the full names of the message types.
    """
    rules: Rules = {}
    for descriptor in reached_types(cast(Descriptor, message_class.DESCRIPTOR)):
        fields: list[FieldDescriptor] = list(descriptor.fields)
        named = {field.name: names_of(field) for field in fields}
        required = [field.name for field in required_fields_of(descriptor) if may_be_missing(field)]
        names = [(name, list(map(list, names.texts))) for name, names in named.items() if names]
        event = events.get(descriptor.full_name, Event(""))
        if required or names or event.kind or event.doubtful:
            slots, doubtful = list(event.slots), list(event.doubtful)
            rules[descriptor.full_name] = (required, names, doubtful, event.kind, slots)
    return rules
