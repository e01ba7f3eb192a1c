"""Types of the CES accessors: checked by mypy and pyright, never run."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, Literal, assert_never, assert_type

from turnwire import ces


def session_views(responses: list[ces.RunSessionResponse], stored: ces.Conversation) -> None:
    session = ces.Session.collect(responses)
    assert_type(session, ces.Session)
    assert_type(ces.Session.collect(stored), ces.Session)
    sent = ces.RunSessionRequest(inputs=[ces.SessionInput(text="Hi")])
    assert_type(ces.Session.collect([sent, *responses]), ces.Session)
    assert_type(ces.Session.collect(ces.ToolResponses()), ces.Session)
    assert_type(ces.sessions_of([stored, stored]), tuple[ces.Session, ...])
    assert_type(session.turns, tuple[ces.Turn, ...])
    assert_type(session.messages, tuple[ces.Message, ...])
    assert_type(session.tool_exchanges, tuple[ces.ToolExchange, ...])
    assert_type(session.open_tool_calls, tuple[ces.ToolCall, ...])
    assert_type(session.transcript, tuple[ces.TranscriptEntry, ...])
    assert_type(session.transfers, tuple[ces.AgentTransfer, ...])
    assert_type(session.variables, dict[str, Any])
    assert_type(session.variables_at(0), dict[str, Any])
    assert_type(session.active_agent, str | None)
    assert_type(session.root_spans, tuple[ces.Span, ...])
    assert_type(session.ended, ces.SessionEnd | None)
    if session.ended is not None:
        assert_type(session.ended.metadata, dict[str, Any])
        assert_type(session.ended.escalated, bool | None)


def turn_views(turn: ces.Turn, entry: ces.TranscriptEntry) -> None:
    assert_type(turn.index, int)
    assert_type(turn.reply, str)
    assert_type(turn.audio, bytes)
    assert_type(turn.images, tuple[ces.Image, ...])
    assert_type(turn.payloads, tuple[dict[str, Any], ...])
    assert_type(turn.progress, tuple[str, ...])
    assert_type(turn.citations, tuple[ces.CitedText, ...])
    assert_type(turn.suggestions, tuple[ces.GoogleSearchSuggestions, ...])
    assert_type(turn.diagnostics, tuple[ces.SessionOutput.DiagnosticInfo, ...])
    assert_type(turn.root_span, ces.Span | None)
    assert_type(turn.completed, bool)
    assert_type(entry.role, str)
    assert_type(entry.chunks, tuple[ces.Chunk, ...])
    assert_type(entry.time, datetime | None)


def exchange_views(exchange: ces.ToolExchange) -> str:
    assert_type(exchange.call, ces.ToolCall | None)
    assert_type(exchange.args, dict[str, Any])
    assert_type(exchange.children, tuple[ces.ToolExchange, ...])
    assert_type(exchange.duration_ns, int | None)
    assert_type(exchange.unmatched, bool)
    assert_type(exchange.target_app, str)
    assert_type(exchange.status, Literal["ok", "error", "pending"])
    status = exchange.status
    match status:
        case "ok":
            return "done"
        case "error":
            return "failed"
        case "pending":
            return "open"
        case _:
            assert_never(status)


def incremental(builder: ces.SessionBuilder, frame: ces.BidiSessionServerMessage) -> None:
    update = builder.add(frame)
    assert_type(update, ces.Session)
    assert_type(update.images, tuple[ces.Image, ...])
    assert_type(update.ended, ces.SessionEnd | None)
    assert_type(update.text, str)
    assert_type(update.audio, bytes)
    assert_type(update.outputs, tuple[tuple[int, ces.SessionOutput], ...])
    assert_type(update.tool_calls, tuple[ces.ToolCall, ...])
    assert_type(update.completed_turns, tuple[int, ...])
    assert_type(builder.session, ces.Session)


def functions(call: ces.ToolCall, image: ces.Image, span: ces.Span, message: ces.Message) -> None:
    assert_type(ces.tool_name_of(call), str)
    response = ces.respond(call, output={"celsius": -4})
    assert_type(response, ces.ToolResponse)
    assert_type(ces.tool_responses(response), ces.ToolResponses)
    assert_type(ces.text_of(message), str | None)
    assert_type(ces.suffix_of(image.mime_type), str)
    assert_type(ces.save(image, "plan"), Path)
    assert_type(ces.image_size_of(image), ces.ImageSize | None)
    assert_type(ces.find_spans(span, "Model"), tuple[ces.Span, ...])
    assert_type(ces.duration_ns_of(span), int | None)
    assert_type(ces.durations_ns_of([span]), dict[str, int])
    assert_type(ces.critical_path(span), tuple[ces.Span, ...])
    assert_type(ces.critical_path([span]), tuple[ces.Span, ...])
    assert_type(ces.span_rows(ces.Session()), tuple[ces.SpanRow, ...])
    assert_type(ces.to_wav(b"", ces.OutputAudioConfig()), bytes)
    assert_type(next(ces.walk_spans(span)), tuple[int, ces.Span])


def chunk_kinds(chunk: ces.Chunk) -> str:
    kind = chunk.WhichOneof("data")
    match kind:
        case "text" | "transcript":
            return chunk.text or chunk.transcript
        case "tool_call" | "tool_response" | "agent_transfer":
            return "action"
        case "image" | "blob" | "payload":
            return "content"
        case "updated_variables" | "default_variables":
            return "variables"
        case None:
            return ""
        case _:
            assert_never(kind)
