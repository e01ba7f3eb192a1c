"""The vectors hold in Python, are up to date, and cover the whole schema."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from environment import ROOT
from google.protobuf.message import Message
from json_rules import Rule, pattern, rules
from support.cases import for_each
from vector_files import Vector, read_vectors

import turnwire
from turnwire import schema

VECTORS = read_vectors()
MESSAGES = [vector for vector in VECTORS if vector.json is not None]
RULES = rules()

# Messages are compared by their JSON: a message that holds NaN does not equal itself, and protobuf
# does not promise that two of its implementations write the same bytes.


@for_each("vector", MESSAGES, ids=lambda vector: vector.name)
def test_json_and_wire_format_are_the_same_message(vector: Vector) -> None:
    assert vector.json is not None
    assert vector.binary is not None
    message_class = schema.message_class(vector.type)
    message = turnwire.from_json(message_class, vector.json)
    assert turnwire.to_json(message) == vector.json
    assert turnwire.to_json(message_class.FromString(message.SerializeToString())) == vector.json
    assert turnwire.to_json(message_class.FromString(vector.binary)) == vector.json


@for_each("rule", RULES, ids=lambda rule: rule.id)
def test_accepted_forms_are_the_same_message(rule: Rule) -> None:
    for label, data in rule.texts.items():
        message = turnwire.from_json(rule.message_class, data, **rule.options)
        assert turnwire.to_json(message) == rule.canonical, label
        again = rule.message_class.FromString(message.SerializeToString())
        assert turnwire.to_json(again) == rule.canonical, label


@for_each("rule", RULES, ids=lambda rule: rule.id)
def test_refused_forms_raise_the_kind_of_error_that_the_rule_names(rule: Rule) -> None:
    kinds = {label: refused.kind for label, refused in rule.refused.items()}
    assert {label: error_kind(rule, refused.data) for label, refused in rule.refused.items()} == (
        kinds
    )


def error_kind(rule: Rule, data: bytes) -> str | None:
    try:
        turnwire.from_json(rule.message_class, data, **rule.options)
    except turnwire.ParseError as error:
        return error.kind
    return None


@for_each("vector", VECTORS, ids=lambda vector: vector.name)
def test_refused_inputs_are_refused_without_options(vector: Vector) -> None:
    message_class = schema.message_class(vector.type)
    for name, refused in vector.refused.items():
        try:
            message = turnwire.from_json(message_class, refused.data)
        except turnwire.ParseError:
            continue
        pytest.fail(f"{name} is read as {message}")


@for_each("rule", [rule for rule in RULES if rule.pattern], ids=lambda rule: rule.id)
def test_the_pattern_of_a_rule_matches_what_is_accepted_and_nothing_else(rule: Rule) -> None:
    assert rule.pattern is not None
    assert rule.canonical is not None
    for data in [rule.canonical, *rule.accepted.values()]:
        assert matches(rule, data) is not False, data
    matching = {label for label, refused in rule.refused.items() if matches(rule, refused.data)}
    out_of_range = {label for label, refused in rule.refused.items() if refused.kind == "range"}
    assert matching - out_of_range == rule.beyond_pattern


def matches(rule: Rule, data: bytes) -> bool | None:
    """Returns whether the text of a JSON string matches; None if the value is not a string."""
    value = rule.value(data)
    assert rule.pattern is not None
    if not value.startswith('"'):
        return None
    # In ECMA 262, the syntax of JSON Schema, $ matches only at the end; in Python that is \Z.
    expression = pattern(rule.pattern).replace("$", r"\Z")
    return re.search(expression, json.loads(value)) is not None


def set_fields(message: Message) -> Iterator[str]:
    """Yields the full names of the fields that are set, without those of inner messages."""
    return (field.full_name for field, _ in message.ListFields())


def test_every_field_of_every_type_is_set_in_an_example_of_the_type() -> None:
    examples: dict[str, set[str]] = {name: set() for name in schema.message_names()}
    for vector in MESSAGES:
        if vector.is_example and vector.binary is not None:
            message = schema.message_class(vector.type).FromString(vector.binary)
            examples[vector.type].update(set_fields(message))
    fields = {
        name: {field.full_name for field in schema.message_class(name).DESCRIPTOR.fields}
        for name in schema.message_names()
    }
    assert examples == fields
    assert {vector.type for vector in VECTORS if vector.is_example} == fields.keys()


def test_every_name_is_unique() -> None:
    names = [name for vector in VECTORS for name in vector.inputs]
    assert len(set(names)) == len(names)


def test_the_vectors_are_what_their_sources_give() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "vectors.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
