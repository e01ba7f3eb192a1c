"""Hands the spans of a session to OpenTelemetry.

    python examples/recipes/trace_to_opentelemetry.py

It needs the package opentelemetry-sdk. Replace the exporter in memory by yours.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import turnwire
from turnwire import ces

RECORDING = Path(__file__).resolve().parents[1] / "ces_session.ndjson"


def export(session: ces.Session, tracer: trace.Tracer) -> None:
    """Exports each span with its parent, its own times and its attributes.

    A span without a start is laid out in its parent: `ces.span_rows` estimates where. One trace is
    made of each root; a root that has no time at all is left out.
    """
    parents: list[trace.Span] = []
    for row in ces.span_rows(session):
        if row.start_ns is None:
            continue
        del parents[row.depth :]
        context = trace.set_span_in_context(parents[-1]) if parents else None
        span = tracer.start_span(row.name, context, start_time=row.start_ns)
        span.set_attribute("turn", row.turn)
        span.set_attribute("start.estimated", row.start_estimated)
        for name, value in row.attributes.items():
            # An attribute of OpenTelemetry is a scalar or a list of one type.
            is_scalar = isinstance(value, str | bool | int | float)
            span.set_attribute(name, value if is_scalar else json.dumps(value))
        span.end(row.start_ns + (row.duration_ns or 0))
        parents.append(span)


def line(span: ReadableSpan) -> str:
    """Returns a span on one line, with the ids in hexadecimal as backends show them."""
    context = span.get_span_context()
    parent = f"{span.parent.span_id:016x}" if span.parent else "-" * 16
    assert context is not None
    assert span.end_time is not None
    assert span.start_time is not None
    milliseconds = (span.end_time - span.start_time) / 1e6
    return f"{context.span_id:016x} below {parent}: {span.name}, {milliseconds:g} ms"


def main() -> int:
    """Exports the spans of the example session."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    session = ces.Session.collect(turnwire.read(ces.RunSessionResponse, RECORDING))
    export(session, provider.get_tracer("turnwire"))
    spans = exporter.get_finished_spans()
    print("\n".join(map(line, spans)))
    provider.shutdown()
    return 0 if len(spans) == len(ces.span_rows(session)) else 1


if __name__ == "__main__":
    sys.exit(main())
