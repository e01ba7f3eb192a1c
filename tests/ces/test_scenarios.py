"""Every CES scenario's facts come out of the session that its messages make."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.scenarios import scenarios

from turnwire import ces
from turnwire.errors import TurnwireError
from turnwire.protojson import from_dict

SCENARIOS = scenarios("ces")


def facts_of_exchange(exchange: ces.ToolExchange) -> dict[str, Any]:
    return {
        "id": exchange.id,
        "name": exchange.name,
        "args": exchange.args,
        "status": exchange.status,
        "result": exchange.result,
        "error": exchange.error,
        "agent": exchange.agent,
        "children": [facts_of_exchange(child) for child in exchange.children],
    }


def facts_of(session: ces.Session) -> dict[str, Any]:
    return {
        "turns": [
            {"index": turn.index, "reply": turn.reply, "completed": turn.completed}
            for turn in session.turns
        ],
        "exchanges": [facts_of_exchange(exchange) for exchange in session.tool_exchanges],
        "variables": session.variables,
        "active_agent": session.active_agent,
        "ended": None if session.ended is None else {"metadata": session.ended.metadata},
        "spans": {
            name: pytest.approx(total / 1e9, abs=1e-11)
            for name, total in ces.durations_ns_of(session.root_spans).items()
        },
    }


def only_what_is_expected(expected: Any, found: Any) -> Any:
    """The found facts without those that the scenario does not state."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return {
            key: only_what_is_expected(expected.get(key), found[key])
            for key in found
            if key in expected
        }
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [only_what_is_expected(*pair) for pair in zip(expected, found, strict=True)]
    return found


def elements_of(scenario: dict[str, Any]) -> list[Any]:
    text = scenario["input"]
    match scenario["framing"]:
        case "array":
            return list(json.loads(text))
        case "ndjson":
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        case "object":
            return [json.loads(text)]
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["id"])
def test_scenario(scenario: dict[str, Any]) -> None:
    expected = scenario["expect"]
    builder = ces.SessionBuilder()
    count = 0
    failed = False
    try:
        for element in elements_of(scenario):
            builder.add(
                from_dict(getattr(ces, scenario["type"]), element, **scenario.get("options", {}))
            )
            count += 1
    except (TurnwireError, ValueError):
        failed = True
    assert failed == (expected.get("error") is not None)
    facts = facts_of(builder.session)
    stated = {key: value for key, value in expected.items() if key not in ("messages", "error")}
    for key, value in stated.items():
        found = (
            facts[key]
            if key in ("variables", "spans")
            else only_what_is_expected(value, facts[key])
        )
        assert found == value, key
    if "messages" in expected:
        assert count == expected["messages"]
