"""The view of the answer of one turn, and of what one message adds to it."""

from __future__ import annotations

from dataclasses import dataclass

from turnwire_schema.geminidataanalytics.v1.analysis_pb2 import AnalysisMessage
from turnwire_schema.geminidataanalytics.v1.clarification_pb2 import ClarificationQuestion
from turnwire_schema.geminidataanalytics.v1.data_pb2 import BigQueryJob, DataQuery, MatchedQuery
from turnwire_schema.geminidataanalytics.v1.example_query_pb2 import ExampleQuery
from turnwire_schema.geminidataanalytics.v1.looker_pb2 import LookerQuery
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message

from turnwire._notebooks import ShownView
from turnwire._views import counts_repr, short_repr
from turnwire.geminidataanalytics._charts import Chart
from turnwire.geminidataanalytics._citations import CitedText
from turnwire.geminidataanalytics._datasources import ChosenDatasource
from turnwire.geminidataanalytics._draft import LISTS, AnswerDraft
from turnwire.geminidataanalytics._looker import Instances
from turnwire.geminidataanalytics._messages import Messages, messages_in
from turnwire.geminidataanalytics._steps import Group, Step, groups_of
from turnwire.geminidataanalytics._tables import Table


@dataclass(frozen=True, slots=True, repr=False)
class Answer(ShownView):
    """The answer of one turn, or what one message adds to it; lists are in the order of messages.

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
        datasources: The data sources that queries and schemas name, each once.
        big_query_jobs: The jobs that fetched data.
        results: Every data result, those that an analysis gives as CSV among them, whose cells
            are text; see `results_for_display` and `results_by_name`.
        charts: The charts, those of an analysis among them; chart queries are left out.
        plans: The plans of the analyses: the reasoning and the instructions for their code.
        code: The Python code of the analyses, one text per event.
        code_outputs: The outputs of that code.
        findings: The results of the analyses in words. They are not the answer.
        analysis_errors: The errors of the analyses and of their code; the agent goes on.
        analyses: The analysis queries and events.
        citations: The cited words of every text, with their sources.
        errors: The texts of recoverable errors. They end nothing, and the API page warns that
            they mislead when they are shown as failures.
        steps: The system messages as steps, with their durations.
        messages: The messages of the turn, the user's among them.

    >>> from turnwire import geminidataanalytics as gda
    >>> final = gda.TextMessage(parts=["31 loaves."], text_type=gda.TextMessage.FINAL_RESPONSE)
    >>> gda.Answer.collect(gda.Message(system_message=gda.SystemMessage(text=final))).text
    '31 loaves.'
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
    datasources: tuple[ChosenDatasource, ...] = ()
    big_query_jobs: tuple[BigQueryJob, ...] = ()
    results: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    plans: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    code_outputs: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    analysis_errors: tuple[str, ...] = ()
    analyses: tuple[AnalysisMessage, ...] = ()
    citations: tuple[CitedText, ...] = ()
    errors: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    messages: tuple[Message, ...] = ()

    @classmethod
    def collect(cls, messages: Messages) -> Answer:
        """The answer of the last turn.

        A user message begins a new turn; `answers_of` gives one answer per turn.

        Args:
            messages: The messages of a stream or of a stored conversation, or one message.

        Raises:
            TypeError: The argument is not of that kind.
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
        Answer('26.5 degrees.', thoughts=1, steps=2, messages=3)
        >>> answer.question
        'How warm is the pool?'
        """
        draft = AnswerDraft()
        for message in messages_in(messages):
            draft.add(message)
        return answer_of_draft(draft)

    @property
    def completed(self) -> bool:
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
    def looker_urls(self) -> tuple[str | None, ...]:
        """The address of each of the `looker_queries` in Looker; see `looker_url_of`."""
        instances = Instances(chosen.message for chosen in self.datasources)
        return tuple(map(instances.url_of, self.looker_queries))

    @property
    def groups(self) -> tuple[Group, ...]:
        """The messages by ``groupId``, as a user interface should show them together."""
        return groups_of(self.messages)

    @property
    def duration_ns(self) -> int | None:
        """The time from the turn's first timestamp to its last, in nanoseconds, exactly.

        It is the sum of the steps' durations; None where no step has one.
        """
        durations = [step.duration_ns for step in self.steps if step.duration_ns is not None]
        return sum(durations) if durations else None

    def _shown(self) -> list[str]:
        counts = {name: len(getattr(self, name)) for name in LISTS}
        return ["None" if self.text is None else short_repr(self.text), *counts_repr(counts)]


def answer_of_draft(draft: AnswerDraft) -> Answer:
    """The answer as it is now."""
    return Answer(
        question=draft.question,
        text="\n\n".join(filter(None, draft.texts)) if draft.texts else None,
        **{name: tuple(getattr(draft, name)) for name in LISTS},
    )
