"""The answer of a turn, put together from its messages."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import chain
from operator import attrgetter
from typing import Any, assert_never

from google.protobuf.timestamp_pb2 import Timestamp
from turnwire_schema.geminidataanalytics.v1.analysis_pb2 import AnalysisMessage
from turnwire_schema.geminidataanalytics.v1.clarification_pb2 import ClarificationQuestion
from turnwire_schema.geminidataanalytics.v1.data_pb2 import (
    BigQueryJob,
    DataMessage,
    DataQuery,
    MatchedQuery,
)
from turnwire_schema.geminidataanalytics.v1.example_query_pb2 import ExampleQuery
from turnwire_schema.geminidataanalytics.v1.looker_pb2 import LookerQuery
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, SystemMessage
from turnwire_schema.geminidataanalytics.v1.text_pb2 import TextMessage

from turnwire.errors import excerpt
from turnwire.geminidataanalytics._charts import Chart, chart_in
from turnwire.geminidataanalytics._citations import CitedText, citations_of
from turnwire.geminidataanalytics._messages import Messages, begins_turn, messages_in
from turnwire.geminidataanalytics._steps import Group, Step, groups_of, step_of
from turnwire.geminidataanalytics._tables import Table
from turnwire.geminidataanalytics._text import text_of


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What the messages of one turn say; every list is in the order of the messages.

    Attributes:
        question: The user's question; None where the stream does not echo it.
        text: The answer: the FINAL_RESPONSE, several of them joined by a blank line. None where
            none came; a thought or a text without a type never takes its place.
        thoughts: The model's thoughts, one text per message; not for the user to read as an
            answer.
        progress: Notes about what the agent is doing, one text per message.
        follow_ups: Suggested next questions; they may come after the answer.
        clarifications: Questions of the agent that the user must answer before it goes on.
        queries: The questions put to the data, with the names of their results.
        sql: The generated SQL statements.
        looker_queries: The generated Looker queries.
        matched_queries: Example queries that the agent found to fit, with their parameters.
        example_queries: Example queries that the service shows.
        big_query_jobs: The jobs that fetched data.
        results: Every data result; see `results_for_display` and `results_by_name`.
        charts: The charts, those of an analysis among them. A chart query is none.
        analyses: The analysis queries and events.
        citations: The cited words of every text, with their sources.
        errors: The texts of recoverable errors. They end nothing, and the API page warns that
            they mislead when they are shown as failures.
        steps: The system messages as steps, with their durations.
        messages: The messages of the turn, the user's among them.
    """

    question: str | None = None
    text: str | None = None
    thoughts: tuple[str, ...] = ()
    progress: tuple[str, ...] = ()
    follow_ups: tuple[str, ...] = ()
    clarifications: tuple[ClarificationQuestion, ...] = ()
    queries: tuple[DataQuery, ...] = ()
    sql: tuple[str, ...] = ()
    looker_queries: tuple[LookerQuery, ...] = ()
    matched_queries: tuple[MatchedQuery, ...] = ()
    example_queries: tuple[ExampleQuery, ...] = ()
    big_query_jobs: tuple[BigQueryJob, ...] = ()
    results: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    analyses: tuple[AnalysisMessage, ...] = ()
    citations: tuple[CitedText, ...] = ()
    errors: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    messages: tuple[Message, ...] = ()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def collect(cls, messages: Messages) -> Answer:
        """The answer of the last turn.

        A user message begins a new turn; `answers_of` gives one answer per turn.

        Args:
            messages: The messages of a stream or of a stored conversation, or one message.

        Raises:
            TypeError: It is nothing of that kind.
            TurnwireError: Whatever the iterable raises, such as a reader's `TruncatedStream`. Use
                an `AnswerBuilder` to keep what came before.

        >>> from turnwire import geminidataanalytics as gda
        >>> types = gda.TextMessage.TextType
        >>> thought = gda.TextMessage(parts=["Look at sensor 3."], text_type=types.THOUGHT)
        >>> final = gda.TextMessage(parts=["26.5 ", "degrees."], text_type=types.FINAL_RESPONSE)
        >>> answer = Answer.collect([
        ...     gda.user_message("How warm is the pool?"),
        ...     gda.Message(system_message=gda.SystemMessage(text=thought)),
        ...     gda.Message(system_message=gda.SystemMessage(text=final)),
        ... ])
        >>> answer
        Answer("26.5 degrees.", thoughts=1, steps=2, messages=3)
        >>> answer.question
        'How warm is the pool?'
        """
        builder = AnswerBuilder()
        builder.extend(messages)
        return builder.answer

    @property
    def complete(self) -> bool:
        """Whether the agent has finished the turn: it answered, or it asks the user something.

        A stream that ended early is another matter: its reader raises `TruncatedStream`.
        """
        return self.text is not None or bool(self.clarifications)

    @property
    def results_for_display(self) -> tuple[Table, ...]:
        """The results that people should see: without empty ones and ``…_sample_values``."""
        return tuple(table for table in self.results if table.for_display)

    @property
    def results_by_name(self) -> dict[str, Table]:
        """The results that have a name; one that comes again replaces the earlier one."""
        return {table.name: table for table in self.results if table.name}

    @property
    def groups(self) -> tuple[Group, ...]:
        """The messages by ``groupId``, as a user interface should show them together."""
        return groups_of(self.messages)

    @property
    def duration(self) -> int | None:
        """The time from the turn's first timestamp to its last, in nanoseconds, exactly.

        It is the sum of the steps' durations; None where no step has one.
        """
        durations = [step.duration for step in self.steps if step.duration is not None]
        return sum(durations) if durations else None

    def __repr__(self) -> str:
        shown = ["None" if self.text is None else excerpt(self.text)]
        for name in _LISTS:
            if count := len(getattr(self, name)):
                shown.append(f"{name}={count}")
        return f"Answer({', '.join(shown)})"


_LISTS = tuple(item.name for item in fields(Answer) if item.name not in ("question", "text"))


class AnswerBuilder:
    """Puts an `Answer` together while its messages arrive.

    >>> from turnwire import geminidataanalytics as gda
    >>> builder = AnswerBuilder()
    >>> text = gda.TextMessage(parts=["Looking up prices"], text_type=gda.TextMessage.PROGRESS)
    >>> change = builder.add(gda.Message(system_message=gda.SystemMessage(text=text)))
    >>> change.progress, change.text
    (('Looking up prices',), None)
    """

    def __init__(self) -> None:
        self._changes: list[Answer] = []
        self._since: Timestamp | None = None

    def add(self, message: Message) -> Answer:
        """Takes the next message and tells what it adds.

        A user message begins a new turn: what was collected before is dropped.

        Returns:
            An answer that holds only what this message added. Its ``text`` is the message's own;
            `answer` joins it to earlier ones.

        Raises:
            TypeError: It is no message.
        """
        if begins_turn(message):
            self._changes.clear()
            self._since = None
        change = _read(message, self._since)
        self._changes.append(change)
        if message.HasField("timestamp"):
            self._since = message.timestamp
        return change

    def extend(self, messages: Messages) -> None:
        """Takes several messages as they come, or one; stored ones when all of them are there.

        Raises:
            TypeError: It is nothing of that kind.
            TurnwireError: Whatever the iterable raises; what came before is kept.
        """
        for message in messages_in(messages):
            self.add(message)

    @property
    def answer(self) -> Answer:
        """The answer so far, put together anew at each access."""
        changes = self._changes
        texts = [change.text for change in changes if change.text is not None]
        lists: dict[str, Any] = {
            name: tuple(chain.from_iterable(map(attrgetter(name), changes))) for name in _LISTS
        }
        return Answer(
            question=changes[0].question if changes else None,
            text="\n\n".join(filter(None, texts)) if texts else None,
            **lists,
        )


def answers_of(messages: Messages) -> tuple[Answer, ...]:
    """One answer per turn of a conversation, such as a stored one.

    A user message begins a new turn, also when another user message stands right before it.
    Messages before the first user message are a turn without a question.

    Raises:
        TypeError: It holds something that is no message.
        TurnwireError: Whatever the iterable raises, such as a reader's `TruncatedStream`. Use an
            `AnswerBuilder` to keep what came before.

    >>> from turnwire import geminidataanalytics as gda
    >>> final = gda.TextMessage(parts=["31 loaves."], text_type=gda.TextMessage.FINAL_RESPONSE)
    >>> answers = answers_of([
    ...     gda.user_message("How many loaves?"),
    ...     gda.Message(system_message=gda.SystemMessage(text=final)),
    ...     gda.user_message("And rolls?"),
    ... ])
    >>> [(answer.question, answer.text) for answer in answers]
    [('How many loaves?', '31 loaves.'), ('And rolls?', None)]
    """
    builders: list[AnswerBuilder] = []
    for message in messages_in(messages):
        if not builders or begins_turn(message):
            builders.append(AnswerBuilder())
        builders[-1].add(message)
    return tuple(builder.answer for builder in builders)


def _read(message: Message, since: Timestamp | None) -> Answer:
    """What one message adds to the answer of its turn."""
    held = Answer(messages=(message,))
    match message.WhichOneof("kind"):
        case "user_message":
            return replace(held, question=text_of(message))
        case "system_message":
            held = replace(
                held,
                steps=(step_of(message, since),),
                citations=citations_of(message),
            )
            return _with_content(held, message.system_message)
        case None:
            return held
        case _ as kind:
            assert_never(kind)


def _with_content(held: Answer, system: SystemMessage) -> Answer:
    match system.WhichOneof("kind"):
        case "text":
            return _with_text(held, system.text)
        case "data":
            return _with_data(held, system.data)
        case "chart":
            return replace(held, charts=_charts(system))
        case "analysis":
            return replace(held, analyses=(system.analysis,), charts=_charts(system))
        case "error":
            return replace(held, errors=(system.error.text,))
        case "example_queries":
            return replace(held, example_queries=tuple(system.example_queries.example_queries))
        case "clarification":
            return replace(held, clarifications=tuple(system.clarification.questions))
        case "schema" | None:
            return held
        case _ as kind:
            assert_never(kind)


def _with_text(held: Answer, text: TextMessage) -> Answer:
    match text.text_type:
        case TextMessage.FINAL_RESPONSE:
            return replace(held, text=text_of(text))
        case TextMessage.THOUGHT:
            return replace(held, thoughts=(text_of(text),))
        case TextMessage.PROGRESS:
            return replace(held, progress=(text_of(text),))
        case TextMessage.FOLLOWUP_QUESTIONS:
            return replace(held, follow_ups=tuple(text.parts))
        case _:  # without a type, or of a type that a newer service sends
            return held


def _with_data(held: Answer, data: DataMessage) -> Answer:
    match data.WhichOneof("kind"):
        case "query":
            return replace(held, queries=(data.query,))
        case "generated_sql":
            return replace(held, sql=(data.generated_sql,))
        case "result":
            return replace(held, results=(Table(data.result),))
        case "generated_looker_query":
            return replace(held, looker_queries=(data.generated_looker_query,))
        case "big_query_job":
            return replace(held, big_query_jobs=(data.big_query_job,))
        case "matched_query":
            return replace(held, matched_queries=(data.matched_query,))
        case None:
            return held
        case _ as kind:
            assert_never(kind)


def _charts(system: SystemMessage) -> tuple[Chart, ...]:
    chart = chart_in(system)
    return () if chart is None else (Chart(chart),)
