"""Parsing into a message merges as google's module does, and changes nothing where it fails."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import any_pb2, struct_pb2
from google.protobuf import json_format as google
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.cases import for_each
from support.everything import EDITION, EVERYTHING2, EVERYTHING3, GROUP
from support.messages import message_classes, random_message

import turnwire
from turnwire import ces, json_format

seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
every_class = for_each(
    "message_class",
    [*message_classes(), EVERYTHING2, EVERYTHING3, GROUP, EDITION],
    ids=lambda c: c.DESCRIPTOR.full_name,
)


def with_nulls(value: Any, seed: int) -> Any:
    """Sets some members to null, by a rule that a seed decides."""
    if not isinstance(value, dict):
        return value
    return {
        key: None if (seed + index) % 5 == 0 else with_nulls(member, seed // 3)
        for index, (key, member) in enumerate(value.items())
    }


def both(message: Message, value: Any, **options: Any) -> tuple[Message, Message]:
    """Merges a JSON value into copies of a message, by google's module and by ours."""
    copies = []
    for module in (google, json_format):
        copy = type(message)()
        copy.CopyFrom(message)
        module.Parse(json.dumps(value), copy, **options)
        copies.append(copy)
    return copies[0], copies[1]


@every_class
@quick
@given(first=seeds, second=seeds)
def test_merging_gives_the_same_message(
    message_class: type[Message], first: int, second: int
) -> None:
    message = random_message(message_class, first)
    value = google.MessageToDict(
        random_message(message_class, second),
        always_print_fields_with_no_presence=bool(second % 2),
    )
    theirs, ours = both(message, value)
    assert turnwire.to_json(ours) == turnwire.to_json(theirs)
    value = with_nulls(value, second)
    try:
        theirs, ours = both(message, value)
    except google.ParseError:
        # Both refuse a null that stands for a whole well-known type.
        return
    assert turnwire.to_json(ours) == turnwire.to_json(theirs)


@pytest.mark.parametrize(
    "value",
    [
        {"oneInt32": 0, "oneString": "", "colour": "NONE"},
        {"oneInt32": None, "manyInt32": None, "self": None, "byString": None},
        {"manyInt32": [], "byString": {}, "self": {}},
        {"self": {"oneInt32": 0, "manyInt32": [7]}},
        {"byString": {"a": {"oneInt32": 2}}},
        {"wktStruct": {"b": 1}, "wktTimestamp": "1970-01-01T00:00:00Z", "wktInt32value": 0},
        {"wktValue": None, "wktListvalue": [1]},
        {"wktAny": {}},
        {"either": "x"},
        {"nothing": None},
        {"orValue": None},
    ],
    ids=str,
)
def test_kinds_of_merging(value: Any) -> None:
    message = EVERYTHING3(one_int32=5, one_string="a", many_int32=[1, 2], colour="RED")
    message.self.one_int32 = 3
    message.self.many_int32.append(1)
    message.by_string["a"].one_string = "kept"
    message.by_string["z"].one_int32 = 1
    message.wkt_struct["a"] = 1
    message.wkt_timestamp.seconds = 5
    message.wkt_timestamp.nanos = 6
    message.wkt_int32value.value = 9
    message.wkt_value.struct_value["a"] = 1
    message.wkt_listvalue.values.add().bool_value = True
    message.wkt_any.Pack(struct_pb2.Value(bool_value=True))
    message.or_value.string_value = "s"
    theirs, ours = both(message, value)
    assert ours == theirs


keys = st.text("abcdefgh", max_size=8)


@settings(deadline=None)
@given(members=st.dictionaries(keys, st.dictionaries(keys, st.none(), max_size=5), max_size=8))
def test_what_was_parsed_prints_in_the_same_order(members: Any) -> None:
    """The order of a map is that of its making, where keys share a place in the runtime's table."""
    value = {"wktStruct": members, "byString": {key: {} for key in members}}
    text = json.dumps(value)
    theirs = google.MessageToJson(google.Parse(text, EVERYTHING3()))
    for limit in (100, 50):
        for ours in (
            json_format.Parse(text, EVERYTHING3(), max_recursion_depth=limit),
            json_format.ParseDict(value, EVERYTHING3(), max_recursion_depth=limit),
        ):
            assert json_format.MessageToJson(ours) == theirs
    assert json_format.compare(EVERYTHING3, [text]) == []
    # An empty list in the place of a message is for leniency.
    lenient = json.dumps({"self": [], **value})
    theirs = google.MessageToJson(google.Parse(lenient, EVERYTHING3()))
    parsed = json_format.Parse(lenient, EVERYTHING3(), strict=False)
    assert json_format.MessageToJson(parsed) == theirs


@pytest.mark.parametrize("text", ['{"role": "user", "novel": 1}', '{"novel": 1, "role": 5}'])
def test_an_error_of_the_caller_leaves_an_empty_message(text: str) -> None:
    def refuse(path: object) -> None:
        raise LookupError(path)

    for options in ({}, {"check_required": True}, {"max_depth": 50}):
        message = ces.Message()
        with pytest.raises((LookupError, turnwire.ParseError)):
            turnwire.merge_json(message, text, unknown=refuse, **options)
        assert message == ces.Message()
        with pytest.raises((LookupError, turnwire.ParseError)):
            turnwire.merge_dict(message, json.loads(text), unknown=refuse, **options)
        assert message == ces.Message()


def test_unknown_enum_names_keep_the_value() -> None:
    message = EVERYTHING3(colour="RED", colours=["RED"])
    value = {"colour": "NEW", "colours": ["NEW", "GREEN"], "novel": 1}
    theirs, ours = both(message, value, ignore_unknown_fields=True)
    assert ours == theirs
    assert ours.colour == 1


def test_extensions_are_merged() -> None:
    message = GROUP()
    extension = GROUP.DESCRIPTOR.file.extensions_by_name["ext_number"]
    message.Extensions[extension] = 5
    theirs, ours = both(message, {"[two.ext_number]": "0"})
    assert ours == theirs
    # Google's module of protobuf 6 cannot clear an extension.
    json_format.Parse('{"[two.ext_number]": null}', message)
    assert not message.HasExtension(extension)


def test_an_error_leaves_the_message_as_it_was() -> None:
    message = ces.Message(role="user")
    before = ces.Message(role="user")
    for text in ('{"role": null, "chunks": [{"text": 5}]}', "{", "[1]"):
        for strict in (True, False):
            with pytest.raises(json_format.ParseError):
                json_format.Parse(text, message, strict=strict)
            assert message == before


def test_values_are_not_changed_and_may_be_tuples() -> None:
    value = {"chunks": ({"text": "a"},), "role": "user"}
    message = json_format.ParseDict(value, ces.Message())
    assert message.chunks[0].text == "a"
    assert value == {"chunks": ({"text": "a"},), "role": "user"}
    typed = {"@type": "type.googleapis.com/turnwire_schema.ces.v1.Message", "role": "user"}
    json_format.ParseDict(typed, any_pb2.Any())
    assert list(typed) == ["@type", "role"]


@pytest.mark.parametrize("data", [b"AQID", b"", bytearray(b"AQI=")], ids=str)
@pytest.mark.parametrize("held", [EVERYTHING3(), EVERYTHING3(one_int32=5)], ids=["empty", "held"])
def test_bytes_are_base64_as_google_s_parser_reads_them(data: Any, held: Message) -> None:
    """`base64.b64encode` gives bytes, and programs pass them on."""
    for value in (
        {"oneBytes": data, "manyBytes": [data], "wktBytesvalue": data, "self": {"oneBytes": data}},
        # One that the core leaves to Python anyway.
        {"oneBytes": data, "wktAny": {}},
    ):
        messages = []
        for module in (google, json_format):
            message = EVERYTHING3()
            message.CopyFrom(held)
            messages.append(module.ParseDict(value, message))
        assert messages[0] == messages[1]
    with pytest.raises(json_format.ParseError, match="base64"):
        json_format.ParseDict({"oneBytes": b"A*QI"}, EVERYTHING3())
    # Bytes are themselves where no other module is followed.
    merged = EVERYTHING3()
    turnwire.merge_dict(merged, {"oneBytes": bytes(data)})
    assert merged == turnwire.from_dict(EVERYTHING3, {"oneBytes": bytes(data)})
    assert merged.one_bytes == data


def nested(levels: int, opening: str = '{"self": ', inner: str = "{}", closing: str = "}") -> str:
    return opening * levels + inner + closing * levels


@pytest.mark.parametrize("limit", [1, 2, 5, 50, 99, 100])
def test_the_recursion_limit(limit: int) -> None:
    """A limit of n lets n messages nest."""
    for module in (google, json_format):
        for text in (nested(limit - 1), nested(limit - 1, '{"selves": [', closing="]}")):
            module.Parse(text, EVERYTHING3(), max_recursion_depth=limit)
            module.ParseDict(json.loads(text), EVERYTHING3(), max_recursion_depth=limit)
        for levels in (limit, limit + 1, 2 * limit):
            with pytest.raises(google.ParseError):
                module.Parse(nested(levels), EVERYTHING3(), max_recursion_depth=limit)
            value = json.loads(nested(levels))
            with pytest.raises(google.ParseError):
                module.ParseDict(value, EVERYTHING3(), max_recursion_depth=limit)


def test_the_recursion_limit_holds_where_a_message_holds_something() -> None:
    for module in (google, json_format):
        message = EVERYTHING3(one_int32=1)
        module.Parse(nested(99), message)
        assert message.self.HasField("self")
        with pytest.raises(google.ParseError):
            module.Parse(nested(100), message)


@pytest.mark.parametrize(
    ("levels", "message", "opening", "inner", "closing"),
    [
        (100, EVERYTHING3(), '{"self": ', "{}", "}"),
        (33, struct_pb2.Struct(), '{"a": ', "1", "}"),
        (50, EVERYTHING3(), '{"byString": {"k": ', "{}", "}}"),
    ],
)
def test_a_parsed_message_can_be_read_from_the_wire(
    levels: int, message: Message, opening: str, inner: str, closing: str
) -> None:
    # At the default, Google's parser refuses the deepest of messages in messages; so do we.
    for limit in (100, 1000) if opening != '{"self": ' else (1000,):
        text = nested(levels, opening, inner, closing)
        parsed = json_format.Parse(text, type(message)(), max_recursion_depth=limit)
        assert type(message).FromString(parsed.SerializeToString()) == parsed
        deeper = nested(levels + 1, opening, inner, closing)
        with pytest.raises(json_format.ParseError, match="deep"):
            json_format.Parse(deeper, type(message)(), max_recursion_depth=limit)


def test_merge_json_appends() -> None:
    message = ces.Message(role="user", chunks=[ces.Chunk(text="a")])
    turnwire.merge_json(message, '{"chunks": [{"text": "b"}], "role": null}')
    assert turnwire.to_json(message) == b'{"chunks":[{"text":"a"},{"text":"b"}]}'
