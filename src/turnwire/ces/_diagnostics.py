"""Finds the messages of a diagnostics list that are new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from turnwire_schema.ces.v1.message_pb2 import Message


class DiagnosticHistory:
    """Remembers diagnostic messages by content and place.

    Services fill diagnostics in several ways, and a message counts once in each of them:

    - per turn, as documented: every list holds the messages of one turn;
    - cumulative: a list begins with all messages so far and goes on;
    - growing: the same turn's list comes again, longer or the same.

    Only what stands at the beginning of a list can be a repetition: a message that comes twice
    within one list happened twice. A turn with the messages of all turns before it is a new one,
    unless the times of its messages are the same too.
    """

    def __init__(self) -> None:
        self._all: list[Message] = []
        self._turns: dict[int, _TurnDiagnostics] = {}
        self._last: Sequence[Message] = ()

    def new_in(self, turn: int, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages of a turn's diagnostics list that were not seen before, in order."""
        if not messages:  # most outputs have no diagnostics: they say nothing about the turn's list
            return ()
        messages = list(messages)  # unlike a repeated field, a list can be pickled
        seen = _common_beginning(self._all, messages)
        turn_so_far = self._turns.get(turn)
        if turn_so_far is not None:
            if seen < turn_so_far.start:  # the list does not begin with all turns before
                seen = 0
            known = (turn_so_far.messages, turn_so_far.last)
            seen = max(seen, *(_common_beginning(each, messages) for each in known))
        else:
            if seen < len(self._all) or (seen == len(messages) and not _is_timed(messages)):
                # The list does not go on after all messages so far: it is the turn's own.
                seen = _repeated_defaults(self._last, messages)
            turn_so_far = self._turns[turn] = _TurnDiagnostics(start=len(self._all))
        new = messages[seen:]
        self._all.extend(new)
        turn_so_far.messages.extend(new)
        turn_so_far.last = self._last = messages
        return new


@dataclass(slots=True)
class _TurnDiagnostics:
    """The diagnostics of one turn.

    Attributes:
        start: The number of messages before it.
        messages: Its messages so far.
        last: The list that came last.
    """

    start: int
    messages: list[Message] = field(default_factory=list[Message])
    last: Sequence[Message] = ()


def _common_beginning(known: Sequence[Message], messages: Sequence[Message]) -> int:
    count = 0
    for old, new in zip(known, messages, strict=False):
        if old != new:
            break
        count += 1
    return count


def _is_timed(messages: Sequence[Message]) -> bool:
    return any(message.HasField("event_time") for message in messages)


def _repeated_defaults(known: Sequence[Message], messages: Sequence[Message]) -> int:
    """Counts the messages at the beginning that repeat the session's default variables.

    The defaults are those of the session's start. A turn that repeats them does not set them again.
    """
    count = _common_beginning(known, messages)
    for index, message in enumerate(messages[:count]):
        kinds = {chunk.WhichOneof("data") for chunk in message.chunks}
        if kinds != {"default_variables"}:
            return index
    return count
