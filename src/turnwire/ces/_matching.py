"""Pairs tool calls with their responses and nests the calls of sub-agents."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from google.protobuf.timestamp_pb2 import Timestamp
from turnwire_schema.ces.v1.tool_pb2 import ToolCall, ToolResponse

from turnwire._time import nanoseconds_of, utc
from turnwire.ces._exchanges import ToolExchange
from turnwire.ces._tools import tool_name_of


@dataclass(slots=True, eq=False)
class _Record:
    """An exchange while it is put together."""

    turn: int | None
    call: ToolCall | None = None
    response: ToolResponse | None = None
    called_at: Timestamp | None = None
    answered_at: Timestamp | None = None

    def see_again(self, call: ToolCall, time: Timestamp | None) -> bool:
        """Takes the call again and returns whether it says something new."""
        # Not every place that has a call fills its output-only fields: the fullest is kept.
        fuller = self.call is None or self.call.ByteSize() < call.ByteSize()
        if fuller:
            self.call = call
        self.called_at = self.called_at or time
        return fuller

    def answer(self, response: ToolResponse, time: Timestamp | None) -> bool:
        """Takes a response and returns whether it says something new."""
        is_new = self.response is None or self.response != response
        self.response = response
        self.answered_at = time or self.answered_at
        return is_new

    def view(self, children: tuple[ToolExchange, ...] = ()) -> ToolExchange:
        began = self.answered_at if self.call is None else self.called_at
        time = None if began is None else utc(began)
        return ToolExchange(self.call, self.response, children, self._duration(), time, self.turn)

    def _duration(self) -> int | None:
        if self.called_at is None or self.answered_at is None:
            return None
        return nanoseconds_of(self.answered_at) - nanoseconds_of(self.called_at)


@dataclass(slots=True)
class _Waiting:
    """The calls of one tool name that have no response yet, in order."""

    without_id: deque[_Record] = field(default_factory=deque[_Record])
    with_id: deque[_Record] = field(default_factory=deque[_Record])


class ExchangeMatcher:
    """Takes calls and responses as they are seen, wherever that is, and pairs them.

    One id is one exchange. Where ids are missing, a response belongs to the first call of its
    tool that is still open. Adding takes constant time.

    Attributes:
        turn: The index of the turn that new exchanges begin in; None outside of turns.
    """

    def __init__(self) -> None:
        self.turn: int | None = None
        self._records: list[_Record] = []
        self._by_id: dict[str, _Record] = {}
        self._waiting: dict[str, _Waiting] = {}
        self._unechoed: dict[tuple[str, bytes], deque[_Record]] = {}
        self._unechoed_answers: dict[tuple[str, bytes], deque[_Record]] = {}
        self._for_client: list[_Record] = []
        self._changed: dict[int, _Record] = {}

    def request(self, call: ToolCall) -> bool:
        """Adds a call that the client is asked to run and returns whether it is a new one."""
        known = len(self._records)
        record = self._add_call(call, None)
        if len(self._records) == known:
            return False
        self._for_client.append(record)
        if not call.id:
            self._unechoed.setdefault(_content_key(call), deque()).append(record)
        return True

    def call(self, call: ToolCall, time: Timestamp | None) -> None:
        """Adds a call that a message reports."""
        if not call.id and (echoed := self._unechoed.get(_content_key(call))):
            # Messages repeat the calls that the client was asked to run.
            self._see_again(echoed.popleft(), call, time)
        else:
            self._add_call(call, time)

    def answer(self, response: ToolResponse) -> None:
        """Adds a response that the client sends."""
        record = self._add_response(response, None)
        if not response.id:
            key = _answer_key(response)
            self._unechoed_answers.setdefault(key, deque()).append(record)

    def respond(self, response: ToolResponse, time: Timestamp | None) -> None:
        """Adds a response that a message reports."""
        if not response.id and (echoed := self._unechoed_answers.get(_answer_key(response))):
            # Messages repeat the client's responses.
            self._answer(echoed.popleft(), response, time)
        else:
            self._add_response(response, time)

    def take_changed(self) -> tuple[ToolExchange, ...]:
        """The exchanges that began or got a response since the last call, without nesting."""
        changed = tuple(record.view() for record in self._changed.values())
        self._changed.clear()
        return changed

    def _see_again(self, record: _Record, call: ToolCall, time: Timestamp | None) -> None:
        if record.see_again(call, time):
            self._changed[id(record)] = record

    def _answer(self, record: _Record, response: ToolResponse, time: Timestamp | None) -> None:
        if record.answer(response, time):
            self._changed[id(record)] = record

    def _add_response(self, response: ToolResponse, time: Timestamp | None) -> _Record:
        record = self._by_id.get(response.id) if response.id else None
        if record is None:
            record = self._first_waiting(tool_name_of(response), any_id=not response.id)
        if record is None:
            record = _Record(self.turn)
            self._records.append(record)
        if response.id:
            self._by_id[response.id] = record
        self._answer(record, response, time)
        return record

    def open_requests(self) -> tuple[ToolCall, ...]:
        """The calls that the client was asked to run and that have no response yet."""
        return tuple(
            record.call
            for record in self._for_client
            if record.call is not None and record.response is None
        )

    def exchanges(self) -> tuple[ToolExchange, ...]:
        """The exchanges of the top level, in order, with those of sub-agents nested in them."""
        parents = self._parents()
        children: dict[int, list[int]] = {}
        roots: list[int] = []
        for index, parent in enumerate(parents):
            (roots if parent is None else children.setdefault(parent, [])).append(index)
        order = list(roots)
        for index in order:  # grows while it is read: parents stand before their children
            order.extend(children.get(index, ()))
        views: dict[int, ToolExchange] = {}
        for index in reversed(order):
            nested = tuple(views.pop(child) for child in children.get(index, ()))
            views[index] = self._records[index].view(nested)
        return tuple(views[index] for index in roots)

    def _add_call(self, call: ToolCall, time: Timestamp | None) -> _Record:
        record = self._by_id.get(call.id) if call.id else None
        if record is not None:
            self._see_again(record, call, time)
            return record
        record = _Record(self.turn, call=call, called_at=time)
        self._records.append(record)
        self._changed[id(record)] = record
        waiting = self._waiting.setdefault(tool_name_of(call), _Waiting())
        if call.id:
            self._by_id[call.id] = record
            waiting.with_id.append(record)
        else:
            waiting.without_id.append(record)
        return record

    def _first_waiting(self, name: str, *, any_id: bool) -> _Record | None:
        waiting = self._waiting.get(name)
        if waiting is None:
            return None
        for queue in (waiting.without_id, waiting.with_id) if any_id else (waiting.without_id,):
            while queue:
                record = queue.popleft()
                if record.response is None:
                    return record
        return None

    def _parents(self) -> list[int | None]:
        """For each record the index of its parent; None at the top level.

        A parent that was never seen leaves its children at the top level, and so does a circle of
        parents for the first call in it.
        """
        positions = {id(record): index for index, record in enumerate(self._records)}
        parents: list[int | None] = []
        for record in self._records:
            parent = self._by_id.get(record.view().parent_id)
            parents.append(None if parent is None else positions[id(parent)])
        finished = [False] * len(parents)
        for start in range(len(parents)):
            trail: dict[int, None] = {}
            index: int | None = start
            while index is not None and not finished[index] and index not in trail:
                trail[index] = None
                index = parents[index]
            if index is not None and index in trail:
                steps = list(trail)
                parents[min(steps[steps.index(index) :])] = None
            for step in trail:
                finished[step] = True
        return parents


def _content_key(call: ToolCall) -> tuple[str, bytes]:
    return tool_name_of(call), call.args.SerializeToString(deterministic=True)


def _answer_key(response: ToolResponse) -> tuple[str, bytes]:
    return tool_name_of(response), response.response.SerializeToString(deterministic=True)
