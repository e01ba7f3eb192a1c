"""The model of answers to questions about data."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any, assert_never

from google.protobuf.message import Message as ProtobufMessage

from turnwire import geminidataanalytics as gda
from turnwire._time import utc
from turnwire.errors import Path
from turnwire.protojson import to_dict
from turnwire.report._entries import entry_of_chart, entry_of_table, problem_entry
from turnwire.report._model import (
    Block,
    Citation,
    Code,
    Conversation,
    Data,
    Entry,
    Kind,
    Links,
    Options,
    Problem,
    Source,
    Text,
    Turn,
)
from turnwire.report._redacting import Redaction, json_value
from turnwire.report._words import counted, nanoseconds_between, start_of, summary_of

Answer = gda.Answer

__all__ = [
    "Answer",
    "conversation_of",
    "entries_of_answer",
    "entries_of_update",
    "gda",
]


def conversation_of(
    answers: Sequence[gda.Answer], redaction: Redaction, problems: Sequence[Problem] = ()
) -> Conversation:
    """Returns the model of the answers of a conversation, in order."""
    turns: list[Turn] = []
    left_out: list[str] = []
    waiting: dict[int | None, list[Problem]] = {}
    for problem in problems:
        waiting.setdefault(problem.turn, []).append(problem)
    for position, answer in enumerate(answers):
        reading = _Reading(answer, ("turns", position), redaction)
        entries = [*reading.entries(waiting.pop(position, ()))]
        first = summary_of(entries)
        turns.append(Turn(position + 1, (), tuple(entries), first, start_of(entries)))
        left_out += reading.left_out
    closing = tuple(map(problem_entry, chain.from_iterable(waiting.values())))
    title = "Answer" if len(answers) == 1 else f"Conversation of {counted(len(answers), 'turn')}"
    return Conversation(title, tuple(turns), closing, tuple(left_out))


def entries_of_answer(
    answer: gda.Answer, redaction: Redaction, left_out: list[str]
) -> Iterator[Entry]:
    """Yields the entries of an answer, each when it is asked for.

    Args:
        answer: The answer.
        redaction: Changes the texts.
        left_out: Takes what the outputs leave out, each with the reason.
    """
    reading = _Reading(answer, ("turns", 0), redaction)
    reading.left_out = left_out
    return reading.entries(())


def entries_of_update(update: gda.Answer, redaction: Redaction) -> tuple[Entry, ...]:
    """Returns the entries of the news that one message brings; there may be none."""
    return tuple(_Reading(update, ("turns", 0), redaction).entries((), is_whole=False))


class _Reading:
    """The entries of one answer, message by message."""

    def __init__(self, answer: gda.Answer, path: Path, redaction: Redaction) -> None:
        self.left_out: list[str] = []
        self._answer = answer
        self._path = path
        self._redaction = redaction
        self._steps = iter(answer.steps)
        self._results = iter(answer.results)
        self._charts = iter(answer.charts)
        self._datasources = deque(answer.datasources)
        self._looker_urls = iter(answer.looker_urls)
        self._time: datetime | None = None
        self._duration_ns: int | None = None
        times = [_time_of(message) for message in answer.messages]
        self._start = next((time for time in times if time is not None), None)
        self._last_answer = max(
            (at for at, message in enumerate(answer.messages) if _is_answer(message)), default=-1
        )

    def entries(self, problems: Sequence[Problem], *, is_whole: bool = True) -> Iterator[Entry]:
        """Yields the entries, in order.

        Args:
            problems: The errors in the recording, in order.
            is_whole: Whether the answer is a whole one, which says where it has no text.
        """
        waiting = deque(problems)
        for position, message in enumerate(self._answer.messages):
            while waiting and waiting[0].after is not None and waiting[0].after <= position:
                yield problem_entry(waiting.popleft())
            yield from self._entries_of(position, message)
        if is_whole and self._last_answer < 0:  # also where the messages were not kept
            text = self._answer.text
            said = Text("none") if text is None else self._text("answer", text)
            yield Entry("reply", "answer", (said,))
        yield from map(problem_entry, waiting)

    def _entries_of(self, position: int, message: gda.Message) -> Iterator[Entry]:
        self._time = _time_of(message)
        self._duration_ns = None
        match message.WhichOneof("kind"):
            case "user_message":
                text = gda.text_of(message)
                block = self._json(message) if text is None else self._text("question", text)
                yield self._entry("user", "question", block)
            case "system_message":
                self._duration_ns = next(self._steps).duration_ns
                yield from self._system_entries(position, message)
            case None:
                yield self._entry("other", "message", self._json(message))
            case _ as kind:
                assert_never(kind)

    def _system_entries(self, position: int, message: gda.Message) -> Iterator[Entry]:
        system = message.system_message
        match system.WhichOneof("kind"):
            case "text":
                yield from self._text_entries(system)
            case "schema":
                yield from self._schema_entries(system.schema)
            case "data":
                yield from self._data_entries(system.data)
            case "analysis":
                yield from self._analysis_entries(system.analysis)
            case "chart":
                yield from self._chart_entries(system.chart)
            case "error":
                recovered = position < self._last_answer
                label = "recovered from" if recovered else "error"
                yield self._entry("error", label, self._text("errors", system.error.text))
            case "example_queries":
                for example in system.example_queries.example_queries:
                    yield self._example_entry("example query", example)
            case "clarification":
                for asked in system.clarification.questions:
                    question = self._text("clarification", asked.question)
                    options = Options(
                        tuple(self._redacted("options", each) for each in asked.options)
                    )
                    yield self._entry("reply", "the agent asks", question, options)
            case None:
                yield self._entry("other", "empty message", self._json(message))
            case _ as kind:
                assert_never(kind)

    def _text_entries(self, system: gda.SystemMessage) -> Iterator[Entry]:
        text, kinds = system.text, gda.TextMessage
        whole = gda.text_of(text)
        match text.text_type:
            case kinds.FINAL_RESPONSE:
                yield self._entry("reply", "answer", self._cited("answer", system))
            case kinds.THOUGHT:
                yield self._entry("thought", "thought", self._cited("thought", system))
            case kinds.PROGRESS:
                yield self._entry("progress", "progress", self._cited("progress", system))
            case kinds.FOLLOWUP_QUESTIONS:
                for part in text.parts:
                    yield self._entry("step", "follow-up", self._text("followUp", part))
            case _:  # without a type, or of a type that a newer service sends
                name = f"text of type {text.text_type}" if text.text_type else "text without a type"
                yield self._entry("other", name, self._text("text", whole))

    def _schema_entries(self, schema: gda.SchemaMessage) -> Iterator[Entry]:
        match schema.WhichOneof("kind"):
            case "query":
                yield self._entry(
                    "step", "schema query", self._text("query", schema.query.question)
                )
            case "result":
                yield from self._datasource_entries(schema.result.datasources)
            case None:
                yield self._entry("other", "schema", self._json(schema))
            case _ as kind:
                assert_never(kind)

    def _data_entries(self, data: gda.DataMessage) -> Iterator[Entry]:
        match data.WhichOneof("kind"):
            case "query":
                query = data.query
                label = f"query {query.name}".rstrip()
                yield self._entry("step", label, self._text("query", query.question))
                yield from self._datasource_entries(query.datasources)
                if query.HasField("looker"):
                    yield self._looker_entry(query.looker)
            case "generated_sql":
                sql = Code(self._redacted("sql", data.generated_sql), "sql")
                yield self._entry("step", "SQL", sql)
            case "result":
                yield from self._table_entries(next(self._results))
            case "generated_looker_query":
                yield self._looker_entry(data.generated_looker_query)
            case "big_query_job":
                job = data.big_query_job
                names = filter(None, (job.project_id, job.location, job.job_id))
                yield self._entry("step", "BigQuery job", self._text("job", ".".join(names)))
            case "matched_query":
                matched = data.matched_query
                values = [to_dict(each) for each in matched.query_parameter_values]
                yield self._example_entry("matched query", matched.example_query, values)
            case None:
                yield self._entry("other", "data", self._json(data))
            case _ as kind:
                assert_never(kind)

    def _analysis_entries(self, analysis: gda.AnalysisMessage) -> Iterator[Entry]:
        if analysis.HasField("query"):
            yield self._entry("step", "analysis", self._text("analysis", analysis.query.question))
            return
        event = analysis.progress_event
        match event.WhichOneof("kind"):
            case "planner_reasoning":
                yield self._entry("thought", "plan", self._text("plan", event.planner_reasoning))
            case "coder_instruction":
                yield self._entry("thought", "plan", self._text("plan", event.coder_instruction))
            case "code":
                yield self._entry("step", "code", self._code("code", event.code, "python"))
            case "execution_output":
                output = self._code("output", event.execution_output)
                yield self._entry("step", "output of the code", output)
            case "execution_error":
                error = self._code("errors", event.execution_error)
                yield self._entry("error", "error of the code", error)
            case "error":
                yield self._entry(
                    "error", "error of the analysis", self._text("errors", event.error)
                )
            case "result_natural_language":
                finding = self._text("finding", event.result_natural_language)
                yield self._entry("step", "finding", finding)
            case "result_csv_data":
                if event.result_csv_data.strip("\r\n\ufeff"):
                    yield from self._table_entries(next(self._results))
                else:
                    self.left_out.append("CSV of an analysis: it is empty")
            case "result_reference_data":
                data = self._code("referenceData", event.result_reference_data)
                yield self._entry("step", "reference data", data)
            case "result_vega_chart_json":
                yield self._chart_entry()
            case None:
                yield self._entry("other", "analysis", self._json(analysis))
            case _ as kind:
                assert_never(kind)

    def _chart_entries(self, chart: gda.ChartMessage) -> Iterator[Entry]:
        if chart.HasField("query"):
            text = self._text("chartQuery", chart.query.instructions)
            yield self._entry("step", f"chart query {chart.query.data_result_name}".rstrip(), text)
        elif chart.result.HasField("vega_config") or chart.result.HasField("image"):
            yield self._chart_entry()
        else:
            yield self._entry("other", "chart", self._json(chart))

    def _chart_entry(self) -> Entry:
        return self._timed(entry_of_chart(next(self._charts), self._redaction, self._path))

    def _table_entries(self, table: gda.Table) -> Iterator[Entry]:
        if table.for_display:
            yield self._timed(entry_of_table(table, self._redaction, self._path))
            return
        reason = "samples that the agent took for itself" if table.row_count else "it is empty"
        name = table.name or "a result"
        self.left_out.append(f"{name}, {counted(table.row_count, 'row')}: {reason}")

    def _datasource_entries(self, datasources: Sequence[gda.Datasource]) -> Iterator[Entry]:
        for source in datasources:
            if not self._datasources or self._datasources[0].message != source:
                continue  # it was named before
            chosen = self._datasources.popleft()
            names = dict.fromkeys(filter(None, (chosen.name, *chosen.tables)))
            blocks: list[Block] = [self._text("datasource", ", ".join(names))]
            if source.HasField("schema"):
                blocks.append(self._json(source.schema, "schema"))
            yield self._entry("step", "data source", *blocks)

    def _looker_entry(self, query: gda.LookerQuery) -> Entry:
        blocks: list[Block] = [self._json(query)]
        if url := next(self._looker_urls, None):
            shown = self._redacted("lookerUrl", url)
            blocks.append(Links((Source("open it in Looker", shown),)))
        return self._entry("step", "Looker query", *blocks)

    def _example_entry(
        self, label: str, example: gda.ExampleQuery, values: list[Any] | None = None
    ) -> Entry:
        blocks: list[Block] = [self._text("exampleQuery", example.natural_language_question)]
        if example.sql_query:
            blocks.append(Code(self._redacted("sql", example.sql_query), "sql"))
        parameters = [to_dict(each) for each in example.parameters]
        for name, value in (("parameters", parameters), ("values", values)):
            if value:
                blocks.append(Data(self._redaction.value((*self._path, name), value), name))
        return self._entry("step", label, *blocks)

    def _cited(self, name: str, system: gda.SystemMessage) -> Text:
        """Returns a text with its citations, whose ranges count within one part."""
        text = gda.text_of(system.text)
        shown = self._redacted(name, text)
        joint = len(text) - sum(map(len, system.text.parts))
        gap = joint // max(len(system.text.parts) - 1, 1)
        starts = [0]
        for part in system.text.parts:
            starts.append(starts[-1] + len(part) + gap)
        citations = []
        uncited = {source.id: source for source in system.citation.sources}
        for cited in gda.citations_of(system):
            for source in cited.sources:
                uncited.pop(source.id, None)
            sources = tuple(self._source(source) for source in cited.sources)
            if shown != text or not 0 <= cited.part_index < len(system.text.parts):
                citations.append(Citation(sources))
                continue
            start, end = (starts[cited.part_index] + offset for offset in cited.character_range)
            citations.append(Citation(sources, start, end))
        if uncited:
            citations.append(Citation(tuple(map(self._source, uncited.values()))))
        return Text(shown, tuple(citations))

    def _source(self, source: gda.CitationSource) -> Source:
        title = self._redacted("title", source.title or source.id)
        term, example = source.glossary_term, source.example_query
        words = (term.description, example.natural_language_question, example.sql_query)
        text = self._redacted("text", "\n".join(filter(None, words)))
        return Source(title, self._redacted("uri", source.uri), text)

    def _redacted(self, name: str, text: str) -> str:
        return self._redaction.text((*self._path, name), text)

    def _text(self, name: str, text: str) -> Text:
        return Text(self._redacted(name, text))

    def _code(self, name: str, text: str, language: str = "") -> Code:
        return Code(self._redacted(name, text), language)

    def _json(self, message: ProtobufMessage, name: str = "JSON") -> Data:
        path = (*self._path, message.DESCRIPTOR.name)
        return Data(json_value(lambda: to_dict(message), path, self._redaction), name)

    def _entry(self, kind: Kind, label: str, *blocks: Block) -> Entry:
        return self._timed(Entry(kind, label, blocks))

    def _timed(self, entry: Entry) -> Entry:
        """Returns an entry with the time of its message; the first one has the duration too."""
        duration, self._duration_ns = self._duration_ns, None
        offset = nanoseconds_between(self._start, self._time)
        return replace(entry, time=self._time, offset_ns=offset, duration_ns=duration)


def _is_answer(message: gda.Message) -> bool:
    text = message.system_message.text
    return text.text_type == gda.TextMessage.FINAL_RESPONSE


def _time_of(message: gda.Message) -> datetime | None:
    return utc(message.timestamp) if message.HasField("timestamp") else None
