"""Shows the entries of a conversation's model as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, assert_never

from turnwire._cli.layout import (
    INDENT,
    Line,
    Span,
    block,
    indented,
    labelled,
    styled,
    wrapped,
)
from turnwire._cli.tables import table
from turnwire._printable import on_one_line
from turnwire._shown import one_line
from turnwire.report._model import (
    Block,
    Call,
    Calls,
    Chart,
    Citation,
    Code,
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
    is_sparse,
    media_text,
    states_text,
)

_MIN_WIDTH = 20
_MAX_LINES = 6


class Screen(NamedTuple):
    """The room for what is shown.

    Attributes:
        width: The columns of the screen; None for lines of any length.
        max_rows: How many rows of each table are shown; None for all.
    """

    width: int | None = None
    max_rows: int | None = None

    def within(self, indent: str) -> Screen:
        """Returns the screen that is left behind an indent."""
        return self if self.width is None else Screen(self.width - len(indent), self.max_rows)


def lines_of_turn(turn: Turn, screen: Screen) -> Iterator[str]:
    """Yields a heading and the entries of a turn; those outside of turns have no heading."""
    if turn.number is None:
        yield from _lines(turn.entries, screen)
        return
    yield styled(f"turn {turn.number}{states_text(turn)}", "heading")
    yield from indented(_lines(turn.entries, screen.within(INDENT)))


def lines_of_entries(entries: Iterable[Entry], screen: Screen) -> Iterator[str]:
    """Yields entries, with a blank line around each that takes several lines by its nature."""
    is_first, is_apart = True, False
    for entry in entries:
        stands_apart = _stands_apart(entry)
        is_apart = is_apart or stands_apart
        for line in lines_of_entry(entry, screen):
            if is_apart and not is_first:
                yield ""
            is_first = is_apart = False
            yield line
        is_apart = is_apart or stands_apart


def lines_of_entry(entry: Entry, screen: Screen) -> Iterator[str]:
    """Yields one entry: its label before its first block, which further blocks stand below."""
    label = on_one_line(entry.label)
    if entry.kind == "end":
        yield from labelled(label, ", ".join(map(_on_one_line, entry.blocks)))
        return
    for position, each in enumerate(entry.blocks):
        lines = _lines_of_block(each, label, screen)
        if position and not isinstance(each, Media):
            # The label is said.
            first, *others = lines
            said = first.removeprefix(f"{label}:").lstrip()
            yield from indented([said] if said else [])
            lines = iter(others)
        yield from lines


def lines_of_left_out(reasons: Iterable[str]) -> Iterator[str]:
    """Yields what is left out, and why."""
    for reason in reasons:
        yield from labelled("left out", reason)


def _lines(entries: Iterable[Entry], screen: Screen) -> Iterator[str]:
    return (line for entry in entries for line in lines_of_entry(entry, screen))


def _stands_apart(entry: Entry) -> bool:
    if entry.kind in ("reply", "table", "trace"):
        return True
    return any(isinstance(each, Code | Options | Table) for each in entry.blocks)


def _lines_of_block(shown: Block, label: str, screen: Screen) -> Iterator[str]:
    match shown:
        case Text():
            yield from labelled(label, shown.text)
            for citation in shown.citations:
                yield from _lines_of_citation(citation, shown.text)
        case Code():
            yield from block(label, shown.text)
        case Data():
            yield from labelled(label, one_line(shown.value))
        case Pairs():
            yield styled(f"{label}:", "label")
            for name, value in shown.values.items():
                yield from labelled(on_one_line(name), one_line(value), INDENT)
        case Options():
            yield styled(f"{label}:", "label")
            yield from (f"  - {on_one_line(option)}" for option in shown.texts)
        case Links():
            yield from labelled(label, ", ".join(_source_text(link) for link in shown.links))
        case Table():
            yield from _lines_of_table(shown, label, screen)
        case Media():
            yield from labelled(shown.kind, on_one_line(media_text(shown)))
        case Chart():
            yield from labelled(label, on_one_line(chart_text(shown)))
        case Calls():
            yield from _lines_of_calls(shown, label, screen.width)
        case Trace():
            yield from _lines_of_trace(shown, label)
        case _:
            assert_never(shown)


def _on_one_line(shown: Block) -> str:
    return (
        one_line(shown.value)
        if isinstance(shown, Data)
        else on_one_line(shown.text if isinstance(shown, Text) else "")
    )


def _lines_of_citation(citation: Citation, text: str) -> Iterator[str]:
    sources = ", ".join(map(_source_text, citation.sources)) or "no source"
    words = cited_words(text, citation)
    yield f"  cites: {words} from {sources}" if words else f"  cites: {sources}"


def _source_text(source: Source) -> str:
    address = f"<{source.uri}>" if source.uri else ""
    return on_one_line(f"{source.title} {address}".strip())


def _lines_of_table(shown: Table, label: str, screen: Screen) -> Iterator[str]:
    yield styled(label, "label", label.rfind(":") + 1)
    rows = shown.rows if screen.max_rows is None else shown.rows[: screen.max_rows]
    if is_sparse(shown, screen.max_rows):
        yield from indented(map(one_line, rows))
    else:
        yield from indented(table(shown.columns, rows, screen.within(INDENT).width))
    if left := len(shown.rows) - len(rows):
        yield from indented(
            [styled(f"… {counted(left, 'more row')} (--rows 0 shows all)", "faint")]
        )


def _lines_of_calls(shown: Calls, label: str, width: int | None) -> Iterator[str]:
    yield styled(f"{label}:", "label")
    for call in shown.calls:
        indent = INDENT * (1 + call.depth)
        line = _call_line(call)
        room = None if width is None else max(width - len(indent) - len(INDENT), _MIN_WIDTH)
        first, *others = [line] if room is None else wrapped(line, room, _MAX_LINES)
        yield from indented([_with_status(first, call)], indent)
        yield from indented(others, indent + INDENT)


def _call_line(call: Call) -> str:
    outcome = "" if call.status == "pending" else f" {one_line(call.outcome)}"
    notes = [*map(on_one_line, call_notes(call))]
    if call.result is not None:
        notes.append(f"with a result {one_line(call.result)}")
    shown = f"{on_one_line(call.name)}({one_line(call.args)}) -> {call.status}{outcome}"
    return shown + (f" [{', '.join(notes)}]" if notes else "")


def _with_status(line: str, call: Call) -> str:
    """Returns a line in which an error is seen at once."""
    mark = f" -> {call.status}"
    start = line.find(mark)
    if call.status != "error" or start < 0:
        return line
    shown = Line(line)
    shown.spans = (Span(start, start + len(mark), "error"),)
    return shown


def _lines_of_trace(shown: Trace, label: str) -> Iterator[str]:
    yield styled(f"{label}:", "label")
    for bar in shown.bars:
        yield f"{INDENT * (1 + bar.depth)}{on_one_line(bar.name)} {bar_text(bar)}".rstrip()
    for name, value in shown.totals:
        yield from labelled(on_one_line(name), on_one_line(value), INDENT)
