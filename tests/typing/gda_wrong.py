"""Mistakes with messages and accessors that a checker must report: lines that end in `# error`."""

from collections.abc import Iterable
from typing import assert_never

import turnwire
from turnwire import ces
from turnwire import geminidataanalytics as gda


def forgets_a_member(message: gda.Message) -> str:
    kind = message.WhichOneof("kind")
    match kind:
        case "user_message":
            return message.user_message.text
        case None:
            return ""
        case _:
            assert_never(kind)  # error


def reads_another_message(data: bytes) -> ces.Message:
    return turnwire.from_json(gda.Message, data)  # error


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
