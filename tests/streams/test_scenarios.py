"""The stream facts of every scenario, for named and detected formats and any chunking."""

import pytest
from support.scenarios import scenarios

from turnwire import schema
from turnwire.errors import ParseError, StreamError, TruncatedStream, TurnwireError
from turnwire.streams import read

SCENARIOS = scenarios()


@pytest.mark.parametrize("named", [False, True], ids=["detected", "named"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["id"])
def test_stream_facts(scenario, named):
    body = scenario["input"].encode()
    outcomes = [
        read_all(scenario, body, size, scenario["framing"] if named else "auto")
        for size in (len(body), 1, 7, 4099)
    ]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    messages, error = outcomes[0]
    expect = scenario["expect"]
    if "messages" in expect:
        assert len(messages) == expect["messages"]
    if "error" in expect:
        assert_error(error, expect["error"])
    elif "messages" not in expect:
        assert error is None


def read_all(scenario, body, size, format):
    chunks = (body[start : start + size] for start in range(0, len(body), size))
    messages = []
    message_class = schema.message_class(f"{scenario['api']}.{scenario['type']}")
    options = {"unknown": "error"} | scenario.get("options", {})
    try:
        for message in read(message_class, chunks, format=format, **options):
            messages.append(message)
    except TurnwireError as error:
        return messages, (type(error), str(error), error.__dict__)
    return messages, None


def assert_error(error, expected):
    if expected is None:
        assert error is None
        return
    assert error is not None
    error_class, _, facts = error
    kind = expected["kind"]
    if kind == "stream_error":
        assert error_class is StreamError
    elif kind == "truncated":
        assert error_class is TruncatedStream
    else:
        assert error_class is ParseError
        assert kind != "trailing_data" or facts["kind"] == "trailing_data"
    for key in ("code", "status", "index"):
        if key in expected:
            assert facts[key] == expected[key]
    if "path" in expected:
        assert ParseError("", kind="type", path=facts["path"]).path_text == expected["path"]
