"""The table of cases: each is read and printed as it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass
from support.cases import for_each
from support.messages import message_classes

import turnwire

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("cases.jsonl").read_text("utf-8").splitlines()
]
assert message_classes()  # imported, so that the pool knows them


@for_each("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    kind = GetMessageClass(Default().FindMessageTypeByName(case["type"]))
    if case["expect"] == "error":
        with pytest.raises(turnwire.ParseError) as caught:
            turnwire.from_json(kind, case["input"], **case["options"])
        assert len(str(caught.value)) < 400
        return
    message = turnwire.from_json(kind, case["input"], **case["options"])
    printed = turnwire.to_json(message)
    assert json.loads(printed) == json.loads(case["expect"])
    assert turnwire.from_json(kind, printed) == message
    assert kind.FromString(message.SerializeToString()) == message
