"""Rows of spans: places in the tree and in time, self time, kinds, and columns."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import turnwire
from turnwire import ces, from_dict

ROOT = Path(__file__).resolve().parents[2]
SECOND = 1_000_000_000


def turn(*roots: dict[str, object], index: int = 1) -> ces.Turn:
    return ces.Turn(index=index, root_spans=tuple(from_dict(ces.Span, root) for root in roots))


def span(
    name: str, start: int | None, duration: float | None, *children: object
) -> dict[str, object]:
    made: dict[str, object] = {"name": name, "childSpans": list(children)}
    if start is not None:
        made["startTime"] = f"2025-06-14T18:00:{start:02}Z"
    if duration is not None:
        made["duration"] = f"{duration}s"
    return made


def test_the_rows_of_the_example() -> None:
    path = str(ROOT / "examples" / "ces_session.ndjson")
    session = ces.Session.collect(turnwire.read(ces.RunSessionResponse, path))
    rows = ces.span_rows(session)
    assert [row.span for row in rows] == [each for _, each in ces.walk_spans(session.root_spans)]
    assert [row.depth for row in rows] == [depth for depth, _ in ces.walk_spans(session.root_spans)]
    assert [row.turn for row in rows] == [1] * 4 + [2] * 7 + [3]
    assert [row.kind for row in rows[:4]] == ["turn", "llm", "tool", "llm"]
    assert rows[2].attributes == {"tool": "find_boats"}
    assert rows[7].path == ("Turn", "Tool", "Tool")
    assert rows[0].start == datetime(2025, 6, 14, 18, 2, 1, tzinfo=UTC)
    assert [row.start_estimated for row in rows[:4]] == [False, True, False, True]
    critical = [each for root in session.root_spans for each in ces.critical_path(root)]
    assert [row.span for row in rows if row.critical] == critical


def test_a_tree_without_self_time_at_its_root() -> None:
    (root, *_) = ces.span_rows(turn(span("a", 0, 4, span("b", 0, 4))))
    assert root.self_ns == 0


def test_self_time_counts_parallel_children_once_and_clips_them() -> None:
    children = (span("b", 1, 3), span("c", 2, 3), span("d", 8, 9), span("e", 6, None))
    root, *rows = ces.span_rows(turn(span("a", 0, 10, *children)))
    assert root.self_ns == 4 * SECOND
    assert [row.self_ns for row in rows] == [3 * SECOND, 3 * SECOND, 9 * SECOND, None]
    assert [row.offset_ns // SECOND for row in rows] == [1, 2, 8, 6]


def test_starts_that_the_service_leaves_out_are_estimated() -> None:
    inner = span("c", None, 1, span("d", None, 0.5))
    rows = ces.span_rows(turn(span("a", 10, 5, span("b", None, 2), inner, span("e", None, 4))))
    # The last one fits only beside the others.
    assert [row.offset_ns / SECOND for row in rows] == [0, 0, 2, 2, 1]
    assert [row.start_estimated for row in rows] == [False, True, True, True, True]
    assert rows[2].start == datetime(2025, 6, 14, 18, 0, 12, tzinfo=UTC)


def test_a_tree_without_any_time_has_offsets_alone() -> None:
    rows = ces.span_rows(turn(span("a", None, 5, span("b", None, 2), span("c", 3, 2))))
    assert [row.start_ns for row in rows] == [None] * 3
    assert [row.start for row in rows] == [None] * 3
    assert [row.offset_ns // SECOND for row in rows] == [0, 0, 2]
    assert all(row.start_estimated for row in rows)


def test_an_end_and_a_duration_make_a_start() -> None:
    timed = {"name": "b", "endTime": "2025-06-14T18:00:04Z", "duration": "1.5s"}
    _, row = ces.span_rows(turn(span("a", 0, 5, timed)))
    assert (row.offset_ns, row.start_estimated) == (2_500_000_000, False)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("LLM", "llm"),
        ("Model", "llm"),
        ("callModel", "llm"),
        ("before_model_callback", "callback"),
        ("BeforeToolCallback", "callback"),
        ("LLMCall", "llm"),
        ("Tool: find_boats", "tool"),
        ("Guardrail check of a tool", "guardrail"),
        ("Agent transfer", "agent"),
        ("Tide gauge", "other"),
        ("Remodelling", "other"),
        ("", "other"),
    ],
)
def test_words_of_the_name_tell_the_kind(name: str, kind: str) -> None:
    (row,) = ces.span_rows(turn(span(name, 0, 1)))
    assert row.kind == kind


def test_a_deep_tree_has_rows() -> None:
    root = ces.Span(name="n")
    inner = root
    for _ in range(2000):
        inner = inner.child_spans.add(name="n")
    rows = ces.span_rows(ces.Turn(index=1, root_spans=(root,)))
    assert rows[-1].depth == 2000


SPANS = st.recursive(
    st.builds(
        span, st.sampled_from("ab"), st.integers(0, 9) | st.none(), st.integers(0, 9) | st.none()
    ),
    lambda inner: st.builds(
        lambda name, start, length, children: span(name, start, length, *children),
        st.sampled_from("ab"),
        st.integers(0, 9) | st.none(),
        st.integers(0, 9) | st.none(),
        st.lists(inner, max_size=3),
    ),
    max_leaves=8,
)


@given(SPANS)
def test_self_times_are_within_durations(root: dict[str, object]) -> None:
    rows = ces.span_rows(turn(root))
    assert [row.span for row in rows] == [each for _, each in ces.walk_spans(rows[0].span)]
    for row in rows:
        assert (row.self_ns is None) == (row.duration_ns is None)
        if row.duration_ns is not None:
            assert 0 <= row.self_ns <= row.duration_ns  # type: ignore[operator]
        assert (row.start_ns is None) == (rows[0].start_ns is None)
    for before, after in pairwise(rows):
        assert after.depth <= before.depth + 1


def test_columns_are_the_rows() -> None:
    view = turn(span("Turn", 0, 5, {"name": "Tool", "attributes": {"n": 1, "a": "x"}}), index=4)
    table = ces.span_table(view)
    assert table.column_names[:4] == ["turn", "path", "depth", "name"]
    rows: Iterable[dict[str, object]] = table.to_pylist()
    assert [(row["turn"], row["path"], row["kind"]) for row in rows] == [
        (4, ["Turn"], "turn"),
        (4, ["Turn", "Tool"], "tool"),
    ]
    assert table["start"].cast(pa.int64()).to_pylist() == [
        each.start_ns for each in ces.span_rows(view)
    ]
    assert table["attributes"].to_pylist() == ["{}", '{"a":"x","n":1}']
    assert table.schema == ces.span_table(ces.Session()).schema


def test_columns_hold_292_years() -> None:
    with pytest.raises(turnwire.SerializeError, match=r"do not fit 64 bits at \$\.duration_ns"):
        ces.span_table(turn(span("Turn", 0, 10**10)))
    bad = ces.Span(name="x")
    bad.attributes["n"] = float("nan")
    with pytest.raises(turnwire.SerializeError, match="element 0"):
        ces.span_table(ces.Turn(index=1, root_spans=(bad,)))
    (row,) = ces.span_rows(ces.Turn(index=1, root_spans=(bad,)))
    with pytest.raises(turnwire.SerializeError):
        _ = row.attributes


def test_a_start_outside_of_the_calendar_has_no_date() -> None:
    far = ces.Span(name="x")
    far.start_time.seconds = 10**12
    (row,) = ces.span_rows(ces.Turn(index=1, root_spans=(far,)))
    assert row.start is None
    assert row.start_ns == 10**21
