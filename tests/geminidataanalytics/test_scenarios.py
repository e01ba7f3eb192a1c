"""The facts of every Conversational Analytics scenario, found in the messages as they arrive."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest
from support.scenarios import scenarios

from turnwire import geminidataanalytics as gda
from turnwire.errors import TurnwireError
from turnwire.streams import read

SCENARIOS = scenarios("gda")


def collected(scenario: dict[str, Any], pieces: Iterable[bytes]) -> gda.Answer:
    """The answer in what is delivered, also when an error follows."""
    builder = gda.AnswerBuilder()
    with contextlib.suppress(TurnwireError):
        for message in read(
            gda.Message, pieces, **{"unknown": "error", **scenario.get("options", {})}
        ):
            before = message.SerializeToString(deterministic=True)
            builder.add(message)
            assert message.SerializeToString(deterministic=True) == before
    return builder.answer


def plain(cell: Any) -> Any:
    """A typed cell in the spelling of the facts."""
    match cell:
        case Decimal():
            return str(cell)
        case date() | datetime() | time():
            return cell.isoformat()
        case dict():
            return {name: plain(value) for name, value in cell.items()}
        case list():
            return [plain(item) for item in cell]
        case _:
            return cell


def table_facts(table: gda.Table) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": table.name,
        "columns": table.columns,
        "rows": [[plain(cell) for cell in row.values()] for row in table.rows],
    }
    if table.formatted_rows:
        facts["formatted"] = [list(row.values()) for row in table.formatted_rows]
    return facts


def facts_of(answer: gda.Answer) -> dict[str, Any]:
    return {
        "answer": answer.text,
        "thoughts": list(answer.thoughts),
        "progress": list(answer.progress),
        "follow_ups": list(answer.follow_ups),
        "sql": list(answer.sql),
        "errors": list(answer.errors),
        "results": [table_facts(table) for table in answer.results_for_display],
        "citations": [
            {"text": cited.text, "sources": [source.title for source in cited.sources]}
            for cited in answer.citations
        ],
        "groups": [list(group.indices) for group in answer.groups],
    }


def at_path(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["id"])
def test_facts(scenario: dict[str, Any]) -> None:
    body, expected = scenario["input"].encode(), scenario["expect"]
    answer = collected(scenario, [body])
    assert collected(scenario, (body[at : at + 1] for at in range(len(body)))) == answer

    found = facts_of(answer)
    wanted = {name: fact for name, fact in expected.items() if name in found}
    assert {name: found[name] for name in wanted} == wanted
    if "charts" in expected:
        specs = [chart.spec for chart in answer.charts]
        assert len(specs) == len(expected["charts"])
        for spec, facts in zip(specs, expected["charts"], strict=True):
            assert {path: at_path(spec, path) for path in facts} == facts
        json.dumps(specs)  # plain all the way down


def test_every_scenario_is_there() -> None:
    assert len(SCENARIOS) >= 32
