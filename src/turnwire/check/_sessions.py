"""Checks the references in a CES session: tool calls, parents, turns and citations."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import cast

from google.protobuf.message import Message

from turnwire import ces
from turnwire.check._facts import Event, Facts, PlaceOf, ids_of
from turnwire.check._fields import Visit, is_request
from turnwire.check._violation import Violation
from turnwire.errors import Path, excerpt

MAX_REMEMBERED = 500_000
"""The largest number of calls that are remembered; beyond it, absence proves nothing."""

_MAX_UNREAD_BYTES = 2**24


class SessionRules:
    """The rules that look at several messages of one session.

    A call or a parent may be reported after what refers to it, so absence is reported at the end.

    Args:
        is_complete: Whether the messages are all there: only then absence is reported.
    """

    def __init__(self, *, is_complete: bool) -> None:
        self._is_complete = is_complete
        self._session = ""
        self._is_sent = False
        self._has_answers = False
        self._start()

    @property
    def visits(self) -> dict[str, Visit]:
        """The check of each message type that has one."""
        return {
            message_class.DESCRIPTOR.full_name: cast("Visit", visit)
            for message_class, visit in (
                (ces.ToolCall, self._call),
                (ces.ToolResponse, self._response),
                (ces.SessionOutput, self._output),
                (ces.Conversation, self._conversation),
                (ces.SessionConfig, self._config),
            )
        }

    @property
    def events(self) -> dict[str, Event]:
        """The event of each message type that has a check, after `begin`."""
        tool = ("toolset_tool.tool_id", "tool", "display_name")
        events: dict[type[Message], Event] = {
            ces.ToolCall: Event("call", ("id", "parent_tool_call_id", *tool)),
            ces.SessionOutput: Event(
                "output",
                ("turn_index", "text", "turn_completed"),
                doubtful=("citations.inline_citations",),
            ),
            ces.Conversation: Event("session", ("name",)),
            ces.SessionConfig: Event("session", ("session",)),
            ces.ToolResponse: Event("response", ("id", *tool)),
        }
        if self._are_calls_elsewhere:
            events[ces.ToolResponse] = Event("")
        return {each.DESCRIPTOR.full_name: event for each, event in events.items()}

    def begin(self, type_name: str) -> None:
        """Notes the type of the message that comes next."""
        self._is_sent = is_request(type_name)
        self._has_answers |= not self._is_sent

    @property
    def _are_calls_elsewhere(self) -> bool:
        """Whether the calls are in answers, which are not recorded here."""
        return self._is_sent and not self._has_answers

    def allows(self, facts: Facts) -> bool:
        """Reports whether nothing in facts is a violation, and no place in them is needed."""
        is_new = bool(facts.session and self._session) and facts.session != self._session
        seen_count = 0 if is_new else self._seen_count
        if seen_count <= MAX_REMEMBERED:
            if seen_count + facts.calls > MAX_REMEMBERED:
                return False
            if facts.unmatched:
                calls = set() if is_new else self._calls()
                if not calls.issuperset(map(hash, facts.unmatched)):
                    return False
        if self._is_complete:
            open_by_name = {} if is_new else self._open_by_name
            if any(each.needed > open_by_name.get(each.name, 0) for each in facts.tools):
                return False
        turn = 0 if is_new else self._turn
        for outputs in facts.outputs:
            if outputs.turn and outputs.turn < turn:
                return False
            turn = max(turn, outputs.turn)
        return True

    def take(self, facts: Facts, place_of: PlaceOf) -> Iterator[Violation]:
        """Takes facts that it allows; yields the violations of earlier messages that they show."""
        yield from self._name_session(facts.session)
        self._seen_count += facts.calls
        if facts.called and self._seen_count <= MAX_REMEMBERED:
            self._unread_calls.append(facts.called)
            self._unread_bytes += sys.getsizeof(facts.called)
            if self._unread_bytes > _MAX_UNREAD_BYTES:
                self._calls()
        for waiting in (self._unanswered, self._unknown_parents):
            for key in ids_of(facts.called) if waiting else ():
                waiting.pop(key, None)
        for tool in facts.tools:
            self._open_by_name[tool.name] = tool.after(self._open_by_name.get(tool.name, 0))
        for child in facts.children:
            place = (*place_of(child), *child.path, "parentToolCallId")
            self._add_parent(child.id, child.parent, place)
        for outputs in facts.outputs:
            if outputs.turn > self._turn:
                yield from self._begin_turn(outputs.turn)
            self._reply_bytes += outputs.text_bytes
            if outputs.is_last:
                yield from self._cited_beyond()

    def finish(self) -> Iterator[Violation]:
        """Yields the violations that only the end of the session shows."""
        yield from self._cited_beyond()
        if self._is_complete and self._seen_count <= MAX_REMEMBERED:
            for key, path in self._unanswered.items():
                yield Violation(
                    path, "unmatched_response", "error", f"no tool call has the id {excerpt(key)}"
                )
            for key, path in self._unknown_parents.items():
                yield Violation(
                    path, "unknown_parent", "error", f"no tool call has the id {excerpt(key)}"
                )
        yield from self._circles()

    def _start(self) -> None:
        """Forgets everything: another session begins."""
        self._read_calls: set[int] = set()
        self._unread_calls: list[bytes] = []
        self._unread_bytes = 0
        self._open_by_name: dict[str, int] = {}
        self._unanswered: dict[str, Path] = {}
        self._unknown_parents: dict[str, Path] = {}
        self._parents: dict[str, tuple[str, Path]] = {}
        self._turn = 0
        self._reply_bytes = 0
        self._citations: list[tuple[Path, int]] = []
        self._seen_count = 0

    def _calls(self) -> set[int]:
        """Returns the hashes of the ids of calls; those in facts are read only now."""
        for called in self._unread_calls:
            self._read_calls.update(map(hash, ids_of(called)))
        self._unread_calls.clear()
        self._unread_bytes = 0
        return self._read_calls

    def _name_session(self, name: str) -> Iterator[Violation]:
        if name and name != self._session:
            if self._session:
                yield from self.finish()
                self._start()
            self._session = name

    def _conversation(self, conversation: ces.Conversation, _: Path) -> Iterator[Violation]:
        yield from self._name_session(conversation.name)

    def _config(self, config: ces.SessionConfig, _: Path) -> Iterator[Violation]:
        yield from self._name_session(config.session)

    def _call(self, call: ces.ToolCall, path: Path) -> Iterator[Violation]:
        self._seen_count += 1
        name = ces.tool_name_of(call)
        self._open_by_name[name] = self._open_by_name.get(name, 0) + 1
        if call.id:
            self._remember(call.id)
        if parent := call.parent_tool_call_id:
            self._add_parent(call.id, parent, (*path, "parentToolCallId"))
        return iter(())

    def _add_parent(self, key: str, parent: str, place: Path) -> None:
        if hash(parent) not in self._calls() and len(self._unknown_parents) < MAX_REMEMBERED:
            self._unknown_parents.setdefault(parent, place)
        if key and len(self._parents) < MAX_REMEMBERED:
            self._parents.setdefault(key, (parent, place))

    def _remember(self, key: str) -> None:
        if self._seen_count <= MAX_REMEMBERED:
            # The hash takes a third of the memory; two calls with one hash only hide a violation.
            self._read_calls.add(hash(key))
        self._unanswered.pop(key, None)
        self._unknown_parents.pop(key, None)

    def _response(self, response: ces.ToolResponse, path: Path) -> Iterator[Violation]:
        if self._are_calls_elsewhere:
            return
        name = ces.tool_name_of(response)
        open_calls = self._open_by_name.get(name, 0)
        self._open_by_name[name] = max(open_calls - 1, 0)
        if response.id:
            if hash(response.id) not in self._calls() and len(self._unanswered) < MAX_REMEMBERED:
                self._unanswered.setdefault(response.id, (*path, "id"))
        elif self._is_complete and not open_calls:
            reason = f"no tool call of {excerpt(name)} is open"
            yield Violation(path, "unmatched_response", "error", reason)

    def _output(self, output: ces.SessionOutput, path: Path) -> Iterator[Violation]:
        turn = output.turn_index
        if turn and turn < self._turn:
            reason = f"turn {turn} comes after turn {self._turn}"
            yield Violation((*path, "turnIndex"), "turn_order", "error", reason)
        elif turn > self._turn:
            yield from self._begin_turn(turn)
        self._reply_bytes += len(output.text.encode("utf-8", "surrogatepass"))
        for index, inline in enumerate(output.citations.inline_citations):
            place = (*path, "citations", "inlineCitations", index)
            yield from _cited_wrongly(output.citations, inline, place)
            self._citations.append((place, inline.end_index))
        if output.turn_completed:
            yield from self._cited_beyond()

    def _begin_turn(self, turn: int) -> Iterator[Violation]:
        yield from self._cited_beyond()
        self._turn = turn
        self._reply_bytes = 0

    def _cited_beyond(self) -> Iterator[Violation]:
        """Yields the citations of the turn that end after its reply."""
        citations, self._citations = self._citations, []
        if not self._is_complete or not self._reply_bytes:
            return
        for path, end in citations:
            if end > self._reply_bytes:
                reason = f"byte {end} is after the end of the reply of {self._reply_bytes} bytes"
                yield Violation((*path, "endIndex"), "citation", "error", reason)

    def _circles(self) -> Iterator[Violation]:
        """Yields each circle of parents once, at the call that closes it."""
        done: set[str] = set()
        for first in self._parents:
            chain: dict[str, None] = {}
            key = first
            while key in self._parents and key not in done and key not in chain:
                chain[key] = None
                key = self._parents[key][0]
            if key in chain:
                last = list(chain)[-1]
                reason = f"the call {excerpt(key)} is among the parents of itself"
                yield Violation(self._parents[last][1], "circular_parent", "error", reason)
            done.update(chain)


def _cited_wrongly(
    citations: ces.Citations, inline: ces.Citations.InlineCitation, path: Path
) -> Iterator[Violation]:
    if not 0 <= inline.start_index <= inline.end_index:
        reason = f"bytes {inline.start_index} to {inline.end_index} are not a range"
        yield Violation((*path, "endIndex"), "citation", "error", reason)
    count = len(citations.cited_chunks)
    for index, number in enumerate(inline.cited_chunk_indices):
        if not 0 <= number < count:
            reason = f"source {number} does not exist among {count}"
            yield Violation((*path, "citedChunkIndices", index), "citation", "error", reason)
