"""Mistakes with the accessors that a type checker must report: the lines that end in `# error`."""

from collections.abc import Iterable

from turnwire import geminidataanalytics as gda


def an_answer_may_be_missing(stream: Iterable[gda.Message]) -> str:
    return gda.Answer.collect(stream).text  # error


def an_answer_is_frozen(answer: gda.Answer) -> None:
    answer.text = "212 tickets."  # error


def rows_belong_to_a_result(message: gda.Message) -> int:
    return len(gda.rows_of(message))  # error


def a_chart_may_have_no_spec(chart: gda.Chart) -> object:
    return chart.spec["mark"]  # error


def a_context_is_a_message() -> gda.ChatRequest:
    return gda.chat_request("?", parent="projects/p/locations/l", context="agents/a")  # error


def no_such_list(answer: gda.Answer) -> object:
    return answer.followups  # error
