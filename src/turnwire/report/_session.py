"""The model of a CES session."""

from __future__ import annotations

import base64
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from google.protobuf.message import Message as ProtobufMessage

from turnwire import ces
from turnwire.errors import Path, TurnwireError
from turnwire.protojson import to_dict
from turnwire.report import _traces
from turnwire.report._entries import by_turn
from turnwire.report._media import audio_of, media_of
from turnwire.report._model import (
    Block,
    Call,
    Calls,
    Citation,
    Code,
    Conversation,
    Data,
    Entry,
    Kind,
    Links,
    Pairs,
    Problem,
    Source,
    Text,
    Turn,
)
from turnwire.report._redacting import Redaction, json_value
from turnwire.report._words import counted, nanoseconds_between, start_of, summary_of

_USER = "user"
_NAMELESS = ("", "agent", "model", _USER)


def conversation_of(
    session: ces.Session, redaction: Redaction, problems: Sequence[Problem] = ()
) -> Conversation:
    """Returns the model of a session."""
    said: dict[int | None, list[ces.TranscriptEntry]] = {}
    for entry in session.transcript:
        said.setdefault(entry.turn, []).append(entry)
    called: dict[int | None, list[ces.ToolExchange]] = {}
    for exchange in session.tool_exchanges:
        called.setdefault(exchange.turn, []).append(exchange)
    waiting = by_turn(problems)
    views = {turn.index: turn for turn in session.turns}
    indices = sorted({index for index in (*views, *said, *called) if index is not None})
    turns: list[Turn] = []
    for position, index in enumerate(indices):
        view = views.get(index, ces.Turn(index))
        path: Path = ("turns", position)
        reading = _Reading(
            view,
            said.get(index, []),
            called.get(index, []),
            path,
            redaction,
            session.output_audio_config,
        )
        entries = chain(reading.entries(), _traces.entries_of(view, path, redaction))
        turns.append(_turn(index, view, [*entries, *waiting.pop(position, ())]))
    if None in said or None in called:
        path = ("messages",)
        nowhere = _Reading(None, said.get(None, []), called.get(None, []), path, redaction)
        problems_here = waiting.pop(len(turns), ())
        turns.append(_turn(None, None, [*nowhere.entries(), *problems_here]))
    closing = [*_closing(session, redaction), *chain.from_iterable(waiting.values())]
    count = len(views)
    title = f"Session of {counted(count, 'turn')}" if count else "Session"
    return Conversation(title, tuple(turns), tuple(closing))


def _turn(index: int | None, view: ces.Turn | None, entries: list[Entry]) -> Turn:
    states = []
    if view is not None and not view.completed:
        states.append("not completed")
    if view is not None and view.interrupted:
        states.append("interrupted")
    return Turn(index, tuple(states), tuple(entries), summary_of(entries), start_of(entries))


def entries_of_turn(turn: ces.Turn, redaction: Redaction) -> list[Entry]:
    """Returns the entries of one turn, which is all that is known of its session."""
    alone = ces.Session.collect(turn.messages)
    reading = _Reading(turn, alone.transcript, alone.tool_exchanges, ("turns", 0), redaction)
    return [*reading.entries(), *_traces.entries_of(turn, ("turns", 0), redaction)]


def entry_of_exchange(exchange: ces.ToolExchange, redaction: Redaction) -> Entry:
    """Returns the entry of one tool call and those that are nested in it."""
    [entry] = _Reading(None, (), (exchange,), (), redaction).entries()
    return entry


class _Reading:
    """The entries of one turn, or of all messages outside of turns.

    The messages of diagnostics come first, in the order of time; then the outputs, in theirs.
    """

    def __init__(
        self,
        view: ces.Turn | None,
        said: Sequence[ces.TranscriptEntry],
        called: Sequence[ces.ToolExchange],
        path: Path,
        redaction: Redaction,
        audio_config: ces.OutputAudioConfig | None = None,
    ) -> None:
        self._view = view
        self._said = said
        self._called = called
        self._path = path
        self._redaction = redaction
        times = [each.time for each in said] + [each.time for each in called]
        self._start = min((time for time in times if time is not None), default=None)
        self._audio_config = audio_config
        outputs = () if view is None else view.outputs
        self._reply = "" if view is None or not outputs else view.reply
        self._put_out = {
            _key_of(output.image if output.HasField("image") else output.payload)
            for output in outputs
            if output.HasField("image") or output.HasField("payload")
        }

    def entries(self) -> Iterator[Entry]:
        """Yields the entries, in order."""
        waiting: dict[str, deque[ces.ToolExchange]] = {}
        for exchange in self._called:
            waiting.setdefault(exchange.id or exchange.name, deque()).append(exchange)
        due: list[ces.ToolExchange] = []
        for said in self._said:
            others = [*self._said_entries(said)]
            if others and due:
                yield self._calls(due)
                due = []
            yield from others
            for chunk in said.chunks:
                due += _begun_in(chunk, waiting)
        due += chain.from_iterable(waiting.values())
        if due:
            yield self._calls(due)
        if self._view is not None:
            yield from self._output_entries(self._view)

    def _said_entries(self, said: ces.TranscriptEntry) -> Iterator[Entry]:
        is_user = said.role.lower() == _USER
        blocks = [*self._blocks_of(said, is_user=is_user)]
        if is_user and blocks:
            yield self._entry("user", self._label(_USER, said), blocks, said.time)
        elif any(isinstance(block, Text) for block in blocks):
            yield self._entry("reply", self._label("reply", said), blocks, said.time)
        elif blocks:
            yield self._entry("step", self._label("payload", said), blocks, said.time)
        for chunk in said.chunks:
            match chunk.WhichOneof("data"):
                case "updated_variables":
                    yield self._variables("variables changed", chunk.updated_variables, said.time)
                case "default_variables":
                    yield self._variables("default variables", chunk.default_variables, said.time)
                case "agent_transfer":
                    transfer = chunk.agent_transfer
                    words = _transfer_text(transfer)
                    text = self._redaction.text((*self._path, "transfer"), words)
                    yield self._entry("step", "transfer", [Text(text)], said.time)
                case None:
                    yield self._entry("other", "chunk", [Data(to_dict(chunk))], said.time)
                case _:
                    pass

    def _label(self, what: str, said: ces.TranscriptEntry) -> str:
        if self._view is None:
            return said.role or "message"
        return what if said.role.lower() in _NAMELESS else f"{what} ({said.role})"

    def _blocks_of(self, said: ces.TranscriptEntry, *, is_user: bool) -> Iterator[Block]:
        path = (*self._path, _USER if is_user else "reply")
        # Diagnostics repeat the reply; the outputs have it as the service sent it.
        repeats = not is_user and said.text.strip() and said.text.strip() in self._reply
        if said.text and not repeats:
            yield Text(self._redaction.text(path, said.text))
        for chunk in said.chunks:
            match chunk.WhichOneof("data"):
                case "image":
                    if is_user or _key_of(chunk.image) not in self._put_out:
                        yield media_of(chunk.image, self._redaction, path)
                case "blob":
                    yield media_of(chunk.blob, self._redaction, path)
                case "payload":
                    if is_user or _key_of(chunk.payload) not in self._put_out:
                        yield Data(self._json((*path, "payload"), chunk.payload))
                case _:
                    pass

    def _output_entries(self, view: ces.Turn) -> Iterator[Entry]:
        path, text = self._path, self._redaction.text
        if view.user_intended_text:
            words = text((*path, "userIntendedText"), view.user_intended_text)
            yield self._entry("user", "the user meant", [Text(words)])
        for note in view.progress:
            yield self._entry("progress", "progress", [Text(text((*path, "progress"), note))])
        blocks: list[Block] = []
        if self._reply or view.citations:
            shown = text((*path, "reply"), self._reply)
            kept = shown == self._reply
            citations = [self._citation(cited, is_placed=kept) for cited in view.citations]
            blocks.append(Text(shown, tuple(citations)))
        if view.audio:
            blocks.append(audio_of(view, self._audio_config))
        if blocks:
            yield self._entry("reply", "reply", blocks)
        for output in view.outputs:
            if output.HasField("payload"):
                value = self._json((*path, "payload"), output.payload)
                yield self._entry("step", "payload", [Data(value)])
            if output.HasField("image"):
                image = media_of(output.image, self._redaction, path)
                yield self._entry("media", "image", [image])
            if output.HasField("google_search_suggestions"):
                yield self._suggestions(output.google_search_suggestions)
            for packed in output.context:
                value = self._redaction.value((*path, "context"), _any_value(packed))
                yield self._entry("other", "context", [Data(value)])

    def _citation(self, cited: ces.CitedText, *, is_placed: bool) -> Citation:
        path = (*self._path, "citations")
        sources = tuple(
            Source(
                self._redaction.text((*path, "title"), source.title),
                self._redaction.text((*path, "uri"), source.uri),
                self._redaction.text((*path, "text"), source.text),
                source.requires_attribution,
            )
            for source in cited.sources
        )
        if cited.character_range is None or not is_placed:
            return Citation(sources)
        return Citation(sources, *cited.character_range)

    def _suggestions(self, suggested: ces.GoogleSearchSuggestions) -> Entry:
        path, text = (*self._path, "suggestions"), self._redaction.text
        links = tuple(
            Source(text((*path, "query"), query.query), text((*path, "uri"), query.uri))
            for query in suggested.web_search_queries
        )
        blocks: list[Block] = [Links(links)] if links else []
        blocks += [Code(text((*path, "html"), html), "html") for html in suggested.htmls]
        return self._entry("step", "search suggestions", blocks)

    def _variables(self, label: str, variables: ProtobufMessage, time: datetime | None) -> Entry:
        values = self._json((*self._path, "variables"), variables)
        return self._entry("variables", label, [Data(values, "values")], time)

    def _json(self, path: Path, message: ProtobufMessage) -> Any:
        return json_value(lambda: to_dict(message), path, self._redaction)

    def _calls(self, exchanges: Sequence[ces.ToolExchange]) -> Entry:
        calls = [self._call(depth, each) for depth, each in ces.walk_exchanges(exchanges)]
        first = exchanges[0]
        return self._entry("tools", "tool calls", [Calls(tuple(calls))], first.time)

    def _call(self, depth: int, exchange: ces.ToolExchange) -> Call:
        path = (*self._path, "toolCalls", exchange.name)
        outcome = "error" if exchange.status == "error" else "result"
        result = None
        if exchange.status == "error" and exchange.response is not None:
            result = self._value((*path, "result"), lambda: exchange.result)
        return Call(
            depth=depth,
            id=exchange.id,
            name=exchange.name,
            args=self._value((*path, "args"), lambda: exchange.args),
            status=exchange.status,
            outcome=self._value((*path, outcome), lambda: getattr(exchange, outcome)),
            result=result,
            agent=exchange.agent,
            unmatched=exchange.unmatched,
            time=exchange.time,
            offset_ns=nanoseconds_between(self._start, exchange.time),
            duration_ns=exchange.duration_ns,
        )

    def _value(self, path: Path, read: Callable[[], Any]) -> Any:
        return json_value(read, path, self._redaction)

    def _entry(
        self,
        kind: Kind,
        label: str,
        blocks: Iterable[Block],
        time: datetime | None = None,
    ) -> Entry:
        offset = nanoseconds_between(self._start, time)
        return Entry(kind, label, tuple(blocks), time, offset)


def _closing(session: ces.Session, redaction: Redaction) -> Iterator[Entry]:
    try:
        variables: Any = session.variables
    except TurnwireError as error:
        yield Entry("variables", "variables", (Text(f"unreadable: {error}"),))
    else:
        values = redaction.value(("variables",), variables)
        yield Entry("variables", "variables", (Pairs(values) if values else Text("none"),))
    if session.active_agent:
        agent = redaction.text(("activeAgent",), session.active_agent)
        yield Entry("end", "active agent", (Text(agent),))
    if session.going_away:
        yield Entry("end", "notice", (Text("the service is about to close the connection"),))
    yield Entry("end", "ended", tuple(_end_blocks(session.ended, redaction)))


def _end_blocks(end: ces.SessionEnd | None, redaction: Redaction) -> Iterator[Block]:
    if end is None:
        yield Text("no")
        return
    yield Text("yes, escalated" if end.escalated else "yes")
    if metadata := json_value(lambda: end.metadata, ("ended",), redaction):
        yield Data(metadata)


def _begun_in(
    chunk: ces.Chunk, waiting: dict[str, deque[ces.ToolExchange]]
) -> Iterator[ces.ToolExchange]:
    """Takes the exchange that a chunk begins from those that wait for their place."""
    match chunk.WhichOneof("data"):
        case "tool_call":
            key = chunk.tool_call.id or ces.tool_name_of(chunk.tool_call)
            if found := waiting.get(key):
                yield found.popleft()
        case "tool_response":
            key = chunk.tool_response.id or ces.tool_name_of(chunk.tool_response)
            if (found := waiting.get(key)) and found[0].unmatched:
                yield found.popleft()
        case _:
            pass


def _key_of(message: ProtobufMessage) -> bytes:
    """Returns bytes that are equal for equal messages."""
    return message.SerializeToString(deterministic=True)


def _transfer_text(transfer: ces.AgentTransfer) -> str:
    name = f" ({transfer.display_name})" if transfer.display_name else ""
    return f"{transfer.target_agent}{name}".strip()


def _any_value(packed: ProtobufMessage) -> Any:
    try:
        return to_dict(packed)
    except TurnwireError:  # a type that nobody imported
        data: bytes = getattr(packed, "value")  # noqa: B009
        type_url: str = getattr(packed, "type_url")  # noqa: B009
        return {"@type": type_url, "value": base64.b64encode(data).decode()}
