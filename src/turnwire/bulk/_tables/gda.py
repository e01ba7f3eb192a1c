"""The rows that a conversation of Conversational Analytics gives; each function makes one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from google.protobuf.message import Message

from turnwire import geminidataanalytics as gda
from turnwire._time import nanoseconds_of
from turnwire.bulk._tables.cells import Row, checked, json_array, json_text, raw_rows, time_of
from turnwire.errors import ParseError


class Recorded:
    """A conversation as its messages were recorded, and the answers that they make."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = items
        self.answers = list(enumerate(gda.answers_of(items), start=1))


def _answers(recorded: Recorded) -> Iterator[Row]:
    for turn, answer in recorded.answers:
        times = [time_of(message, "timestamp") for message in answer.messages]
        yield (
            turn,
            answer.question,
            answer.text,
            answer.completed,
            min((time for time in times if time is not None), default=None),
            checked(answer.duration_ns, "duration_ns"),
            len(answer.thoughts),
            len(answer.sql) + len(answer.looker_queries),
            len(answer.results),
            len(answer.charts),
            len(answer.errors) + len(answer.analysis_errors),
            [each.question for each in answer.clarifications],
            list(answer.follow_ups),
        )


class _Query:
    """A generated statement, and the messages after it until its result."""

    def __init__(self, asked: gda.DataQuery, message: gda.Message) -> None:
        self._asked = asked
        self._message = message
        self._end: gda.Message | None = None
        self._job: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether neither a result nor an error has come."""
        return self._end is None

    def add(self, message: gda.Message) -> None:
        """Adds a message after the statement."""
        system = message.system_message
        if system.WhichOneof("kind") == "error" or system.data.WhichOneof("kind") == "result":
            self._end = message
        elif system.data.WhichOneof("kind") == "big_query_job":
            job = system.data.big_query_job
            self._job = ".".join(filter(None, (job.project_id, job.location, job.job_id)))

    def row(self, turn: int, position: int) -> Row:
        """Returns the row of the table."""
        end = self._end.system_message if self._end is not None else None
        result = None if end is None or end.WhichOneof("kind") == "error" else end.data.result
        name = (result.name if result is not None else "") or self._asked.name
        return (
            turn,
            position,
            name or None,
            self._asked.question or None,
            self._message.system_message.data.generated_sql,
            "pending" if end is None else "error" if result is None else "ok",
            end.error.text if end is not None and result is None else None,
            None if result is None else len(result.data),
            self._job,
            time_of(self._message, "timestamp"),
            checked(self._duration_ns(), "duration_ns"),
        )

    def _duration_ns(self) -> int | None:
        if self._end is None:
            return None
        messages = (self._message, self._end)
        if not all(message.HasField("timestamp") for message in messages):
            return None
        start, end = (nanoseconds_of(message.timestamp) for message in messages)
        return end - start


def _queries(recorded: Recorded) -> Iterator[Row]:
    position = 0
    for turn, answer in recorded.answers:
        queries: list[_Query] = []
        asked = gda.DataQuery()
        for message in answer.messages:
            data = message.system_message.data
            if data.WhichOneof("kind") == "query":
                asked = data.query
            elif data.WhichOneof("kind") == "generated_sql":
                queries.append(_Query(asked, message))
            elif queries and queries[-1].is_open:
                queries[-1].add(message)
        for query in queries:
            yield query.row(turn, position)
            position += 1


def _results(recorded: Recorded) -> Iterator[Row]:
    tables = ((turn, table) for turn, answer in recorded.answers for table in answer.results)
    for position, (turn, table) in enumerate(tables):
        has_schema = table.message.HasField("schema")
        types = [field.type for field in table.message.schema.fields]
        yield (
            turn,
            position,
            table.name or None,
            table.row_count,
            table.columns,
            types if has_schema else None,
            table.for_display,
            json_array(table.message.data),
        )


def _charts(recorded: Recorded) -> Iterator[Row]:
    charts = ((turn, chart) for turn, answer in recorded.answers for chart in answer.charts)
    for position, (turn, chart) in enumerate(charts):
        try:
            spec = json_text(chart.spec)
        except ParseError:
            spec = None
        image = chart.image
        facts = (None, None) if image is None else (image.mime_type, len(image.data))
        yield (turn, position, spec, *facts)


def _errors(recorded: Recorded) -> Iterator[Row]:
    errors = (
        (turn, *found, message)
        for turn, answer in recorded.answers
        for message in answer.messages
        if (found := _error_in(message)) is not None
    )
    for position, (turn, kind, text, message) in enumerate(errors):
        yield (turn, position, kind, text, time_of(message, "timestamp"))


def _error_in(message: gda.Message) -> tuple[str, str] | None:
    system = message.system_message
    if system.WhichOneof("kind") == "error":
        return "error", system.error.text
    event = system.analysis.progress_event
    if event.WhichOneof("kind") == "error":
        return "analysis", event.error
    if event.WhichOneof("kind") == "execution_error":
        return "analysis", event.execution_error
    return None


def _citations(recorded: Recorded) -> Iterator[Row]:
    position = 0
    for turn, answer in recorded.answers:
        for cited in answer.citations:
            for source in cited.sources:
                texts = (source.title or None, source.uri or None, None)
                yield (turn, position, cited.text, *cited.byte_range, *texts)
                position += 1


ROWS: Final[dict[str, Callable[[Recorded], Iterator[Row]]]] = {
    "answers": _answers,
    "queries": _queries,
    "results": _results,
    "charts": _charts,
    "errors": _errors,
    "citations": _citations,
    "raw": lambda recorded: raw_rows(recorded.items),
}
"""The function that yields the rows of each table, without the column ``conversation``."""


def takes(message_class: type[Message]) -> bool:
    """Returns whether messages of a class make a conversation."""
    try:
        gda.answers_of([message_class()])  # type: ignore[list-item]
    except TypeError:
        return False
    return True
