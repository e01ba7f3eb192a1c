"""Types of the Conversational Analytics accessors: checked by mypy and pyright, never run."""

from collections.abc import Iterable
from typing import Any, Literal, assert_never, assert_type

from turnwire import geminidataanalytics as gda


def plain_functions(message: gda.Message, result: gda.DataResult) -> None:
    assert_type(gda.text_of(message), str | None)
    assert_type(gda.text_of(message.system_message.text), str)
    assert_type(gda.columns_of(result), list[str])
    assert_type(gda.rows_of(result), list[dict[str, Any]])
    assert_type(gda.rows_of(result, strict=True), list[dict[str, Any]])
    assert_type(gda.formatted_rows_of(result), list[dict[str, Any]])
    assert_type(gda.vega_spec_of(message), dict[str, Any] | None)
    assert_type(
        gda.vega_spec_of(message.system_message.analysis.progress_event), dict[str, Any] | None
    )
    assert_type(gda.citations_of(message), tuple[gda.CitedText, ...])
    assert_type(gda.groups_of([message]), tuple[gda.Group, ...])


def answers(stream: Iterable[gda.Message], page: gda.ListMessagesResponse) -> None:
    answer = gda.Answer.collect(stream)
    assert_type(answer, gda.Answer)
    assert_type(answer.question, str | None)
    assert_type(answer.text, str | None)
    assert_type(answer.thoughts, tuple[str, ...])
    assert_type(answer.progress, tuple[str, ...])
    assert_type(answer.follow_ups, tuple[str, ...])
    assert_type(answer.clarifications, tuple[gda.ClarificationQuestion, ...])
    assert_type(answer.queries, tuple[gda.DataQuery, ...])
    assert_type(answer.sql, tuple[str, ...])
    assert_type(answer.results, tuple[gda.Table, ...])
    assert_type(answer.results_for_display, tuple[gda.Table, ...])
    assert_type(answer.results_by_name, dict[str, gda.Table])
    assert_type(answer.charts, tuple[gda.Chart, ...])
    assert_type(answer.analyses, tuple[gda.AnalysisMessage, ...])
    assert_type(answer.citations, tuple[gda.CitedText, ...])
    assert_type(answer.errors, tuple[str, ...])
    assert_type(answer.groups, tuple[gda.Group, ...])
    assert_type(answer.steps, tuple[gda.Step, ...])
    assert_type(answer.duration_ns, int | None)
    assert_type(answer.steps[0].duration_ns, int | None)
    assert_type(answer.completed, bool)
    assert_type(gda.answers_of(page), tuple[gda.Answer, ...])
    assert_type(gda.answers_of(page.messages), tuple[gda.Answer, ...])
    assert_type(gda.history_of(stream), tuple[gda.Message, ...])


def views(table: gda.Table, chart: gda.Chart, cited: gda.CitedText, group: gda.Group) -> None:
    assert_type(table.columns, list[str])
    assert_type(table.rows, list[dict[str, Any]])
    assert_type(chart.spec, dict[str, Any] | None)
    assert_type(chart.grammar, Literal["vega", "vega-lite"] | None)
    assert_type(chart.to_svg(), str)
    assert_type(chart.to_png(3), bytes)
    assert_type(chart.to_html(data={"rows": []}), str)
    assert_type(chart.image, gda.Blob | None)
    assert_type(cited.sources, tuple[gda.CitationSource, ...])
    assert_type(cited.byte_range, tuple[int, int])
    assert_type(group.group_id, int | None)


def incremental(message: gda.Message) -> None:
    builder = gda.AnswerBuilder()
    assert_type(builder.add(message), gda.Answer)
    builder.extend([message])
    assert_type(builder.answer, gda.Answer)


def requests(agent: gda.DataAgentContext, inline: gda.Context) -> None:
    question = gda.user_message("Loans per branch?")
    assert_type(question, gda.Message)
    request = gda.chat_request(
        [question],
        parent="projects/p/locations/global",
        context=agent,
        thinking_mode=gda.ChatRequest.THINKING,
    )
    assert_type(request, gda.ChatRequest)
    assert_type(
        gda.chat_request("Hi", parent="projects/p/locations/l", context=inline), gda.ChatRequest
    )


def exhaustive(data: gda.DataMessage) -> str:
    match data.WhichOneof("kind"):
        case "query" | "result" | "big_query_job" | "matched_query" | "generated_looker_query":
            return "data"
        case "generated_sql":
            return data.generated_sql
        case None:
            return ""
        case _ as kind:
            assert_never(kind)
