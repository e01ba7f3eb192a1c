"""Any generated class works: proto2, proto3, editions, groups, extensions, maps, closed enums."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.cases import for_each
from support.everything import CLASSES, EDITION, EVERYTHING2, EVERYTHING3, GROUP, POOL
from support.messages import random_message

import turnwire

both = for_each("everything", [EVERYTHING2, EVERYTHING3])


@pytest.mark.parametrize("message_class", CLASSES.values(), ids=CLASSES)
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32 - 1))
def test_nothing_is_lost(message_class: type[Message], seed: int) -> None:
    message = random_message(message_class, seed)
    text = turnwire.to_json(message)
    assert turnwire.from_json(message_class, text) == message
    assert turnwire.from_dict(message_class, turnwire.to_dict(message)) == message
    assert turnwire.from_json(message_class, turnwire.to_json(message, defaults=True)) == message
    assert turnwire.to_json(turnwire.from_json(message_class, text)) == text


def read_back(message_class: type[Message], text: str, **options: Any) -> Any:
    return json.loads(turnwire.to_json(turnwire.from_json(message_class, text, **options)))


@both
@for_each(
    ("given_text", "printed"),
    [
        ('{"byBool":{"true":{},"false":{"oneInt32":1}}}', None),
        ('{"byInt64":{"-9223372036854775808":{}}}', None),
        ('{"oneInt64":"1e2","oneUint64":18446744073709551615}', None),
        ('{"oneDouble":"-0","oneFloat":-0}', {"oneDouble": -0.0, "oneFloat": -0.0}),
        ('{"oneDouble":"NaN"}', {"oneDouble": "NaN"}),
        ('{"manyDouble":["Infinity","-Infinity",1e308]}', None),
        ('{"oneFloat":0.1}', {"oneFloat": 0.1}),
        ('{"oneFloat":3.4028235e38}', {"oneFloat": 3.4028235e38}),
        ('{"oneInt64":9007199254740993.0}', {"oneInt64": "9007199254740993"}),
        ('{"oneInt64":9.007199254740993e15}', {"oneInt64": "9007199254740993"}),
        (
            '{"manyInt32":[0e99999999999999999999,"-0.0E-99999999999999999999"]}',
            {"manyInt32": [0, 0]},
        ),
        ('{"oneInt32":1.0,"oneUint32":5e0}', {"oneInt32": 1, "oneUint32": 5}),
        ('{"nothing":null}', {"nothing": None}),
        ('{"orValue":null}', {"orValue": None}),
        ('{"wktValue":null,"wktsValue":[null,{}]}', {"wktValue": None, "wktsValue": [None, {}]}),
        ('{"wktInt64value":"5","wktBoolvalue":false}', None),
        ('{"wktInt64value":null}', {}),
        ('{"wktFieldmask":"a.bC,d"}', {"wktFieldmask": "a.bC,d"}),
        ('{"wktFieldmask":""}', {"wktFieldmask": ""}),
        ('{"colour":"GRUN"}', {"colour": "GREEN"}),
        ('{"colour":"-1"}', {"colour": "MINUS"}),
        ('{"oddOne":4}', {"oddOne": 4}),
        ('{"_odd__Name_1":4}', {"oddOne": 4}),
        ('{"wktAny":{"@type":"a/google.protobuf.Duration","value":"1s"}}', None),
        ('{"wktAny":{"@type":"a/google.protobuf.Value","value":null}}', None),
        ('{"wktAny":{"value":[1],"@type":"a/google.protobuf.ListValue"}}', None),
    ],
)
def test_valid(everything: type[Message], given_text: str, printed: Any) -> None:
    expected = json.loads(given_text) if printed is None else printed
    got = read_back(everything, given_text)
    if "oneUint64" in given_text:
        expected = {"oneInt64": "100", "oneUint64": "18446744073709551615"}
    assert repr(_sorted(got)) == repr(_sorted(expected))


def _sorted(value: Any) -> Any:
    """Equal members in one order, so that repr can tell -0.0 from 0."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return value


@both
@for_each(
    ("text", "kind", "path"),
    [
        ('{"byInt32":{"0":{},"-0":{}}}', "duplicate", ("byInt32", "-0")),
        ('{"byInt32":{"1.0":{}}}', "value", ("byInt32", "1.0")),
        ('{"byUint32":{"1e2":{}}}', "value", ("byUint32", "1e2")),
        ('{"byBool":{"True":{}}}', "value", ("byBool", "True")),
        ('{"byInt32":{" 1":{}}}', "value", ("byInt32", " 1")),
        ('{"byString":{"a":null}}', "type", ("byString", "a")),
        ('{"byString":{"a":{"oneInt32":true}}}', "type", ("byString", "a", "oneInt32")),
        ('{"manyInt32":[1,null]}', "type", ("manyInt32", 1)),
        ('{"manyString":["a",1]}', "type", ("manyString", 1)),
        ('{"manyInt32":5}', "type", ("manyInt32",)),
        ('{"oneUint32":-1}', "range", ("oneUint32",)),
        ('{"oneInt32":2147483648}', "range", ("oneInt32",)),
        ('{"oneInt64":9223372036854775808.0}', "range", ("oneInt64",)),
        ('{"oneInt64":1.00000000000000000001}', "value", ("oneInt64",)),
        ('{"oneInt64":"１"}', "value", ("oneInt64",)),
        ('{"oneInt64":1e-400}', "value", ("oneInt64",)),
        ('{"oneInt64":1e999999999999}', "range", ("oneInt64",)),
        ('{"oneInt64":"1e999999999999999999999999"}', "range", ("oneInt64",)),
        ('{"oneDouble":1e400}', "range", ("oneDouble",)),
        ('{"oneDouble":"1e400"}', "range", ("oneDouble",)),
        ('{"oneDouble":"nan"}', "value", ("oneDouble",)),
        ('{"oneDouble":"+Infinity"}', "value", ("oneDouble",)),
        ('{"oneDouble":NaN}', "syntax", ("oneDouble",)),
        ('{"oneDouble":".5"}', "value", ("oneDouble",)),
        ('{"oneDouble":"5."}', "value", ("oneDouble",)),
        ('{"oneFloat":3.5e38}', "range", ("oneFloat",)),
        ('{"oneInt64":1e-99999999999999999999}', "value", ("oneInt64",)),
        ('{"oneInt64":-1e99999999999999999999}', "range", ("oneInt64",)),
        ('{"oneBool":"true"}', "type", ("oneBool",)),
        ('{"oneBool":1}', "type", ("oneBool",)),
        ('{"oneString":true}', "type", ("oneString",)),
        ('{"nothing":null,"either":"a"}', "oneof", ("either",)),
        ('{"either":"a","orValue":null}', "oneof", ("orValue",)),
        ('{"wktFieldmask":"a_b"}', "value", ("wktFieldmask",)),
        ('{"wktFieldmask":"a,,b"}', "value", ("wktFieldmask",)),
        ('{"wktInt32value":{}}', "type", ("wktInt32value",)),
        ('{"wktStruct":null,"wktListvalue":{}}', "type", ("wktListvalue",)),
        ('{"wktAny":{"value":1}}', "value", ("wktAny",)),
        ('{"wktAny":{"@type":5}}', "type", ("wktAny", "@type")),
        ('{"wktAny":{"@type":"google.protobuf.Empty"}}', "value", ("wktAny", "@type")),
        ('{"wktAny":{"@type":"a/no.Such"}}', "unknown", ("wktAny", "@type")),
        ('{"wktAny":{"@type":"a/google.protobuf.Duration"}}', "value", ("wktAny",)),
        (
            '{"wktAny":{"@type":"a/google.protobuf.Duration","value":"1s","x":1}}',
            "unknown",
            ("wktAny", "x"),
        ),
        ('{"oneInt32":1,"one_int32":null}', "duplicate", ("one_int32",)),
        ('{"self":{"self":{"self":5}}}', "type", ("self", "self", "self")),
        ('{"[two.ext_number]":5}', "unknown", ("[two.ext_number]",)),
    ],
)
def test_invalid(everything: type[Message], text: str, kind: str, path: tuple[Any, ...]) -> None:
    with pytest.raises(turnwire.ParseError) as caught:
        turnwire.from_json(everything, text)
    assert (caught.value.kind, caught.value.path) == (kind, path)


@pytest.mark.parametrize(
    "number", [1e-45, 3e-45, 1.1754944e-38, 1.2e-38, 0.1, 3.4028235e38, 16777216, 1e16, -2.5, 3]
)
def test_floats_have_the_fewest_digits_that_read_back(number: float) -> None:
    text = f'{{"oneFloat":{json.dumps(number)}}}'
    assert turnwire.to_json(turnwire.from_json(EVERYTHING3, text)).decode() == text


def test_unknown_numbers_of_open_and_closed_enums() -> None:
    assert read_back(EVERYTHING3, '{"colour":77,"colours":["RED",77]}') == {
        "colour": 77,
        "colours": ["RED", 77],
    }
    with pytest.raises(turnwire.ParseError, match="closed enum") as caught:
        turnwire.from_json(EVERYTHING2, '{"colours":["RED",77]}')
    assert caught.value.path == ("colours", 1)
    assert read_back(EVERYTHING2, '{"colours":["RED",77]}', unknown="ignore") == {
        "colours": ["RED"]
    }


def test_groups_and_extensions() -> None:
    text = (
        '{"inner":{"n":1},"inners":[{"n":2},{}],"[two.ext_number]":"5",'
        '"[two.ext_group]":[{"[two.ext_number]":"6"}]}'
    )
    message = turnwire.from_json(GROUP, text)
    assert message.Extensions[POOL.FindExtensionByName("two.ext_number")] == 5
    assert turnwire.to_json(message).decode() == text
    assert GROUP.FromString(message.SerializeToString()) == message
    with pytest.raises(turnwire.ParseError, match=r"JSON syntax, got .x. at") as caught:
        turnwire.from_json(GROUP, '{"[two.ext_group]":[{"inner":{"n":"x"}}]}')
    assert caught.value.path == ("[two.ext_group]", 0, "inner", "n")


def test_editions() -> None:
    text = '{"explicit":0,"delimited":{"delimited":{"explicit":5},"closed":"B"}}'
    message = turnwire.from_json(EDITION, text)
    assert turnwire.to_json(message).decode() == text
    assert turnwire.to_json(EDITION(), defaults=True) == b'{"implicit":0}'
    with pytest.raises(turnwire.ParseError):
        turnwire.from_json(EDITION, '{"closed":5}')


def test_a_well_known_type_alone() -> None:
    for name, text in (
        ("Timestamp", '"2025-01-02T03:04:05.120Z"'),
        ("Duration", '"-0.000000001s"'),
        ("FieldMask", '"aB.c"'),
        ("Value", "null"),
        ("Value", "[1,{}]"),
        ("ListValue", "[]"),
        ("Struct", '{"a":[true,null]}'),
        ("BytesValue", '"AQ=="'),
        ("UInt64Value", '"18446744073709551615"'),
        ("FloatValue", '"-Infinity"'),
    ):
        kind = GetMessageClass(POOL.FindMessageTypeByName(f"google.protobuf.{name}"))
        assert turnwire.to_json(turnwire.from_json(kind, text)).decode() == text
        assert turnwire.to_dict(turnwire.from_dict(kind, json.loads(text))) == json.loads(text)
