"""Random messages of every type: nothing is lost on any way, and json_format agrees."""

from __future__ import annotations

import json

from google.protobuf import json_format
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.cases import for_each
from support.messages import message_classes, random_message

import turnwire

seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=12, suppress_health_check=list(HealthCheck))

every_class = for_each(
    "message_class", message_classes(), ids=lambda c: c.DESCRIPTOR.full_name.partition(".")[2]
)


@every_class
@quick
@given(seed=seeds)
def test_wire_to_message_to_json_to_message(message_class: type[Message], seed: int) -> None:
    wire = random_message(message_class, seed).SerializeToString()
    message = message_class.FromString(wire)
    text = turnwire.to_json(message)
    again = turnwire.from_json(message_class, text)
    assert again.SerializeToString(deterministic=True) == message.SerializeToString(
        deterministic=True
    )
    assert turnwire.to_json(again) == text
    for options in ({"proto_names": True}, {"enum_numbers": True}, {"defaults": True}):
        assert turnwire.from_json(message_class, turnwire.to_json(message, **options)) == message


@every_class
@quick
@given(seed=seeds)
def test_text_and_values_are_the_same(message_class: type[Message], seed: int) -> None:
    message = random_message(message_class, seed)
    value = turnwire.to_dict(message)
    text = turnwire.to_json(message)
    assert json.loads(text) == value
    assert json.loads(turnwire.to_json(message, indent=2)) == value
    assert turnwire.from_dict(message_class, value) == message
    assert turnwire.from_json(message_class, text.decode()) == message


@every_class
@quick
@given(seed=seeds)
def test_json_format_agrees(message_class: type[Message], seed: int) -> None:
    message = random_message(message_class, seed)
    theirs = json_format.MessageToJson(message)
    assert turnwire.from_json(message_class, theirs) == message
    # Where a number is written another way (3.0 and 3), the values are still equal.
    assert json.loads(theirs) == json.loads(turnwire.to_json(message))
    # json_format packs an Any with its maps in any order, so the bytes in it need not be equal.
    text = turnwire.to_json(message)
    assert turnwire.to_json(json_format.Parse(text, message_class())) == text
