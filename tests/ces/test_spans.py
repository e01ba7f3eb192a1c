"""Spans: walking, finding, exact totals and the critical path."""

from __future__ import annotations

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
    assert ces.durations_of(root) == {"n": 1_000_003_000}
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
    assert ces.durations_of(root) == expected
    assert ces.durations_of([root, root]) == {name: 2 * each for name, each in expected.items()}


def test_an_absent_duration_is_the_time_from_start_to_end() -> None:
    start = "2025-06-14T18:00:00.999999999Z"
    timed = span("a", startTime=start, endTime="2025-06-14T18:00:01.000000001Z")
    assert ces.duration_of(timed) == 2
    half = span("b", startTime=start)
    assert ces.duration_of(half) is None
    assert ces.duration_of(span("c", "0s")) == 0
    assert ces.durations_of([timed, half, span("", "1s"), span("c", "0s")]) == {"a": 2, "c": 0}


def test_critical_path_takes_the_longest_child_each_time() -> None:
    slow = span("slow", "3s", span("x", None), span("y", "1s"), span("z", "1s"))
    root = span("root", "4s", span("fast", "0.9s", span("w", "9s")), slow)
    assert [each.name for each in ces.critical_path(root)] == ["root", "slow", "y"]
    assert ces.critical_path(span("alone")) == (span("alone"),)
