"""Pairs tool calls with their responses and nests the calls of sub-agents."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from google.protobuf.timestamp_pb2 import Timestamp
from turnwire_schema.ces.v1.tool_pb2 import ToolCall, ToolResponse

from turnwire._arguments import require
from turnwire._time import nanoseconds_of
from turnwire.ces._text import short_repr
from turnwire.ces._tools import args_of, error_of, has_error, result_of, tool_name_of

Status = Literal["ok", "error", "pending"]


@dataclass(frozen=True, slots=True, repr=False)
class ToolExchange:
    """One tool call with its response and the calls that sub-agents made on its behalf.

    Attributes:
        call: The call; None where a response came without one (see `unmatched`).
        response: The response; None while the call is pending.
        children: The exchanges whose ``parentToolCallId`` is this call's id, in order.
        duration: From the call to the response in nanoseconds (an int, which is exact), by the
            ``eventTime`` of the messages that hold them; None where one of these is absent.
    """

    call: ToolCall | None
    response: ToolResponse | None = None
    children: tuple[ToolExchange, ...] = ()
    duration: int | None = None

    __hash__ = None  # type: ignore[assignment]

    @property
    def id(self) -> str:
        """The call's id; ``""`` where the service gave none."""
        return self._first("id")

    @property
    def name(self) -> str:
        """The tool's name by the rule of `tool_name_of`."""
        return (self.call is not None and tool_name_of(self.call)) or (
            tool_name_of(self.response) if self.response is not None else ""
        )

    @property
    def args(self) -> dict[str, Any]:
        """The call's arguments as a plain dict; empty where there is no call.

        Raises:
            SerializeError: They hold a number that JSON does not have, such as NaN.
        """
        return {} if self.call is None else args_of(self.call)

    @property
    def status(self) -> Status:
        """``"pending"`` without a response, ``"error"`` if it reports one, else ``"ok"``."""
        if self.response is None:
            return "pending"
        return "error" if has_error(self.response) else "ok"

    @property
    def result(self) -> Any:
        """The result by the rule of `result_of`; None while pending.

        Raises:
            SerializeError: It holds a number that JSON does not have, such as NaN.
        """
        return None if self.response is None else result_of(self.response)

    @property
    def error(self) -> Any:
        """The error by the rule of `error_of`; None where there is none.

        Raises:
            SerializeError: It holds a number that JSON does not have, such as NaN.
        """
        return None if self.response is None else error_of(self.response)

    @property
    def agent(self) -> str:
        """The display name of the sub-agent that made the call; ``""`` for the root agent."""
        return self._first("agent_name")

    @property
    def parent_id(self) -> str:
        """The id of the call that led to this one; ``""`` at the top level."""
        return self._first("parent_tool_call_id")

    @property
    def unmatched(self) -> bool:
        """Whether this is a response for which no call was seen."""
        return self.call is None

    def _first(self, name: Literal["id", "agent_name", "parent_tool_call_id"]) -> str:
        """The string field as the call gives it, else as the response does."""
        values = (getattr(message, name) for message in (self.call, self.response) if message)
        return next((value for value in values if value), "")

    def __repr__(self) -> str:
        # Arguments and results stay out: they may be large, or not meant for logs.
        parts = [short_repr(self.name), f"id={short_repr(self.id)}", f"status={self.status!r}"]
        if self.agent:
            parts.append(f"agent={short_repr(self.agent)}")
        if self.children:
            parts.append(f"children={len(self.children)}")
        if self.unmatched:
            parts.append("unmatched=True")
        return f"ToolExchange({', '.join(parts)})"


def walk_exchanges(
    exchanges: ToolExchange | Iterable[ToolExchange],
) -> Iterator[tuple[int, ToolExchange]]:
    """Goes through exchanges and all that is nested in them, each before its children.

    Args:
        exchanges: One exchange, or several, such as a session's ``tool_exchanges``.

    Yields:
        The depth, 0 at the top level, and the exchange.

    Raises:
        TypeError: Something in it is no exchange.

    >>> from turnwire import ces
    >>> calls = [
    ...     ces.ToolCall(id="p1", tool="apps/a/tools/plan_picnic"),
    ...     ces.ToolCall(id="p2", tool="apps/a/tools/count_stock", parent_tool_call_id="p1"),
    ... ]
    >>> chunks = [ces.Chunk(tool_call=call) for call in calls]
    >>> session = ces.Session.collect(ces.Message(chunks=chunks))
    >>> [(depth, each.name) for depth, each in ces.walk_exchanges(session.tool_exchanges)]
    [(0, 'plan_picnic'), (1, 'count_stock')]
    """
    if not isinstance(exchanges, Iterable):
        exchanges = (exchanges,)
    stack = [(0, exchange) for exchange in exchanges][::-1]
    while stack:
        depth, exchange = stack.pop()
        require(exchange, ToolExchange)
        yield depth, exchange
        stack.extend((depth + 1, child) for child in reversed(exchange.children))


@dataclass(slots=True, eq=False)
class _Record:
    """An exchange that is still being put together."""

    call: ToolCall | None = None
    response: ToolResponse | None = None
    called_at: Timestamp | None = None
    answered_at: Timestamp | None = None

    def see_again(self, call: ToolCall, time: Timestamp | None) -> None:
        # Not every place that tells of a call fills its output-only fields: the fullest is kept.
        if self.call is None or self.call.ByteSize() < call.ByteSize():
            self.call = call
        self.called_at = self.called_at or time

    def answer(self, response: ToolResponse, time: Timestamp | None) -> None:
        self.response = response
        self.answered_at = time or self.answered_at

    def view(self, children: tuple[ToolExchange, ...] = ()) -> ToolExchange:
        return ToolExchange(self.call, self.response, children, self._duration())

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
    """

    def __init__(self) -> None:
        self._records: list[_Record] = []
        self._by_id: dict[str, _Record] = {}
        self._waiting: dict[str, _Waiting] = {}
        self._unechoed: dict[tuple[str, bytes], deque[_Record]] = {}
        self._unechoed_answers: dict[tuple[str, bytes], deque[_Record]] = {}
        self._for_client: list[_Record] = []

    def request(self, call: ToolCall) -> bool:
        """Adds a call that the client is asked to run; tells whether it is a new one."""
        known = len(self._records)
        record = self._add_call(call, None)
        if len(self._records) == known:
            return False
        self._for_client.append(record)
        if not call.id:
            self._unechoed.setdefault(_content_key(call), deque()).append(record)
        return True

    def call(self, call: ToolCall, time: Timestamp | None) -> None:
        """Adds a call that a message tells of."""
        if not call.id and (echoed := self._unechoed.get(_content_key(call))):
            # Messages tell again of the calls that the client was asked to run.
            echoed.popleft().see_again(call, time)
        else:
            self._add_call(call, time)

    def answer(self, response: ToolResponse) -> ToolExchange:
        """Adds a response that the client sends; gives the exchange that it belongs to."""
        record = self._add_response(response, None)
        if not response.id:
            key = _answer_key(response)
            self._unechoed_answers.setdefault(key, deque()).append(record)
        return record.view()

    def respond(self, response: ToolResponse, time: Timestamp | None) -> ToolExchange:
        """Adds a response that a message tells of; gives the exchange that it belongs to."""
        if not response.id and (echoed := self._unechoed_answers.get(_answer_key(response))):
            # Messages tell again of what the client answered.
            record = echoed.popleft()
            record.answer(response, time)
            return record.view()
        return self._add_response(response, time).view()

    def _add_response(self, response: ToolResponse, time: Timestamp | None) -> _Record:
        record = self._by_id.get(response.id) if response.id else None
        if record is None:
            record = self._first_waiting(tool_name_of(response), any_id=not response.id)
        if record is None:
            record = _Record()
            self._records.append(record)
        if response.id:
            self._by_id[response.id] = record
        record.answer(response, time)
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
            record.see_again(call, time)
            return record
        record = _Record(call=call, called_at=time)
        self._records.append(record)
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
