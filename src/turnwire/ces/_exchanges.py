"""The view of one tool call with its response and the calls that followed from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from turnwire_schema.ces.v1.tool_pb2 import ToolCall, ToolResponse

from turnwire._arguments import require
from turnwire._notebooks import ShownView
from turnwire._views import short_repr
from turnwire.ces._tools import args_of, error_of, has_error, result_of, tool_name_of

Status = Literal["ok", "error", "pending"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ToolExchange(ShownView):
    """One tool call with its response and the calls that sub-agents made on its behalf.

    Attributes:
        call: The call; None where a response came without one (see `unmatched`).
        response: The response; None while the call is pending.
        children: The exchanges whose ``parentToolCallId`` is this call's id, in order.
        duration_ns: The nanoseconds from the call to the response, by the ``eventTime`` of the
            messages that hold them; None where one of these is absent.
        time: The time of the call in UTC, to the microsecond, or of a response without a call;
            None where the message has no (valid) ``eventTime``.
        turn: The index of the turn in which the exchange began, counted from 1; None outside of
            turns.

    >>> from turnwire import ces, from_dict
    >>> tool = "apps/a/tools/count_stock"
    >>> message = from_dict(ces.Message, {"chunks": [
    ...     {"toolCall": {"id": "c1", "tool": tool, "args": {"sort": "pear"}}},
    ...     {"toolResponse": {"id": "c1", "tool": tool, "response": {"output": 14}}},
    ... ]})
    >>> [exchange] = ces.Session.collect(message).tool_exchanges
    >>> exchange
    ToolExchange('count_stock', id='c1', status='ok')
    >>> exchange.args, exchange.result
    ({'sort': 'pear'}, 14)
    """

    call: ToolCall | None
    response: ToolResponse | None = None
    children: tuple[ToolExchange, ...] = ()
    duration_ns: int | None = None
    time: datetime | None = None
    turn: int | None = None

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
        """The call's arguments as a plain dict; empty without a call.

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
    def target_app(self) -> str:
        """The app that the call goes to: an app's resource name, or ``"PROJECT"``.

        Only sessions of a whole project give it; ``""`` in all others.
        """
        return self._first("target_app")

    @property
    def parent_id(self) -> str:
        """The id of the call that led to this one; ``""`` at the top level."""
        return self._first("parent_tool_call_id")

    @property
    def unmatched(self) -> bool:
        """Whether this is a response for which no call was seen."""
        return self.call is None

    # Calls nest as deeply as a service sends them: comparing and pickling take no recursion.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToolExchange):
            return NotImplemented
        return _flat(self) == _flat(other)

    def __reduce__(self) -> tuple[Any, ...]:
        return _nested, (_flat(self),)

    def _first(self, name: Literal["id", "agent_name", "parent_tool_call_id", "target_app"]) -> str:
        """The string field as the call gives it, else as the response does."""
        values = (getattr(message, name) for message in (self.call, self.response) if message)
        return next((value for value in values if value), "")

    def _shown(self) -> list[str]:
        # Arguments and results stay out: they may be large, or not meant for logs.
        parts = [short_repr(self.name), f"id={short_repr(self.id)}", f"status={self.status!r}"]
        if self.agent:
            parts.append(f"agent={short_repr(self.agent)}")
        if self.children:
            parts.append(f"children={len(self.children)}")
        if self.unmatched:
            parts.append("unmatched=True")
        return parts


def walk_exchanges(
    exchanges: ToolExchange | Iterable[ToolExchange],
) -> Iterator[tuple[int, ToolExchange]]:
    """Goes through exchanges and all that is nested in them, each before its children.

    Args:
        exchanges: One exchange, or several, such as a session's ``tool_exchanges``.

    Yields:
        The depth, 0 at the top level, and the exchange.

    Raises:
        TypeError: Something in it is not an exchange.

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


_Flat: TypeAlias = tuple[
    int, ToolCall | None, ToolResponse | None, int | None, datetime | None, int | None
]


def _flat(exchange: ToolExchange) -> list[_Flat]:
    """An exchange and all that is nested in it as a list of depths and contents."""
    return [
        (depth, each.call, each.response, each.duration_ns, each.time, each.turn)
        for depth, each in walk_exchanges(exchange)
    ]


def _nested(flat: list[_Flat]) -> ToolExchange:
    """The exchange that `_flat` made a list of."""
    children: dict[int, list[ToolExchange]] = {}
    for depth, call, response, duration_ns, time, turn in reversed(flat):
        below = tuple(reversed(children.pop(depth + 1, [])))
        exchange = ToolExchange(call, response, below, duration_ns, time, turn)
        children.setdefault(depth, []).append(exchange)
    [root] = children[0]
    return root
