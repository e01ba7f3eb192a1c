"""The model of a conversation as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, assert_never

from turnwire._printable import on_one_line, printable
from turnwire._shown import cell_text, json_text, one_line, utf8
from turnwire.errors import TurnwireError
from turnwire.report._charts import tables_in
from turnwire.report._model import (
    MAX_ROWS,
    Block,
    Call,
    Calls,
    Chart,
    Citation,
    Code,
    Conversation,
    Data,
    Entry,
    Links,
    Media,
    Options,
    Pairs,
    Source,
    Table,
    Text,
    Trace,
    Turn,
)
from turnwire.report._words import (
    bar_text,
    call_notes,
    chart_text,
    cited_words,
    counted,
    duration_text,
    is_sparse,
    is_web,
    media_text,
    overview_of,
    states_text,
    utc_text,
)

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&$])")
_STARTS: Final = re.compile(r"(?m)^([ \t]*(?:\d{1,9}(?=[.)])|(?=[#+=-])))")
_FENCE: Final = re.compile(r"`{3,}")
_MAX_SHORT: Final = 72
_MAX_DEPTH: Final = 20


def document_of(shown: Conversation, *, charts: bool, media: bool) -> str:
    """Returns the document."""
    writing = _Writing(charts=charts, media=media)
    return utf8("\n\n".join(writing.document(shown)) + "\n").decode()


class _Writing:
    """One document while it is written, paragraph by paragraph."""

    def __init__(self, *, charts: bool, media: bool) -> None:
        self._charts = charts
        self._media = media
        self._left_out: list[str] = []

    def document(self, shown: Conversation) -> Iterator[str]:
        yield f"# {escaped(on_one_line(shown.title))}"
        if shown.turns:
            yield escaped(overview_of(shown))
            for turn in shown.turns:
                yield from self._turn(turn)
        else:
            yield "It holds no turns."
        if shown.closing:
            yield "## At the end"
            yield from self._entries(shown.closing)
        if reasons := [*shown.left_out, *self._left_out]:
            yield "Left out:"
            yield "\n".join(f"- {escaped(reason)}" for reason in reasons)

    def _turn(self, turn: Turn) -> Iterator[str]:
        name = "Outside of turns" if turn.number is None else f"Turn {turn.number}"
        yield f"## {name}{states_text(turn)}"
        yield from self._entries(turn.entries)

    def _entries(self, entries: Iterable[Entry]) -> Iterator[str]:
        return chain.from_iterable(map(self._entry, entries))

    def _entry(self, entry: Entry) -> Iterator[str]:
        notes = [] if entry.time is None else [utc_text(entry.time)]
        if entry.duration_ns is not None:
            notes.append(f"took {duration_text(entry.duration_ns)}")
        about = f" ({', '.join(notes)})" if notes else ""
        head = f"**{escaped(on_one_line(entry.label))}**{about}:"
        first, *others = entry.blocks or (Text(""),)
        if isinstance(first, Text):
            yield f"{head} {escaped(first.text)}".rstrip()
            yield from self._citations(first)
        else:
            yield head
            others = [first, *others]
        for block in others:
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Text():
                yield escaped(block.text)
                yield from self._citations(block)
            case Code():
                yield fenced(block.text, block.language)
            case Data():
                yield _json(block.value)
            case Pairs():
                pairs = block.values.items()
                yield "\n".join(f"- {escaped(name)}: {_inline(value)}" for name, value in pairs)
            case Options():
                yield "\n".join(f"- {escaped(text)}" for text in block.texts)
            case Links():
                yield "\n".join(f"- {_link(link)}" for link in block.links)
            case Table():
                yield from self._table(block)
            case Media():
                yield self._medium(block)
            case Chart():
                yield from self._chart(block)
            case Calls():
                yield "\n".join(chain.from_iterable(map(_call_lines, block.calls)))
            case Trace():
                yield "\n".join(_trace_lines(block))
            case _:
                assert_never(block)

    def _citations(self, text: Text) -> Iterator[str]:
        if text.citations:
            cited = enumerate(text.citations, 1)
            yield "\n".join(f"{n}. {_citation(each, text.text)}" for n, each in cited)

    def _table(self, table: Table) -> Iterator[str]:
        rows = table.rows[:MAX_ROWS]
        if is_sparse(table, MAX_ROWS):
            yield fenced("\n".join(one_line(row, 400) for row in rows), "json")
        elif table.columns:
            lines = [_row(table.columns), _row(["---"] * len(table.columns), is_text=False)]
            lines += [_row([cell_text(row[name]) for name in table.columns]) for row in rows]
            yield "\n".join(lines)
        if (left := len(table.rows) - len(rows)) > 0:
            self._left_out.append(f"{counted(left, 'row')} of a table: it holds {MAX_ROWS}")

    def _medium(self, media: Media) -> str:
        reason = (
            media.problem or "Markdown holds no media" if self._media else "media are switched off"
        )
        self._left_out.append(f"{media.kind}, {media_text(media)}: {reason}")
        return f"{media.kind}: {escaped(media_text(media))}"

    def _chart(self, chart: Chart) -> Iterator[str]:
        yield escaped(chart_text(chart))
        if chart.image is not None:
            self._medium(chart.image)
        if chart.spec is None:
            return
        if not self._charts:
            self._left_out.append(f"data of the chart {chart.title}: charts are switched off")
            return
        for name, table in tables_in(chart.spec):
            yield f"chart data: {escaped(name)}"
            yield from self._table(table)


def escaped(text: str) -> str:
    r"""Returns a text that Markdown shows as it is.

    >>> escaped("<b> *5* [x](y)")
    '\\<b\\> \\*5\\* \\[x\\](y)'
    >>> escaped("1. no list")
    '1\\. no list'
    """
    lines = _STARTS.sub(r"\1\\", _SPECIAL.sub(r"\\\1", printable(text))).split("\n")
    # Blanks at the start of a line would make code of it, and a blank line ends a list.
    kept = [line.lstrip(" \t") for line in lines]
    return "\\\n".join(kept).replace("\n\\\n", "\n\n")


def fenced(text: str, language: str = "") -> str:
    """Returns a block of code behind a fence that is longer than any in it."""
    longest = max((len(found) for found in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{printable(text)}\n{fence}"


def _json(value: Any) -> str:
    try:
        return fenced(json_text(value), "json")
    except TurnwireError as error:
        return escaped(str(error))


def _inline(value: Any) -> str:
    return escaped(one_line(value, 10 * _MAX_SHORT))


def _row(texts: Iterable[str], *, is_text: bool = True) -> str:
    shown = [escaped(on_one_line(text)) if is_text else text for text in texts]
    return f"| {' | '.join(shown)} |"


def _link(source: Source) -> str:
    title = escaped(on_one_line(source.title or source.uri or "a source without a name"))
    if is_web(source.uri):
        address = source.uri.replace("<", "%3C").replace(">", "%3E")
        return f"[{title}](<{printable(address)}>)"
    return f"{title} {escaped(source.uri)}".rstrip()


def _citation(citation: Citation, text: str) -> str:
    words = cited_words(text, citation)
    sources = [
        _link(source)
        + (f" “{escaped(on_one_line(source.text))}”" if source.text else "")
        + (" (must be shown)" if source.must_be_shown else "")
        for source in citation.sources
    ]
    return (f"{escaped(words)} from " if words else "") + (", ".join(sources) or "no source")


def _call_lines(call: Call) -> Iterator[str]:
    indent = "  " * min(call.depth, _MAX_DEPTH)
    notes = call_notes(call)
    notes += [] if call.duration_ns is None else [duration_text(call.duration_ns)]
    about = f" ({escaped(', '.join(notes))})" if notes else ""
    name = escaped(on_one_line(call.name or "a tool without a name"))
    yield f"{indent}- **{name}**: {call.status}{about}"
    if call.args:
        yield f"{indent}  - arguments: {_inline(call.args)}"
    if call.status != "pending":
        outcome = "error" if call.status == "error" else "result"
        yield f"{indent}  - {outcome}: {_inline(call.outcome)}"
    if call.result is not None:
        yield f"{indent}  - result beside the error: {_inline(call.result)}"


def _trace_lines(trace: Trace) -> Iterator[str]:
    for bar in trace.bars:
        indent = "  " * min(bar.depth, _MAX_DEPTH)
        yield f"{indent}- {escaped(on_one_line(bar.name))}: {escaped(bar_text(bar))}"
    for name, value in trace.totals:
        yield f"- {escaped(on_one_line(name))}: {escaped(on_one_line(value))}"
