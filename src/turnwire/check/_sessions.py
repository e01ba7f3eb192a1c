"""Checks the references in a CES session: tool calls, parents, turns and citations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from google.protobuf.message import Message

from turnwire import ces
from turnwire.check._fields import Visit, is_request
from turnwire.check._violation import Violation
from turnwire.errors import Path, excerpt

MAX_REMEMBERED = 500_000
"""The largest number of calls that are remembered; beyond it, absence proves nothing."""


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

    conditions: tuple[str, ...] = ()
    """The fields without which a message type is not checked."""

    def begin(self, message: Message) -> None:
        """Notes the message that comes next."""
        self._is_sent = is_request(message)
        self._has_answers |= not self._is_sent

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
        self._calls: set[int] = set()
        self._open_by_name: dict[str, int] = {}
        self._unanswered: dict[str, Path] = {}
        self._unknown_parents: dict[str, Path] = {}
        self._parents: dict[str, tuple[str, Path]] = {}
        self._turn = 0
        self._reply_bytes = 0
        self._citations: list[tuple[Path, int]] = []
        self._seen_count = 0

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
            place = (*path, "parentToolCallId")
            if hash(parent) not in self._calls:
                self._unknown_parents.setdefault(parent, place)
            if call.id and len(self._parents) < MAX_REMEMBERED:
                self._parents.setdefault(call.id, (parent, place))
        return iter(())

    def _remember(self, key: str) -> None:
        if self._seen_count <= MAX_REMEMBERED:
            # The hash takes a third of the memory; two calls with one hash only hide a violation.
            self._calls.add(hash(key))
        self._unanswered.pop(key, None)
        self._unknown_parents.pop(key, None)

    def _response(self, response: ces.ToolResponse, path: Path) -> Iterator[Violation]:
        if self._is_sent and not self._has_answers:
            return  # the calls are in answers, which are not recorded here
        name = ces.tool_name_of(response)
        open_calls = self._open_by_name.get(name, 0)
        self._open_by_name[name] = max(open_calls - 1, 0)
        if response.id:
            if hash(response.id) not in self._calls and len(self._unanswered) < MAX_REMEMBERED:
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
            yield from self._cited_beyond()
            self._turn = turn
            self._reply_bytes = 0
        self._reply_bytes += len(output.text.encode("utf-8", "surrogatepass"))
        for index, inline in enumerate(output.citations.inline_citations):
            place = (*path, "citations", "inlineCitations", index)
            yield from _cited_wrongly(output.citations, inline, place)
            self._citations.append((place, inline.end_index))
        if output.turn_completed:
            yield from self._cited_beyond()
            self._turn = max(self._turn, turn)

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
