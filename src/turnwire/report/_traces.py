"""The spans of turns as entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwire import ces
from turnwire.errors import Path
from turnwire.report._model import Bar, Entry, Trace
from turnwire.report._redacting import Redaction, json_value
from turnwire.report._words import counted, duration_text

_TOKENS: Final = re.compile(r"token", re.IGNORECASE)
_FIRST: Final = re.compile(r"first[ _.-]?(chunk|audio|byte|token)|\bttf", re.IGNORECASE)


def entries_of(turn: ces.Turn, path: Path, redaction: Redaction) -> Iterator[Entry]:
    """Yields the entry of a turn's spans, if it has any."""
    rows = ces.span_rows(turn)
    if rows:
        start = _start_of(rows)
        bars = tuple(_bar(row, start, path, redaction) for row in rows)
        yield Entry("trace", "spans", (Trace(bars, (*_times(rows), *_facts(bars))),))


def _start_of(rows: Sequence[ces.SpanRow]) -> int | None:
    """Returns the start of the first of several traces, where all of them have a time."""
    starts = [row.start_ns for row in rows if row.start_ns is not None]
    return min(starts) if len(starts) == len(rows) else None


def _bar(row: ces.SpanRow, start: int | None, path: Path, redaction: Redaction) -> Bar:
    since = row.offset_ns
    if start is not None and row.start_ns is not None:
        since = row.start_ns - start
    attributes = json_value(lambda: row.attributes, (*path, "spans", row.name), redaction)
    return Bar(
        depth=row.depth,
        name=row.name,
        kind=row.kind,
        start_ns=since,
        is_estimated=row.start_estimated,
        duration_ns=row.duration_ns,
        self_ns=row.self_ns,
        is_critical=row.critical,
        attributes=attributes if isinstance(attributes, Mapping) else {"unreadable": attributes},
    )


def _times(rows: Sequence[ces.SpanRow]) -> Iterator[tuple[str, str]]:
    """Yields the time that each kind of work took, without the work that it waited for."""
    spans: dict[str, list[int]] = {}
    for row in rows:
        if row.self_ns is not None:
            spans.setdefault(row.kind, []).append(row.self_ns)
    for kind, times in spans.items():
        if sum(times):
            spent = f"{duration_text(sum(times))} in {counted(len(times), 'span')}"
            yield f"time of {kind}", spent


def _facts(bars: Sequence[Bar]) -> Iterator[tuple[str, str]]:
    """Yields numbers of tokens, added up, and times to the first output, as the service has them.

    A span's tokens are taken to include those of the spans in it.
    """
    tokens: dict[str, float] = {}
    firsts: list[tuple[str, str]] = []
    above: list[Mapping[str, Any]] = []
    for bar in bars:
        del above[bar.depth :]
        for name, value in bar.attributes.items():
            is_new = not any(name in attributes for attributes in above)
            if _FIRST.search(name):
                firsts.append((name, str(value)))
            elif is_new and _TOKENS.search(name) and isinstance(value, int | float):
                tokens[name] = tokens.get(name, 0) + value
        above.append(bar.attributes)
    yield from (
        (name, f"{number:g}" if number % 1 else str(int(number))) for name, number in tokens.items()
    )
    yield from firsts
