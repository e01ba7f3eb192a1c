"""The example conversation holds what the docs walk through."""

from __future__ import annotations

import json
from pathlib import Path

import turnwire
from turnwire import geminidataanalytics as gda

EXAMPLE = Path(__file__).parents[2] / "examples" / "analytics_answer.json"


def test_it_shows_every_kind_of_content() -> None:
    values = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    messages = [turnwire.from_dict(gda.Message, value) for value in values]
    assert [turnwire.to_dict(message) for message in messages] == values

    kinds = {message.system_message.WhichOneof("kind") for message in messages} - {None}
    assert kinds == {
        field.name for field in gda.SystemMessage.DESCRIPTOR.oneofs_by_name["kind"].fields
    }
    answer = gda.Answer.collect(messages)
    assert answer.completed
    assert all([answer.thoughts, answer.progress, answer.follow_ups, answer.sql, answer.errors])
    assert all([answer.results, answer.charts, answer.analyses, answer.citations])
    for table in answer.results:
        assert gda.rows_of(table.message, strict=True) == table.rows
    for message in messages:
        gda.citations_of(message, strict=True)
