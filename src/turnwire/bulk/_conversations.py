"""Recordings cut into conversations: the messages that belong together, one conversation a time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message

from turnwire import ces

_MAX_OPEN_BYTES = 64 * 2**20


@dataclass
class Conversation:
    """The messages of one conversation.

    Attributes:
        name: Its name.
        others: The other columns of the row that it begins with, as a batch of that row.
        number: The number of conversations that began before it.
        items: The messages in order.
        size: The bytes of their texts.
    """

    name: str
    others: Any
    number: int
    items: list[Message] = field(default_factory=list[Message])
    size: int = 0
    _stored: ces.Conversation | None = None
    _turn: Any = None

    def add(self, item: Message, turn: Any, size: int) -> None:
        """Adds a message; those of CES with the same turn become one stored turn."""
        self.size += size
        if turn is None:
            self.items.append(item)
            return
        if self._stored is None:
            self._stored = ces.Conversation()
            self.items.append(self._stored)
        if turn != self._turn:
            self._stored.turns.add()
            self._turn = turn
        self._stored.turns[-1].messages.append(item)  # type: ignore[arg-type]


class Cutter:
    """Puts messages together by the name of their conversation.

    Conversations of a log overlap in time, so that several are open at once. Those that were idle
    for the longest time are closed when there are too many, or when they hold too many bytes.
    """

    def __init__(self, max_open: int) -> None:
        self._max_open = max_open
        self._open: OrderedDict[str, Conversation] = OrderedDict()
        self._size = 0
        self._count = 0

    def add(
        self, name: str, others: Callable[[], Any], item: Message, turn: Any, size: int
    ) -> Iterator[Conversation]:
        """Adds a message, and yields the conversations that are closed for it.

        Args:
            name: The name of its conversation.
            others: Returns the other columns of its row, as a batch of that row.
            item: The message.
            turn: The turn that a column names, or None.
            size: The bytes of its text.
        """
        if name not in self._open:
            self._open[name] = Conversation(name, others(), self._count)
            self._count += 1
        self._open.move_to_end(name)
        self._open[name].add(item, turn, size)
        self._size += size
        while len(self._open) > 1 and (
            len(self._open) > self._max_open or self._size > _MAX_OPEN_BYTES
        ):
            _, closed = self._open.popitem(last=False)
            self._size -= closed.size
            yield closed

    def close(self) -> Iterator[Conversation]:
        """Yields the conversations that are open, in the order of their beginnings."""
        yield from sorted(self._open.values(), key=lambda conversation: conversation.number)
        self._open.clear()
