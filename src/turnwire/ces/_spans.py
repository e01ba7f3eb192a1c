"""The trees of spans that trace the processing of turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwire_schema.ces.v1.span_pb2 import Span

from turnwire._arguments import require
from turnwire._time import nanoseconds_of


def walk_spans(spans: Span | Iterable[Span]) -> Iterator[tuple[int, Span]]:
    """Goes through spans and all spans in them, each before its children.

    Args:
        spans: One tree, or several, such as a session's ``root_spans``.

    Yields:
        The depth, 0 for a root, and the span.

    Raises:
        TypeError: Something in it is not a span.

    >>> from turnwire import ces
    >>> children = [ces.Span(name="Lookup"), ces.Span(name="Write")]
    >>> root = ces.Span(name="Answer", child_spans=children)
    >>> [(depth, span.name) for depth, span in ces.walk_spans(root)]
    [(0, 'Answer'), (1, 'Lookup'), (1, 'Write')]
    """
    for root in _roots(spans):
        stack = [(0, root)]
        while stack:
            depth, span = stack.pop()
            yield depth, span
            stack.extend((depth + 1, child) for child in reversed(span.child_spans))


def find_spans(spans: Span | Iterable[Span], name: str) -> tuple[Span, ...]:
    """All spans of that name, the roots included, each before its children.

    Args:
        spans: One tree, or several, such as a session's ``root_spans``.
        name: The name of the spans.

    Raises:
        TypeError: Something in it is not a span.

    >>> from turnwire import ces
    >>> root = ces.Span(name="Answer", child_spans=[ces.Span(name="Lookup")])
    >>> [span.name for span in ces.find_spans(root, "Lookup")]
    ['Lookup']
    """
    return tuple(span for _, span in walk_spans(spans) if span.name == name)


def duration_ns_of(span: Span) -> int | None:
    """Returns the duration of a span in nanoseconds, exactly.

    It is the span's ``duration``; where that is absent, the time from ``startTime`` to
    ``endTime``; None where one of these is absent too. A span's duration includes its children.

    Raises:
        TypeError: The argument is not a span.

    >>> from google.protobuf.duration_pb2 import Duration
    >>> from turnwire import ces
    >>> ces.duration_ns_of(ces.Span(duration=Duration(seconds=1, nanos=5)))
    1000000005
    """
    require(span, Span)
    if span.HasField("duration"):
        return span.duration.seconds * 1_000_000_000 + span.duration.nanos
    if span.HasField("start_time") and span.HasField("end_time"):
        return nanoseconds_of(span.end_time) - nanoseconds_of(span.start_time)
    return None


def durations_ns_of(spans: Span | Iterable[Span]) -> dict[str, int]:
    """The total duration of all spans of each name, in nanoseconds.

    The spans in the given ones are included, and the totals are exact. Spans without a name and
    spans whose duration is not known are left out.

    Args:
        spans: One tree, or several, such as a session's ``root_spans``.

    Returns:
        Names and totals, in the order in which the names are first met.

    Raises:
        TypeError: Something in it is not a span.

    >>> from google.protobuf.duration_pb2 import Duration
    >>> from turnwire import ces
    >>> lookup = ces.Span(name="Lookup", duration=Duration(nanos=250))
    >>> ces.durations_ns_of(ces.Span(name="Answer", child_spans=[lookup, lookup]))
    {'Lookup': 500}
    """
    totals: dict[str, int] = {}
    for _, span in walk_spans(spans):
        duration = duration_ns_of(span)
        if span.name and duration is not None:
            totals[span.name] = totals.get(span.name, 0) + duration
    return totals


def critical_path(spans: Span | Iterable[Span]) -> tuple[Span, ...]:
    """The spans that decide when a turn ends: had one of them been shorter, so had the turn.

    It is found from the end of a span back to its start: the child that finished last decided the
    end, and the child that had finished last when that one started decided its start, and so on.
    The same holds within each of these. Work beside them is not on the path. Of children that
    finished at the same time it is the longest one; a child that outlasts its parent counts up to
    the parent's end. Children whose times are not known are passed over; where none of them has
    times, the longest one stands for all.

    Args:
        spans: One tree, or several, such as a session's ``root_spans``.

    Returns:
        The root, then the deciding children in the order of time, each followed by its own. The
        paths of several trees follow one another.

    Raises:
        TypeError: Something in it is not a span.

    >>> from turnwire import ces
    >>> root = ces.Span(name="Answer")
    >>> for name, start, end in [("Lookup", 0, 4), ("Log", 1, 2), ("Write", 4, 9)]:
    ...     child = root.child_spans.add(name=name)
    ...     child.start_time.seconds, child.end_time.seconds = start, end
    >>> [span.name for span in ces.critical_path(root)]
    ['Answer', 'Lookup', 'Write']
    """
    path: list[Span] = []
    for root in _roots(spans):
        stack = [root]
        while stack:
            path.append(stack.pop())
            stack.extend(_deciding_children(path[-1]))
    return tuple(path)


def _deciding_children(span: Span) -> Iterator[Span]:
    """The children on the critical path, from the last to the first."""
    timed = [(*times, child) for child in span.child_spans if (times := _times_of(child))]
    if not timed:
        if span.child_spans:
            yield max(span.child_spans, key=_known_duration_ns_of)
        return
    own = _times_of(span)
    point = own[1] if own else max(end for _, end, _ in timed)
    within = [(start, min(end, point), child) for start, end, child in timed if start <= point]
    # The last to finish first; of those that finished together, the longest first.
    for start, end, child in sorted(within, key=lambda each: (-each[1], each[0])):
        if end <= point:
            yield child
            point = start


def _times_of(span: Span) -> tuple[int, int] | None:
    """The start and the end of a span, in nanoseconds; None where one is not known."""
    duration = duration_ns_of(span)
    if duration is None or duration < 0:
        return None
    if span.HasField("end_time"):
        end = nanoseconds_of(span.end_time)
        start = nanoseconds_of(span.start_time) if span.HasField("start_time") else end - duration
        return (start, end) if start <= end else None
    if span.HasField("start_time"):
        start = nanoseconds_of(span.start_time)
        return start, start + duration
    return None


def _roots(spans: Span | Iterable[Span]) -> Iterator[Span]:
    for root in spans if isinstance(spans, Iterable) else (spans,):
        require(root, Span)
        yield root


def _known_duration_ns_of(span: Span) -> float:
    duration = duration_ns_of(span)
    return float("-inf") if duration is None else duration
