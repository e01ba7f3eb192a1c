"""The spans of turns as flat rows, for waterfalls, data frames and SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from turnwire_schema.ces.v1.span_pb2 import Span

from turnwire._arguments import require
from turnwire._time import nanoseconds_of
from turnwire._views import View, short_repr
from turnwire.arrow._options import pyarrow
from turnwire.ces._session import Session
from turnwire.ces._spans import critical_path, duration_ns_of
from turnwire.ces._tools import struct_to_dict
from turnwire.ces._turns import Turn
from turnwire.errors import SerializeError
from turnwire.protojson import to_json

if TYPE_CHECKING:
    import pyarrow as pa

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_INT64: Final = range(-(2**63), 2**63)

_KINDS: Final = (
    ("guardrail", {"guardrail", "guardrails", "safety"}),
    ("callback", {"callback", "callbacks"}),
    ("tool", {"tool", "tools", "toolset", "webhook"}),
    ("llm", {"llm", "model", "models", "generate", "inference"}),
    ("agent", {"agent", "agents", "subagent"}),
    ("turn", {"turn"}),
)
"""Kinds of work and the words that name them in a span's name; the first match counts."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True, slots=True, repr=False)
class SpanRow(View):
    """One span of a turn, with its place in the tree and in time.

    Attributes:
        span: The span itself, with its children.
        turn: The index of the turn.
        path: The names of the spans from the root down to this one.
        kind: The kind of work, which the words of the name tell: ``"llm"``, ``"tool"``,
            ``"callback"``, ``"guardrail"``, ``"agent"``, ``"turn"`` or ``"other"``.
        start_ns: The start in nanoseconds since 1970; None where neither the span nor a span
            around it has a time.
        offset_ns: The nanoseconds from the start of the root span to this one's.
        start_estimated: Whether the start is not from the service but estimated: right after the
            sibling before, or with the parent.
        duration_ns: The duration in nanoseconds, children included; None where it is not known.
        self_ns: The part of the duration during which no child ran; None where it is not known.
        critical: Whether the span is on the `critical_path` of its root.

    >>> from google.protobuf.duration_pb2 import Duration
    >>> from turnwire import ces
    >>> root = ces.Span(name="Turn", duration=Duration(seconds=3))
    >>> root.child_spans.add(name="Tool", duration=Duration(seconds=1)).attributes["tool"] = "find"
    >>> _, row = ces.span_rows(ces.Turn(index=1, root_spans=(root,)))
    >>> row.path, row.kind, row.duration_ns, row.attributes
    (('Turn', 'Tool'), 'tool', 1000000000, {'tool': 'find'})
    """

    span: Span
    turn: int
    path: tuple[str, ...]
    kind: str
    start_ns: int | None
    offset_ns: int
    start_estimated: bool
    duration_ns: int | None
    self_ns: int | None
    critical: bool

    @property
    def name(self) -> str:
        """The name of the span."""
        return self.span.name

    @property
    def depth(self) -> int:
        """The depth in the tree, 0 for a root."""
        return len(self.path) - 1

    @property
    def start(self) -> datetime | None:
        """The start in UTC, to the microsecond; None where it is not known or has no date."""
        if self.start_ns is None:
            return None
        try:
            return _EPOCH + timedelta(microseconds=self.start_ns // 1000)
        except OverflowError:
            return None

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes by name, as plain JSON values; the service does not document the names.

        Raises:
            SerializeError: One holds a number that JSON does not have, such as NaN.
        """
        return struct_to_dict(self.span.attributes)

    def _shown(self) -> Iterable[str]:
        path = " / ".join(self.path)
        return [f"turn={self.turn}", short_repr(path), f"duration_ns={self.duration_ns}"]


def span_rows(view: Session | Turn) -> tuple[SpanRow, ...]:
    """Returns a row for each span of a session or of a turn, each before its children.

    Raises:
        TypeError: The argument is not a session or a turn.

    >>> from google.protobuf.duration_pb2 import Duration
    >>> from turnwire import ces
    >>> root = ces.Span(name="Turn", duration=Duration(seconds=3))
    >>> for name in ("Model", "Tool"):
    ...     child = root.child_spans.add(name=name, duration=Duration(seconds=1))
    >>> for row in ces.span_rows(ces.Turn(index=1, root_spans=(root,))):
    ...     print("  " * row.depth + row.name, row.offset_ns, row.duration_ns, row.self_ns)
    Turn 0 3000000000 1000000000
      Model 0 1000000000 1000000000
      Tool 1000000000 1000000000 1000000000
    """
    require(view, Session, Turn)
    turns = view.turns if isinstance(view, Session) else (view,)
    return tuple(
        row for turn in turns for root in turn.root_spans for row in _rows_of(root, turn.index)
    )


def span_table(view: Session | Turn) -> pa.Table:
    """Returns the rows of `span_rows` as an Arrow table, for data frames and SQL.

    Its columns are the attributes of a `SpanRow` with ``name`` and ``depth``, but for ``start``, a
    time of nanoseconds in UTC, and ``attributes``, which is JSON text. The columns are the same for
    every session, so that tables can be put together.

    Raises:
        TypeError: The argument is not a session or a turn.
        SerializeError: A time or duration does not fit 64 bits of nanoseconds, some 292 years, or
            attributes hold NaN. ``index`` is the row.
        MissingExtra: pyarrow is not installed.

    >>> from google.protobuf.duration_pb2 import Duration
    >>> from turnwire import ces
    >>> root = ces.Span(name="Turn", duration=Duration(seconds=3))
    >>> table = ces.span_table(ces.Turn(index=1, root_spans=(root,)))
    >>> table.num_rows, table["duration_ns"].to_pylist(), table["start"].to_pylist()
    (1, [3000000000], [None])
    """
    arrow = pyarrow()
    schema = arrow.schema(
        [
            ("turn", arrow.int64()),
            ("path", arrow.list_(arrow.string())),
            ("depth", arrow.int64()),
            ("name", arrow.string()),
            ("kind", arrow.string()),
            ("start", arrow.timestamp("ns", "UTC")),
            ("offset_ns", arrow.int64()),
            ("start_estimated", arrow.bool_()),
            ("duration_ns", arrow.int64()),
            ("self_ns", arrow.int64()),
            ("critical", arrow.bool_()),
            ("attributes", arrow.string()),
        ]
    )
    cells = [_cells_of(row, index) for index, row in enumerate(span_rows(view))]
    columns = [arrow.array([row[field.name] for row in cells], type=field.type) for field in schema]
    table: pa.Table = arrow.table(columns, schema=schema)
    return table


def _cells_of(row: SpanRow, index: int) -> dict[str, Any]:
    names = ("turn", "depth", "name", "kind", "offset_ns", "start_estimated", "critical")
    cells: dict[str, Any] = {name: getattr(row, name) for name in names}
    cells |= {"path": list(row.path), "start": row.start_ns}
    cells |= {"duration_ns": row.duration_ns, "self_ns": row.self_ns}
    for name in ("start", "offset_ns", "duration_ns", "self_ns"):
        if cells[name] is not None and cells[name] not in _INT64:
            raise SerializeError(
                f"{cells[name]} nanoseconds do not fit 64 bits",
                kind="range",
                path=(name,),
                index=index,
            )
    try:
        cells["attributes"] = to_json(row.span.attributes).decode()
    except SerializeError as error:
        error.index = index
        raise
    return cells


def _rows_of(root: Span, turn: int) -> Iterator[SpanRow]:
    # The path is kept in a list as well: an identity lasts as long as its object.
    deciding = critical_path(root)
    critical = {id(span) for span in deciding}
    origin = _known_start_ns_of(root)
    stack: list[tuple[Span, tuple[str, ...], int, bool]] = [(root, (root.name,), 0, origin is None)]
    while stack:
        span, path, offset, is_estimated = stack.pop()
        duration = duration_ns_of(span)
        children = list(_placed_children(span, offset, duration, origin))
        yield SpanRow(
            span=span,
            turn=turn,
            path=path,
            kind=_kind_of(span.name),
            start_ns=None if origin is None else origin + offset,
            offset_ns=offset,
            start_estimated=is_estimated,
            duration_ns=duration,
            self_ns=_self_ns_of(offset, duration, children),
            critical=id(span) in critical,
        )
        for child, start, is_child_estimated in reversed(children):
            stack.append((child, (*path, child.name), start, is_child_estimated))


def _placed_children(
    span: Span, offset: int, duration: int | None, origin: int | None
) -> Iterator[tuple[Span, int, bool]]:
    """Yields the children, each with its offset and whether that is estimated."""
    point = offset
    for child in span.child_spans:
        start = _known_start_ns_of(child)
        length = duration_ns_of(child) or 0
        is_estimated = start is None or origin is None
        if start is not None and origin is not None:
            place = start - origin
        elif duration is None:
            place = point
        else:  # an estimate stays within the parent, if the child fits in there
            place = max(offset, min(point, offset + duration - length))
        yield child, place, is_estimated
        point = place + max(0, length)


def _self_ns_of(
    offset: int, duration: int | None, children: list[tuple[Span, int, bool]]
) -> int | None:
    """The duration without the time that is covered by children, several of them or one."""
    if duration is None:
        return None
    end = offset + duration
    covered, point = 0, offset
    lengths = [(start, duration_ns_of(child) or 0) for child, start, _ in children]
    for start, length in sorted(lengths):
        first, last = max(start, point), min(start + length, end)
        if last > first:
            covered += last - first
            point = last
    return duration - covered


def _known_start_ns_of(span: Span) -> int | None:
    """The start as the service has it, or as its end and duration tell exactly."""
    if span.HasField("start_time"):
        return nanoseconds_of(span.start_time)
    if span.HasField("end_time") and span.HasField("duration"):
        duration = duration_ns_of(span)
        return None if duration is None else nanoseconds_of(span.end_time) - duration
    return None


def _kind_of(name: str) -> str:
    words = {word.lower() for word in _WORD.findall(name)}
    return next((kind for kind, known in _KINDS if words & known), "other")
