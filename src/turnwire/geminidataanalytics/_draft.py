"""An answer while it is put together: the additions of each message of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Final, assert_never

from google.protobuf.timestamp_pb2 import Timestamp
from turnwire_schema.geminidataanalytics.v1.analysis_pb2 import AnalysisEvent, AnalysisMessage
from turnwire_schema.geminidataanalytics.v1.clarification_pb2 import ClarificationQuestion
from turnwire_schema.geminidataanalytics.v1.data_pb2 import (
    BigQueryJob,
    DataMessage,
    DataQuery,
    MatchedQuery,
)
from turnwire_schema.geminidataanalytics.v1.datasource_pb2 import Datasource
from turnwire_schema.geminidataanalytics.v1.example_query_pb2 import ExampleQuery
from turnwire_schema.geminidataanalytics.v1.looker_pb2 import LookerQuery
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, SystemMessage
from turnwire_schema.geminidataanalytics.v1.text_pb2 import TextMessage

from turnwire.geminidataanalytics._charts import Chart, chart_in
from turnwire.geminidataanalytics._citations import CitedText, citations_of
from turnwire.geminidataanalytics._csv import result_of_csv
from turnwire.geminidataanalytics._datasources import ChosenDatasource, reference_key
from turnwire.geminidataanalytics._messages import begins_turn
from turnwire.geminidataanalytics._steps import Step, step_of
from turnwire.geminidataanalytics._tables import Table
from turnwire.geminidataanalytics._text import text_of


@dataclass(slots=True)
class AnswerDraft:
    """The lists of an `Answer` while they are filled, under the same names.

    Attributes:
        texts: The texts of the FINAL_RESPONSE messages.
        known_datasources: The keys of the data sources so far.
        since: The last timestamp so far.
    """

    question: str | None = None
    texts: list[str] = field(default_factory=list[str])
    since: Timestamp | None = None
    known_datasources: set[bytes] = field(default_factory=set[bytes])
    thoughts: list[str] = field(default_factory=list[str])
    progress: list[str] = field(default_factory=list[str])
    follow_ups: list[str] = field(default_factory=list[str])
    clarifications: list[ClarificationQuestion] = field(default_factory=list[ClarificationQuestion])
    queries: list[DataQuery] = field(default_factory=list[DataQuery])
    sql: list[str] = field(default_factory=list[str])
    looker_queries: list[LookerQuery] = field(default_factory=list[LookerQuery])
    matched_queries: list[MatchedQuery] = field(default_factory=list[MatchedQuery])
    example_queries: list[ExampleQuery] = field(default_factory=list[ExampleQuery])
    datasources: list[ChosenDatasource] = field(default_factory=list[ChosenDatasource])
    big_query_jobs: list[BigQueryJob] = field(default_factory=list[BigQueryJob])
    results: list[Table] = field(default_factory=list[Table])
    charts: list[Chart] = field(default_factory=list[Chart])
    plans: list[str] = field(default_factory=list[str])
    code: list[str] = field(default_factory=list[str])
    code_outputs: list[str] = field(default_factory=list[str])
    findings: list[str] = field(default_factory=list[str])
    analysis_errors: list[str] = field(default_factory=list[str])
    analyses: list[AnalysisMessage] = field(default_factory=list[AnalysisMessage])
    citations: list[CitedText] = field(default_factory=list[CitedText])
    errors: list[str] = field(default_factory=list[str])
    steps: list[Step] = field(default_factory=list[Step])
    messages: list[Message] = field(default_factory=list[Message])

    def add(self, message: Message) -> AnswerDraft:
        """Takes the next message and returns what it adds.

        A user message begins a new turn: what was collected before is dropped.

        Raises:
            TypeError: The argument is not a message.
        """
        if begins_turn(message):
            self._clear()
        added = AnswerDraft(messages=[message])
        match message.WhichOneof("kind"):
            case "user_message":
                added.question = text_of(message)
            case "system_message":
                added.steps.append(step_of(message, self.since))
                added.citations.extend(citations_of(message))
                added._add_content(message.system_message)
            case None:
                pass
            case _ as kind:
                assert_never(kind)
        if message.HasField("timestamp"):
            added.since = message.timestamp
        self._extend(added)
        return added

    def _clear(self) -> None:
        self.question = self.since = None
        self.texts.clear()
        self.known_datasources.clear()
        for name in LISTS:
            getattr(self, name).clear()

    def _extend(self, added: AnswerDraft) -> None:
        new = {reference_key(each.message): each for each in reversed(added.datasources)}
        added.datasources = [
            each for key, each in reversed(new.items()) if key not in self.known_datasources
        ]
        self.known_datasources |= new.keys()
        self.question = self.question if added.question is None else added.question
        self.since = added.since or self.since
        self.texts += added.texts
        for name in LISTS:
            getattr(self, name).extend(getattr(added, name))

    def _add_content(self, system: SystemMessage) -> None:
        match system.WhichOneof("kind"):
            case "text":
                self._add_text(system.text)
            case "data":
                self._add_data(system.data)
            case "chart":
                self._add_chart(system)
            case "analysis":
                self.analyses.append(system.analysis)
                self._add_event(system.analysis.progress_event)
                self._add_chart(system)
            case "error":
                self.errors.append(system.error.text)
            case "example_queries":
                self.example_queries.extend(system.example_queries.example_queries)
            case "clarification":
                self.clarifications.extend(system.clarification.questions)
            case "schema":
                self._add_datasources(system.schema.result.datasources)
            case None:
                pass
            case _ as kind:
                assert_never(kind)

    def _add_text(self, text: TextMessage) -> None:
        match text.text_type:
            case TextMessage.FINAL_RESPONSE:
                self.texts.append(text_of(text))
            case TextMessage.THOUGHT:
                self.thoughts.append(text_of(text))
            case TextMessage.PROGRESS:
                self.progress.append(text_of(text))
            case TextMessage.FOLLOWUP_QUESTIONS:
                self.follow_ups.extend(text.parts)
            case _:  # without a type, or of a type that a newer service sends
                pass

    def _add_data(self, data: DataMessage) -> None:
        match data.WhichOneof("kind"):
            case "query":
                self.queries.append(data.query)
                self._add_datasources(data.query.datasources)
                if data.query.HasField("looker"):
                    self.looker_queries.append(data.query.looker)
            case "generated_sql":
                self.sql.append(data.generated_sql)
            case "result":
                self.results.append(Table(data.result))
            case "generated_looker_query":
                self.looker_queries.append(data.generated_looker_query)
            case "big_query_job":
                self.big_query_jobs.append(data.big_query_job)
            case "matched_query":
                self.matched_queries.append(data.matched_query)
            case None:
                pass
            case _ as kind:
                assert_never(kind)

    def _add_datasources(self, datasources: Iterable[Datasource]) -> None:
        self.datasources.extend(map(ChosenDatasource, datasources))

    def _add_event(self, event: AnalysisEvent) -> None:
        match event.WhichOneof("kind"):
            case "planner_reasoning":
                self.plans.append(event.planner_reasoning)
            case "coder_instruction":
                self.plans.append(event.coder_instruction)
            case "code":
                self.code.append(event.code)
            case "execution_output":
                self.code_outputs.append(event.execution_output)
            case "execution_error":
                self.analysis_errors.append(event.execution_error)
            case "error":
                self.analysis_errors.append(event.error)
            case "result_natural_language":
                self.findings.append(event.result_natural_language)
            case "result_csv_data":
                if (result := result_of_csv(event.result_csv_data)) is not None:
                    self.results.append(Table(result))
            case "result_vega_chart_json" | "result_reference_data" | None:
                pass  # charts are added as those of chart messages are
            case _ as kind:
                assert_never(kind)

    def _add_chart(self, system: SystemMessage) -> None:
        chart = chart_in(system)
        if chart is not None:
            self.charts.append(Chart(chart))


LISTS: Final = tuple(
    each.name
    for each in fields(AnswerDraft)
    if each.name not in ("question", "texts", "since", "known_datasources")
)
"""The names of the lists that an answer and its draft have in common."""
