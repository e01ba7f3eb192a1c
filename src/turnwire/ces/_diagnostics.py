"""Tells which messages of a diagnostics list are new, and which were seen before."""

from __future__ import annotations

from collections.abc import Sequence

from turnwire_schema.ces.v1.message_pb2 import Message


class DiagnosticHistory:
    """Remembers diagnostic messages by content and place.

    Services fill diagnostics in several ways, and a message counts once in each of them:

    - per turn, as documented: every list holds the messages of its own turn;
    - cumulative: a list begins with all messages so far and goes on;
    - growing: the same turn's list comes again, longer or the same.

    Only what stands at the beginning of a list can be a repetition: a message that comes twice
    within one list happened twice.
    """

    def __init__(self) -> None:
        self._all: list[Message] = []
        self._of_turn: dict[int, list[Message]] = {}
        self._last_of_turn: dict[int, Sequence[Message]] = {}
        self._last: Sequence[Message] = ()

    def new_in(self, turn: int, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages of a turn's diagnostics list that were not seen before, in order."""
        seen = _common_beginning(self._all, messages)
        if turn in self._last_of_turn:
            known = (self._of_turn[turn], self._last_of_turn[turn])
            seen = max(seen, *(_common_beginning(each, messages) for each in known))
        elif seen < len(self._all) or seen == len(messages):  # not all messages so far, and more
            seen = _repeated_defaults(self._last, messages)
        new = messages[seen:]
        self._all.extend(new)
        self._of_turn.setdefault(turn, []).extend(new)
        self._last_of_turn[turn] = self._last = messages
        return new


def _common_beginning(known: Sequence[Message], messages: Sequence[Message]) -> int:
    count = 0
    for old, new in zip(known, messages, strict=False):
        if old != new:
            break
        count += 1
    return count


def _repeated_defaults(known: Sequence[Message], messages: Sequence[Message]) -> int:
    """How many messages at the beginning tell the session's default variables once more.

    The defaults are those of the session's start. A turn that repeats them does not set them anew.
    """
    count = _common_beginning(known, messages)
    for index, message in enumerate(messages[:count]):
        kinds = {chunk.WhichOneof("data") for chunk in message.chunks}
        if kinds != {"default_variables"}:
            return index
    return count
