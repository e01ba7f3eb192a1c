"""Recognizes objects around messages, such as log entries, and says how to read what is in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from turnwire.streams._outline import Knows
from turnwire.streams._refusals import json_value

_LOG_ENTRY = ("insertId", "logName", "receiveTimestamp", "severity", "insert_id", "log_name")
_PAYLOADS = (
    "jsonPayload",
    "protoPayload",
    "textPayload",
    "json_payload",
    "proto_payload",
    "text_payload",
)
_BIGQUERY_ROW = {"conversation_id", "turn_index"}
# One known member in an object of these names proves a wrapper. A new field of the message has
# another name.
_WRAPPERS = {*_PAYLOADS, "result", "serverMessage", "server_message", "conversations", "messages"}
_USUAL_NAMES = {"response", "message", "conversation", "data", "payload", "body", "record"}
_USUAL_NAMES |= {"items", "entries", "rows", "value", "event", "output"}
# Of A2A: the parts of an artifact, with JSON as their data.
_USUAL_NAMES |= {"artifact", "artifactUpdate", "parts"}
_PAGES = ("conversations", "messages")
_STORED_MESSAGE = {"messageId", "message_id"}
_MAX_DEPTH = 4


class Wrapping(NamedTuple):
    """An object around messages.

    Attributes:
        what: What it looks like, in words.
        at: Where the messages stand in it.
        is_certain: Whether it can be nothing else; otherwise the names in it may be a coincidence.
    """

    what: str
    at: tuple[str, ...]
    is_certain: bool

    @property
    def advice(self) -> str:
        """Returns how to read it.

        >>> Wrapping("a log entry", ("jsonPayload",), True).advice
        'this looks like a log entry: read the messages in it with at="jsonPayload" \
(--at jsonPayload)'
        """
        is_simple = all(step and "." not in step for step in self.at)
        option = f'"{".".join(self.at)}"' if is_simple else repr(self.at)
        command = f" (--at {'.'.join(self.at)})" if is_simple else ""
        return f"this looks like {self.what}: read the messages in it with at={option}{command}"


def wrapping_of(members: Mapping[str, Any], knows: Knows) -> Wrapping | None:
    """Returns the wrapper that a JSON object is; None if it may be a message.

    Args:
        members: The members of the object.
        knows: Whether the message type has a member.
    """
    at = _path_to(members, knows)
    is_entry = _is_log_entry(members, knows)
    if at is None:
        if members.keys() == {"result"} and isinstance(members["result"], dict):
            return Wrapping(_what(members, ("result",)), ("result",), True)
        if is_entry:
            payload = next((name for name in _PAYLOADS if name in members), _PAYLOADS[0])
            return Wrapping("a log entry of Cloud Logging", (payload,), True)
        if _is_bigquery_row(members, knows):
            return Wrapping(_what(members, ("messages",)), ("messages",), True)
        if page := _empty_page_of(members, knows):
            return Wrapping(_what(members, (page,)), (page,), True)
        return None
    known = {name for name in members if knows(name)}
    is_stored = at == ("message",) and known <= _STORED_MESSAGE
    if known and not is_entry and not is_stored and at[0] not in _WRAPPERS:
        return None
    inner = next(_objects_in(members[at[0]]), {})
    is_certain = (
        is_entry
        or at[0] in _WRAPPERS
        or _is_text_at(members, at)
        or (at[0] in _USUAL_NAMES and (len(at) > 1 or all(knows(name) for name in inner)))
    )
    return Wrapping(_what(members, at), at, is_certain)


def _path_to(
    members: Mapping[str, Any], knows: Knows, depth: int = _MAX_DEPTH
) -> tuple[str, ...] | None:
    """Returns the shortest path to an object with a member that the message type knows."""
    inner = [
        (name, each)
        for name, value in members.items()
        if not knows(name)
        for each in _objects_in(value)
    ]
    for name, each in inner:
        if any(knows(member) for member in each):
            return (name,)
    if depth > 1:
        for name, each in inner:
            if path := _path_to(each, knows, depth - 1):
                return (name, *path)
    return None


def _is_text_at(members: Mapping[str, Any], at: tuple[str, ...]) -> bool:
    """Returns whether JSON text in a string is on the path, as in a column of a table."""
    value: object = members
    for step in at:
        value = next(_objects_in(value), {})[step]
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, str):
            return True
    return False


def _empty_page_of(members: Mapping[str, Any], knows: Knows) -> str | None:
    """Returns the name of the list in a page of it that is empty."""
    if any(knows(name) for name in members) or not members.keys() <= {*_PAGES, "nextPageToken"}:
        return None
    return next((name for name in _PAGES if members.get(name) == []), None)


def _objects_in(value: object) -> Iterator[dict[str, Any]]:
    """Yields the object that this is, that a list begins with, or that is JSON text in a string."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        value = json_value(value.encode("utf-8", "replace"))
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        yield value


def _is_log_entry(members: Mapping[str, Any], knows: Knows) -> bool:
    names = [name for name in _LOG_ENTRY if name in members and not knows(name)]
    # Entries of requests have no payload.
    has_payload = any(name in members and not knows(name) for name in _PAYLOADS)
    return bool(names) and (has_payload or {"insertId", "logName"} <= set(names))


def _is_bigquery_row(members: Mapping[str, Any], knows: Knows) -> bool:
    names = _BIGQUERY_ROW | {"messages"}
    # A row is one turn. A stored conversation has messages too, and turns above them.
    is_for_rows = any(knows(name) for name in _BIGQUERY_ROW)
    is_turn = knows("messages") and not knows("turns")
    return names <= members.keys() and not is_for_rows and not is_turn


def _what(members: Collection[str], at: tuple[str, ...]) -> str:
    if at == ("message",) and _STORED_MESSAGE & set(members):
        return "a stored message (StorageMessage)"
    if any(name in members for name in _LOG_ENTRY) and at[0] in _PAYLOADS:
        return "a log entry of Cloud Logging"
    if set(members) >= _BIGQUERY_ROW and at[0] == "messages":
        return "a row of CES's BigQuery export, whose messages are ces.Message"
    if "jsonrpc" in members:
        return "a JSON-RPC response"
    if at == ("result",):
        return "an element of a grpc-gateway stream"
    if at[0] in _PAGES:
        return "a page of a list"
    return "an object around messages"
