"""The tree of spans that traces a turn's processing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwire_schema.ces.v1.span_pb2 import Span

from turnwire.ces._refusal import require

_NANOSECONDS = 1_000_000_000


def walk_spans(root: Span) -> Iterator[tuple[int, Span]]:
    """Goes through a span and all spans in it, each before its children.

    Yields:
        The depth, 0 for the root, and the span.

    >>> from turnwire import ces
    >>> children = [ces.Span(name="Lookup"), ces.Span(name="Write")]
    >>> root = ces.Span(name="Answer", child_spans=children)
    >>> [(depth, span.name) for depth, span in ces.walk_spans(root)]
    [(0, 'Answer'), (1, 'Lookup'), (1, 'Write')]
    """
    require(root, Span)
    stack = [(0, root)]
    while stack:
        depth, span = stack.pop()
        yield depth, span
        stack.extend((depth + 1, child) for child in reversed(span.child_spans))


def find_spans(root: Span, name: str) -> tuple[Span, ...]:
    """All spans of that name, the root included, each before its children.

    >>> from turnwire import ces
    >>> root = ces.Span(name="Answer", child_spans=[ces.Span(name="Lookup")])
    >>> [span.name for span in ces.find_spans(root, "Lookup")]
    ['Lookup']
    """
    return tuple(span for _, span in walk_spans(root) if span.name == name)


def duration_of(span: Span) -> int | None:
    """How long a span took, in nanoseconds, exactly.

    An int of nanoseconds loses nothing, where a `datetime.timedelta` has microseconds.

    It is the span's ``duration``; where that is absent, the time from ``startTime`` to
    ``endTime``; None where one of these is absent too. A span's duration includes its children.

    >>> from google.protobuf.duration_pb2 import Duration
    >>> from turnwire import ces
    >>> ces.duration_of(ces.Span(duration=Duration(seconds=1, nanos=5)))
    1000000005
    """
    require(span, Span)
    if span.HasField("duration"):
        return span.duration.seconds * _NANOSECONDS + span.duration.nanos
    if span.HasField("start_time") and span.HasField("end_time"):
        seconds = span.end_time.seconds - span.start_time.seconds
        return seconds * _NANOSECONDS + span.end_time.nanos - span.start_time.nanos
    return None


def durations_of(spans: Span | Iterable[Span]) -> dict[str, int]:
    """The total duration of all spans of each name, in nanoseconds.

    The spans in the given ones are included, and the totals are exact. Spans without a name and
    spans whose duration is not known are left out.

    Args:
        spans: One tree, or several, such as a session's ``root_spans``.

    Returns:
        Names and totals, in the order in which the names are first met.

    >>> from google.protobuf.duration_pb2 import Duration
    >>> from turnwire import ces
    >>> lookup = ces.Span(name="Lookup", duration=Duration(nanos=250))
    >>> ces.durations_of(ces.Span(name="Answer", child_spans=[lookup, lookup]))
    {'Lookup': 500}
    """
    totals: dict[str, int] = {}
    if not isinstance(spans, Iterable):
        require(spans, Span)
        spans = (spans,)
    for root in spans:
        for _, span in walk_spans(root):
            duration = duration_of(span)
            if span.name and duration is not None:
                totals[span.name] = totals.get(span.name, 0) + duration
    return totals


def critical_path(root: Span) -> tuple[Span, ...]:
    """The spans to look at when a turn is slow: from the root down, each time the longest child.

    Where several children took equally long, it is the first of them; children whose duration is
    not known are passed over, unless there are no others.

    Returns:
        The root, its longest child, that one's longest child, and so on.

    >>> from google.protobuf.duration_pb2 import Duration
    >>> from turnwire import ces
    >>> steps = {"Lookup": 1, "Write": 3}
    >>> children = [ces.Span(name=name, duration=Duration(seconds=seconds))
    ...             for name, seconds in steps.items()]
    >>> root = ces.Span(name="Answer", child_spans=children)
    >>> [span.name for span in ces.critical_path(root)]
    ['Answer', 'Write']
    """
    require(root, Span)
    path = [root]
    while path[-1].child_spans:
        path.append(max(path[-1].child_spans, key=_known_duration_of))
    return tuple(path)


def _known_duration_of(span: Span) -> float:
    duration = duration_of(span)
    return float("-inf") if duration is None else duration
