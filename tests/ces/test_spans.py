"""Spans: walking, finding, exact totals and the critical path."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from turnwire import ces, from_dict


def span(name: str = "", duration: str | None = None, *children: ces.Span, **more: str) -> ces.Span:
    made = from_dict(ces.Span, {"name": name, "duration": duration, **more})
    made.child_spans.extend(children)
    return made


def test_walk_and_find() -> None:
    root = span("a", "4s", span("b", "1s", span("a", "0.5s")), span("c", "2s"))
    assert [(depth, each.name) for depth, each in ces.walk_spans(root)] == [
        (0, "a"),
        (1, "b"),
        (2, "a"),
        (1, "c"),
    ]
    assert [each.duration.seconds for each in ces.find_spans(root, "a")] == [4, 0]
    assert ces.find_spans(root, "x") == ()


def test_a_deep_tree() -> None:
    root = span("n", "1s")
    inner = root
    for _ in range(3000):
        inner = inner.child_spans.add(name="n")
        inner.duration.nanos = 1
    assert ces.durations_ns_of(root) == {"n": 1_000_003_000}
    assert len(ces.critical_path(root)) == 3001


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 10**18)), max_size=6))
def test_totals_are_exact(parts: list[tuple[str, int]]) -> None:
    root = ces.Span()
    for name, nanoseconds in parts:
        child = root.child_spans.add(name=name)
        child.duration.seconds, child.duration.nanos = divmod(nanoseconds, 10**9)
    expected: dict[str, int] = {}
    for name, nanoseconds in parts:
        expected[name] = expected.get(name, 0) + nanoseconds
    assert ces.durations_ns_of(root) == expected
    assert ces.durations_ns_of([root, root]) == {name: 2 * each for name, each in expected.items()}


def test_an_absent_duration_is_the_time_from_start_to_end() -> None:
    start = "2025-06-14T18:00:00.999999999Z"
    timed = span("a", startTime=start, endTime="2025-06-14T18:00:01.000000001Z")
    assert ces.duration_ns_of(timed) == 2
    half = span("b", startTime=start)
    assert ces.duration_ns_of(half) is None
    assert ces.duration_ns_of(span("c", "0s")) == 0
    assert ces.durations_ns_of([timed, half, span("", "1s"), span("c", "0s")]) == {"a": 2, "c": 0}


def timed(name: str, start: float, end: float, *children: ces.Span) -> ces.Span:
    made = ces.Span(name=name)
    made.start_time.FromNanoseconds(round(start * 10**9))
    made.end_time.FromNanoseconds(round(end * 10**9))
    made.child_spans.extend(children)
    return made


def names(spans: ces.Span | Iterable[ces.Span]) -> list[str]:
    return [each.name for each in ces.critical_path(spans)]


def test_children_that_run_one_after_the_other_are_all_on_the_critical_path() -> None:
    root = timed("Turn", 0, 10, timed("A", 0, 5), timed("B", 5, 10, timed("B1", 6, 10)))
    assert names(root) == ["Turn", "A", "B", "B1"]


def test_work_beside_the_critical_path_is_not_on_it() -> None:
    beside = timed("long", 1, 6, timed("inner", 1, 6))
    root = timed("Turn", 0, 10, timed("C", 7, 9.5), beside, timed("B", 3, 7), timed("A", 0, 2))
    assert names(root) == ["Turn", "A", "B", "C"]


def test_ends_at_the_same_time_and_beyond_the_parent() -> None:
    root = timed("Turn", 0, 10, timed("short", 8, 10), timed("A", 2, 10), timed("late", 11, 12))
    assert names(root) == ["Turn", "A"]
    assert names(timed("Turn", 0, 10, timed("A", 0, 4), timed("B", 5, 10.5))) == ["Turn", "A", "B"]
    assert names(timed("Turn", 0, 10, timed("empty", 4, 4), timed("A", 4, 10))) == [
        "Turn",
        "empty",
        "A",
    ]


def test_an_absent_time_follows_from_the_other_and_the_duration() -> None:
    second = span("B", "5s", endTime="1970-01-01T00:00:10Z")
    first = span("A", "5s", startTime="1970-01-01T00:00:00Z")
    assert names(span("Turn", "10s", second, first)) == ["Turn", "A", "B"]


def test_without_times_the_longest_child_is_on_the_critical_path() -> None:
    slow = span("slow", "3s", span("x", None), span("y", "1s"), span("z", "1s"))
    root = span("root", "4s", span("fast", "0.9s", span("w", "9s")), slow)
    assert names(root) == ["root", "slow", "y"]
    assert ces.critical_path(span("alone")) == (span("alone"),)
    root.child_spans.append(timed("timed", 0, 1))
    assert names(root) == ["root", "timed"]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=8))
def test_the_children_on_the_path_never_overlap(times: list[tuple[int, int]]) -> None:
    children = [timed(str(index), *sorted(each)) for index, each in enumerate(times)]
    _, *path = ces.critical_path(timed("Turn", 0, 20, *children))
    for before, after in pairwise(path):
        assert before.end_time.seconds <= after.start_time.seconds
    if children:
        assert path[-1].end_time.seconds == max(max(each) for each in times)
        before_it = [max(each) for each in times if max(each) < path[0].start_time.seconds]
        assert not before_it


def test_several_trees_are_taken_everywhere() -> None:
    trees = [timed("a", 0, 2, timed("b", 0, 2)), timed("a", 3, 4)]
    assert [each for _, each in ces.walk_spans(trees)] == [
        *(each for _, each in ces.walk_spans(trees[0])),
        trees[1],
    ]
    assert ces.find_spans(trees, "a") == tuple(trees)
    assert names(iter(trees)) == ["a", "b", "a"]
    assert ces.durations_ns_of(trees) == {"a": 3 * 10**9, "b": 2 * 10**9}
