"""The steps of a turn, how long they took, and which of its messages belong together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from google.protobuf.timestamp_pb2 import Timestamp
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, SystemMessage
from turnwire_schema.geminidataanalytics.v1.text_pb2 import TextMessage

from turnwire._time import nanoseconds_of
from turnwire._views import View, short_list_repr
from turnwire.geminidataanalytics._messages import Messages, messages_in


@dataclass(frozen=True, slots=True, repr=False)
class Step(View):
    """One system message as a step of the agent's work.

    Attributes:
        kind: The names of its oneof members, such as ``"data.generated_sql"``; a
            text with its type, such as ``"text.thought"``, and an analysis event by its own
            kind, such as ``"analysis.code"``; ``""`` for an empty message.
        duration_ns: The time from the message before it until the service produced this one, in
            nanoseconds, by their timestamps; messages without one are
            passed over. None for a message without a timestamp and for the first that has one.
            Negative where timestamps go back.
        message: The message.

    >>> from turnwire import from_dict
    >>> from turnwire import geminidataanalytics as gda
    >>> message = from_dict(gda.Message, {"systemMessage": {"data": {"generatedSql": "SELECT 1"}}})
    >>> gda.Answer.collect(message).steps
    (Step(kind='data.generated_sql', duration_ns=None),)
    """

    kind: str
    duration_ns: int | None
    message: Message

    def _shown(self) -> list[str]:
        return [f"kind={self.kind!r}", f"duration_ns={self.duration_ns}"]


@dataclass(frozen=True, slots=True, repr=False)
class Group(View):
    """Messages of one turn that a user interface should show together.

    Attributes:
        group_id: Their ``groupId``; None for a message without one, which stands alone.
        indices: Where they stand in the turn's messages, counted from 0.
        messages: The messages themselves.

    >>> from turnwire import geminidataanalytics as gda
    >>> [group] = gda.groups_of(gda.Message(system_message=gda.SystemMessage(group_id=2)))
    >>> group.group_id, group.indices
    (2, (0,))
    """

    group_id: int | None
    indices: tuple[int, ...]
    messages: tuple[Message, ...]

    def _shown(self) -> list[str]:
        return [str(self.group_id), f"indices={short_list_repr(self.indices)}"]


def groups_of(messages: Messages) -> tuple[Group, ...]:
    """Messages grouped by ``groupId``, in order of first appearance.

    A group id of 0 is a group; a message without one stands alone.

    Raises:
        TypeError: It holds something other than messages.

    >>> from turnwire import geminidataanalytics as gda
    >>> ids = [0, None, 0]
    >>> messages = [gda.Message(system_message=gda.SystemMessage(group_id=n)) for n in ids]
    >>> [group.indices for group in groups_of(messages)]
    [(0, 2), (1,)]
    """
    held = list(messages_in(messages))
    members: dict[tuple[int | None, int | None], list[int]] = {}
    for index, message in enumerate(held):
        group_id = _group_id_of(message)
        key = (group_id, index if group_id is None else None)
        members.setdefault(key, []).append(index)
    return tuple(
        Group(group_id, tuple(indices), tuple(held[index] for index in indices))
        for (group_id, _), indices in members.items()
    )


def _group_id_of(message: Message) -> int | None:
    """The ``groupId`` of a message; None where it has none, which is not the same as 0."""
    system = message.system_message
    return system.group_id if system.HasField("group_id") else None


def step_of(message: Message, since: Timestamp | None) -> Step:
    """A system message as a step.

    Args:
        message: The message.
        since: The timestamp of the last message before it that has one.
    """
    duration = None
    if since is not None and message.HasField("timestamp"):
        duration = nanoseconds_of(message.timestamp) - nanoseconds_of(since)
    return Step(_kind_of(message.system_message), duration, message)


def _kind_of(system: SystemMessage) -> str:
    kind = system.WhichOneof("kind")
    detail: str | None = None
    match kind:
        case "text":
            if system.text.text_type in TextMessage.TextType.values()[1:]:
                detail = TextMessage.TextType.Name(system.text.text_type).lower()
        case "schema":
            detail = system.schema.WhichOneof("kind")
        case "data":
            detail = system.data.WhichOneof("kind")
        case "analysis":
            # The event's own kind says more than that it is an event.
            event = system.analysis.progress_event.WhichOneof("kind")
            detail = event or system.analysis.WhichOneof("kind")
        case "chart":
            detail = system.chart.WhichOneof("kind")
        case "error" | "example_queries" | "clarification" | None:
            pass
        case _:
            assert_never(kind)
    return ".".join(name for name in (kind, detail) if name)
