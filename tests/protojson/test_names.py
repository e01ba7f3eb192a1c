"""Names in JSON that meet other names: of fields, of enum values, of extensions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf import any_pb2, descriptor_pb2
from support.cases import for_each
from support.made import made

import turnwire

SYNTAX = {
    "proto2": 'syntax: "proto2"',
    "proto3": 'syntax: "proto3"',
    "editions": 'syntax: "editions" edition: EDITION_2023',
}


def string_field(name: str, number: int, json_name: str) -> str:
    text = f'name: "{name}" number: {number} json_name: "{json_name}"'
    return f"field {{ {text} label: LABEL_OPTIONAL type: TYPE_STRING }}"


MESSAGES = {
    "Page": string_field("name", 1, "title") + string_field("title", 2, "heading"),
    "Swap": string_field("a", 1, "b") + string_field("b", 2, "a"),
    "Chain": "".join(
        string_field(*field) for field in (("a", 1, "b"), ("b", 2, "c"), ("c", 3, "d"))
    ),
    "Typed": string_field("kind", 1, "@type") + string_field("text", 2, "text"),
}
"""Messages in which a JSON name is another field's name, or that of the type in an Any."""


@pytest.fixture(params=SYNTAX)
def message_of(request: pytest.FixtureRequest) -> Callable[[str], Any]:
    """Makes the class of one of those messages."""

    def message_class(name: str) -> Any:
        if request.param != "proto2" and name == "Swap":
            pytest.skip("protobuf refuses it")
        file = f'name: "names.proto" package: "names" {SYNTAX[request.param]}'
        file += f' message_type {{ name: "{name}" {MESSAGES[name]} }}'
        return made(file)[f"names.{name}"]

    return message_class


@for_each(
    ("name", "text", "expected"),
    [
        ("Page", '{"title":"Home"}', {"name": "Home"}),
        ("Page", '{"heading":"Home"}', {"title": "Home"}),
        ("Page", '{"name":"Home"}', {"name": "Home"}),
        ("Page", '{"title":"Home","heading":"Welcome"}', {"name": "Home", "title": "Welcome"}),
        ("Swap", '{"b":"2"}', {"a": "2"}),
        ("Swap", '{"a":"1","b":"2"}', {"b": "1", "a": "2"}),
        ("Chain", '{"a":"1"}', {"a": "1"}),
        ("Chain", '{"b":"1","c":"2","d":"3"}', {"a": "1", "b": "2", "c": "3"}),
    ],
)
def test_a_json_name_goes_before_the_name_of_another_field(
    message_of: Callable[[str], Any], name: str, text: str, expected: dict[str, str]
) -> None:
    message_class = message_of(name)
    message = message_class(**expected)
    assert turnwire.from_json(message_class, text) == message
    assert turnwire.from_dict(message_class, json.loads(text)) == message
    assert turnwire.from_json(message_class, turnwire.to_json(message)) == message


@pytest.mark.parametrize("text", ['{"title":"a","name":"b"}', '{"name":"b","title":"a"}'])
def test_one_field_by_both_of_its_names_is_refused(
    message_of: Callable[[str], Any], text: str
) -> None:
    with pytest.raises(turnwire.ParseError, match="given twice") as caught:
        turnwire.from_json(message_of("Page"), text)
    assert (caught.value.kind, caught.value.path) == ("duplicate", ("name",))


HIDDEN = {"Page": {"title"}, "Swap": {"a", "b"}, "Chain": {"b", "c"}}
"""The names that are another field's JSON name."""


@pytest.mark.parametrize("name", HIDDEN)
def test_names_that_would_be_read_as_another_field_are_not_printed(
    message_of: Callable[[str], Any], name: str
) -> None:
    message_class = message_of(name)
    for field in message_class.DESCRIPTOR.fields:
        message = message_class(**{field.name: "x"})
        for function in (turnwire.to_json, turnwire.to_dict):
            if field.name not in HIDDEN[name]:
                printed = function(message, proto_names=True)
                read = turnwire.from_dict if isinstance(printed, dict) else turnwire.from_json
                assert read(message_class, printed) == message
                continue
            with pytest.raises(turnwire.SerializeError, match="would be read as that") as caught:
                function(message, proto_names=True)
            assert (caught.value.kind, caught.value.path) == ("value", (field.name,))
            assert caught.value.field == field.full_name
    assert turnwire.to_json(message_class(), proto_names=True) == b"{}"


def test_a_member_that_would_hide_the_type_of_an_any_is_not_printed(
    message_of: Callable[[str], Any],
) -> None:
    typed = message_of("Typed")
    pool = typed.DESCRIPTOR.file.pool
    assert turnwire.to_json(typed(kind="x")) == b'{"@type":"x"}'
    held = any_pb2.Any()
    held.Pack(typed(kind="x", text="y"))
    for function in (turnwire.to_json, turnwire.to_dict):
        with pytest.raises(turnwire.SerializeError, match="taken for the type") as caught:
            function(held, pool=pool)
        assert caught.value.kind == "value"
    assert turnwire.to_dict(held, pool=pool, proto_names=True)["kind"] == "x"
    held.Pack(typed(text="y"))
    text = turnwire.to_json(held, pool=pool)
    assert turnwire.from_json(any_pb2.Any, text, pool=pool) == held


def test_an_any_holds_such_a_message(message_of: Callable[[str], Any]) -> None:
    page = message_of("Page")
    pool = page.DESCRIPTOR.file.pool
    held = any_pb2.Any()
    held.Pack(page(name="Home", title="Welcome"))
    text = turnwire.to_json(held, pool=pool)
    assert text == b'{"@type":"type.googleapis.com/names.Page","title":"Home","heading":"Welcome"}'
    assert turnwire.from_json(any_pb2.Any, text, pool=pool) == held


ODD_NAME = 'say "low" \\ \n\t\x00\x1f\x7f </b> é \u2028 😀'


def bike_class(edition: str) -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="bike.proto", package="bike", syntax="editions")
    file.edition = descriptor_pb2.Edition.Value(edition)
    gear = file.enum_type.add(name="Gear")
    gear.options.allow_alias = True
    for name, number, custom in (
        ("GEAR_UNSPECIFIED", 0, None),
        ("GEAR_3X", 1, "3x"),
        ("GEAR_LOW", 2, "low gear"),
        ("GEAR_A", 3, "a"),
        ("GEAR_FIRST", 4, "first"),
        ("GEAR_ALIAS", 4, "alias"),
        ("GEAR_PLAIN", 5, None),
        ("GEAR_PLAIN_ALIAS", 5, "not printed"),
        ("GEAR_SEVEN", 6, "7"),
        ("GEAR_CLASH", 7, "GEAR_HIDDEN"),
        ("GEAR_HIDDEN", 8, None),
        ("GEAR_ODD", 9, ODD_NAME),
    ):
        value = gear.value.add(name=name, number=number)
        if custom is not None:
            name = custom.encode()
            inner = b"\x0a" + bytes([len(name)]) + name
            value.options.MergeFromString(b"\xb2\x3e" + bytes([len(inner)]) + inner)
    bike = file.message_type.add(name="Bike")
    bike.field.add(name="gear", number=1, label=1, type=14, type_name=".bike.Gear")
    bike.field.add(name="spares", number=2, label=3, type=14, type_name=".bike.Gear")
    entry = bike.nested_type.add(name="ByNameEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, label=1, type=9)
    entry.field.add(name="value", number=2, label=1, type=14, type_name=".bike.Gear")
    bike.field.add(name="by_name", number=3, label=3, type=11, type_name=".bike.Bike.ByNameEntry")
    return made(file)["bike.Bike"]


@pytest.fixture(params=["EDITION_2023", "EDITION_2026"])
def bike(request: pytest.FixtureRequest) -> Any:
    """A class whose enum has JSON names, by the option alone and as edition 2026 has it."""
    if request.param == "EDITION_2026":
        # From then on protobuf parses the option.
        pytest.importorskip("google.protobuf.json_enumvalue_options_pb2")
    return bike_class(request.param)


@for_each(
    ("number", "printed", "read"),
    [
        (0, "GEAR_UNSPECIFIED", ["GEAR_UNSPECIFIED", "0", 0]),
        (1, "3x", ["3x", "GEAR_3X", "1", 1, 1.0]),
        (2, "low gear", ["low gear", "GEAR_LOW", 2]),
        (3, "a", ["a", "GEAR_A"]),
        (4, "first", ["first", "alias", "GEAR_FIRST", "GEAR_ALIAS", "4"]),
        (5, "GEAR_PLAIN", ["GEAR_PLAIN", "not printed", "GEAR_PLAIN_ALIAS"]),
        (6, "7", ["7", "GEAR_SEVEN", "6", 6]),
        (7, "GEAR_HIDDEN", ["GEAR_HIDDEN", "GEAR_CLASH", 7]),
        (8, 8, [8, "8"]),
        (9, ODD_NAME, [ODD_NAME, "GEAR_ODD", 9]),
        (100, 100, [100, "100"]),
    ],
)
def test_json_names_of_enum_values(
    bike: Any, number: int, printed: str | int, read: list[Any]
) -> None:
    message = bike(gear=number, spares=[number], by_name={"a": number})
    expected = {"gear": printed, "spares": [printed], "byName": {"a": printed}}
    assert turnwire.to_dict(message) == expected
    assert turnwire.from_json(bike, turnwire.to_json(message)) == message
    assert json.loads(turnwire.to_json(message, ascii=True)) == expected
    for ensure_ascii in (True, False):
        text = turnwire.json_format.MessageToJson(message, ensure_ascii=ensure_ascii)
        assert json.loads(text) == expected
    numbers = turnwire.to_dict(message, enum_numbers=True)
    assert numbers["spares"] == [number]
    for value in read:
        text = json.dumps({"gear": value, "spares": [value], "byName": {"a": value}})
        for unknown in ("error", "ignore"):
            assert turnwire.from_json(bike, text, unknown=unknown) == message
        assert turnwire.from_dict(bike, json.loads(text)) == message


UNKNOWN_VALUES = (
    *("5G", "-x", "1.5", "1.0", "1e2", " HUE_RED", "+1", "01", "-", "--1", "1_0", "٣", "0x1"),
    *("", "red", "RED ", "\n1"),
)


@for_each("text", UNKNOWN_VALUES)
@for_each("syntax", SYNTAX.values())
def test_any_other_text_is_an_unknown_value(syntax: str, text: str) -> None:
    message_class = made(
        f'name: "hue.proto" package: "hue" {syntax} enum_type {{ name: "Hue"'
        ' value { name: "HUE_NONE" number: 0 } value { name: "HUE_RED" number: 1 } }'
        ' message_type { name: "Light" field { name: "hue" number: 1 label: LABEL_OPTIONAL'
        ' type: TYPE_ENUM type_name: ".hue.Hue" } }'
    )["hue.Light"]
    document = json.dumps({"hue": text})
    with pytest.raises(turnwire.ParseError, match="is not a value of the enum") as caught:
        turnwire.from_json(message_class, document)
    assert (caught.value.kind, caught.value.path) == ("unknown", ("hue",))
    paths: list[Any] = []
    for unknown in ("ignore", paths.append):
        assert turnwire.from_json(message_class, document, unknown=unknown) == message_class()
        assert turnwire.from_dict(message_class, {"hue": text}, unknown=unknown) == message_class()
    assert paths == [("hue",), ("hue",)]
    # A number is known whether or not it is in quotes, also where its name is not.
    for number in (1, "1", 1.0):
        assert turnwire.from_dict(message_class, {"hue": number}) == message_class(hue=1)


@for_each("key", ["1.0", "1e2", "+1", "01", " 1", "1 ", "", "a", "1_0", "٣", "0x1"])
@for_each("kind", ["INT32", "SINT64", "FIXED32", "UINT64"])
def test_keys_of_maps_are_plain_digits(kind: str, key: str) -> None:
    message_class = made(
        'name: "map.proto" package: "map" syntax: "proto3" message_type { name: "Map"'
        ' nested_type { name: "ByEntry" options { map_entry: true }'
        f' field {{ name: "key" number: 1 label: LABEL_OPTIONAL type: TYPE_{kind} }}'
        ' field { name: "value" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING } }'
        ' field { name: "by" number: 1 label: LABEL_REPEATED type: TYPE_MESSAGE'
        ' type_name: ".map.Map.ByEntry" } }'
    )["map.Map"]
    for unknown in ("error", "ignore"):
        with pytest.raises(turnwire.ParseError, match="whole number as the key") as caught:
            turnwire.from_json(message_class, json.dumps({"by": {key: "x"}}), unknown=unknown)
        assert (caught.value.kind, caught.value.path) == ("value", ("by", key))
    assert turnwire.from_json(message_class, '{"by":{"17":"x"}}').by == {17: "x"}


def test_an_extension_of_a_message_set_has_its_own_name() -> None:
    classes = made(
        'name: "set.proto" package: "set" syntax: "proto2"'
        ' message_type { name: "Set" options { message_set_wire_format: true }'
        " extension_range { start: 4 end: 2147483647 } }"
        ' message_type { name: "Held" field { name: "n" number: 1 label: LABEL_OPTIONAL'
        ' type: TYPE_INT32 } extension { name: "message_set_extension" number: 1000'
        ' extendee: ".set.Set" label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".set.Held" } }'
    )
    message_class = classes["set.Set"]
    text = b'{"[set.Held.message_set_extension]":{"n":1}}'
    assert turnwire.to_json(turnwire.from_json(message_class, text)) == text
    with pytest.raises(turnwire.ParseError, match="unknown field"):
        turnwire.from_json(message_class, '{"[set.Held]":{"n":1}}')
    ignored = turnwire.from_json(message_class, '{"[set.Held]":{"n":1}}', unknown="ignore")
    assert ignored == message_class()
