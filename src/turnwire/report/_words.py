"""Numbers, times and sizes in words, the same in every output."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from turnwire._shown import one_line
from turnwire.report._model import (
    Bar,
    Call,
    Calls,
    Chart,
    Citation,
    Conversation,
    Entry,
    Media,
    Table,
    Text,
    Turn,
)

_MAX_SUMMARY = 50
_MAX_CITED = 200
"""The number of characters of cited words that are read; citations may overlap at will."""
_WEB = re.compile(r"https?://[^\s\x00-\x1f]+\Z", re.IGNORECASE)


def duration_text(nanoseconds: int) -> str:
    """Returns a duration for people, to the millisecond or, where it is short, finer.

    >>> duration_text(1_400_000_000), duration_text(250_000_000), duration_text(4_200)
    ('1.4 s', '250 ms', '0.004 ms')
    """
    sign = "-" if nanoseconds < 0 else ""
    size = abs(nanoseconds)
    if size >= 60_000_000_000:
        minutes, rest = divmod(size, 60_000_000_000)
        return f"{sign}{minutes} min {_shortest(rest / 1e9)} s"
    if size >= 1_000_000_000:
        return f"{sign}{_shortest(size / 1e9)} s"
    return f"{sign}{_shortest(size / 1e6)} ms"


def size_text(count: int) -> str:
    """Returns a number of bytes in words.

    >>> size_text(1), size_text(8400)
    ('1 byte', '8400 bytes')
    """
    return counted(count, "byte")


def counted(count: int, noun: str) -> str:
    """Returns a number with its noun.

    >>> counted(1, "turn"), counted(0, "row")
    ('1 turn', '0 rows')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def utc_text(time: datetime) -> str:
    """Returns a time in UTC, to the millisecond where it has any.

    >>> utc_text(datetime(2025, 6, 14, 18, 2, 1, 200_000, tzinfo=UTC))
    '2025-06-14 18:02:01.200 UTC'
    """
    shown = time.astimezone(UTC)
    fraction = f".{shown.microsecond // 1000:03}" if shown.microsecond else ""
    return f"{shown:%Y-%m-%d %H:%M:%S}{fraction} UTC"


def clock_text(time: datetime) -> str:
    """Returns the time of day in UTC, to the millisecond where it has any.

    >>> clock_text(datetime(2025, 6, 14, 18, 2, 1, tzinfo=UTC))
    '18:02:01'
    """
    return utc_text(time).split()[1]


def start_of(entries: Iterable[Entry]) -> datetime | None:
    """Returns the first time in entries; None where none has one."""
    return min((entry.time for entry in entries if entry.time is not None), default=None)


def nanoseconds_between(start: datetime | None, end: datetime | None) -> int | None:
    """Returns the nanoseconds from one time to another; None where one of them is not known."""
    if start is None or end is None:
        return None
    return (end - start) // timedelta(microseconds=1) * 1000


def cited_words(text: str, citation: Citation) -> str:
    """Returns cited words, quoted, on one line and cut; ``""`` where all of the text is cited."""
    if citation.start is None or citation.end is None:
        return ""
    return one_line(text[citation.start : min(citation.end, citation.start + _MAX_CITED)])


def states_text(turn: Turn) -> str:
    """Returns the states of a turn, to stand behind its name; ``""`` where it has none."""
    return f" ({', '.join(turn.states)})" if turn.states else ""


def call_notes(call: Call) -> list[str]:
    """Returns the notes beside a call's name: its agent, and whether only the response was seen."""
    notes = [f"agent {call.agent}"] if call.agent else []
    return [*notes, "no call was seen"] if call.unmatched else notes


def is_sparse(table: Table, max_rows: int | None = None) -> bool:
    """Reports whether the first rows lack cells: they have few of very many columns."""
    return any(len(row) < len(table.columns) for row in table.rows[:max_rows])


def bar_text(bar: Bar) -> str:
    """Returns the facts of a span beside its name, such as ``250 ms (tool, critical path)``."""
    duration = "" if bar.duration_ns is None else duration_text(bar.duration_ns)
    notes = [bar.kind]
    if bar.is_critical:
        notes.append("critical path")
    if bar.is_estimated:
        notes.append("estimated start")
    shown = f"{duration} ({', '.join(filter(None, notes))})".lstrip()
    return f"{shown} {one_line(bar.attributes)}" if bar.attributes else shown


def media_text(media: Media) -> str:
    """Returns the words for media, such as ``a plan (image/png, 89 bytes)``."""
    about = ", ".join(filter(None, (media.mime_type, size_text(len(media.data)))))
    return f"{media.description} ({about})" if media.description else about


def chart_text(chart: Chart) -> str:
    """Returns the words for a chart: its title and its picture, or why it cannot be read."""
    if chart.problem:
        return f"unreadable: {chart.problem}"
    image = chart.image
    return chart.title if image is None else f"{chart.title} ({media_text(image)})"


def is_web(uri: str) -> bool:
    """Reports whether a page may link to an address.

    >>> is_web("HTTPS://menu.example"), is_web("javascript:alert(1)"), is_web("")
    (True, False, False)
    """
    return _WEB.match(uri) is not None


def overview_of(shown: Conversation) -> str:
    """Returns the facts about a conversation on one line."""
    calls = [
        call
        for turn in shown.turns
        for entry in turn.entries
        for block in entry.blocks
        if isinstance(block, Calls)
        for call in block.calls
    ]
    states = Counter(call.status for call in calls)
    facts = [counted(sum(turn.number is not None for turn in shown.turns), "turn")]
    if calls:
        notes = [f"{states['error']} failed"] if states["error"] else []
        notes += [f"{states['pending']} pending"] if states["pending"] else []
        facts.append(counted(len(calls), "tool call") + (f" ({', '.join(notes)})" if notes else ""))
    times = [entry.time for turn in shown.turns for entry in turn.entries if entry.time]
    if times:
        facts.append(f"{utc_text(min(times))} to {utc_text(max(times))}")
    return "; ".join(facts)


def summary_of(entries: Iterable[Entry]) -> str:
    """Returns the first words of a turn, on one line: those of the user, if there are any."""
    texts = [
        (entry.kind != "user", " ".join(block.text.split()))
        for entry in entries
        if entry.kind in ("user", "reply")
        for block in entry.blocks
        if isinstance(block, Text)
    ]
    text = min(texts, key=lambda each: each[0])[1] if texts else ""
    return text if len(text) <= _MAX_SUMMARY else f"{text[: _MAX_SUMMARY - 1]}…"


def _shortest(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
