"""The JSON Schemas agree with the reader about the test vectors, as far as a schema can."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from json_rules import rules
from jsonschema import Draft202012Validator
from support.cases import for_each
from vector_files import Vector, read_vectors

from turnwire import schema
from turnwire._apis import APIS

ROOT = schema.json_schema_root()
BUNDLES = {path.name: json.loads(path.read_bytes()) for path in sorted(ROOT.iterdir())}
VECTORS = read_vectors()
EXAMPLES = [vector for vector in VECTORS if vector.is_example]

# A schema does not see which keys came twice, how deeply messages nest, the calendar, the range of
# quoted numbers and times, lone surrogates, and the inside of a Struct or an Any.
BEYOND_SCHEMA = {f"{rule.id}.refused-{label}" for rule in rules() for label in rule.beyond_schema}
# In Python, $ also matches before a line end at the end; in ECMA 262, and so in a schema, it does
# not.
PYTHON_ONLY = {"bytes/alphabets.refused-line-end", "int32/value.refused-line-end"}
LISTED = BEYOND_SCHEMA | PYTHON_ONLY


def definition_of(type_name: str) -> tuple[str, str]:
    """The API of a message type, and the name of its definition."""
    api, _, name = type_name.removeprefix("turnwire_schema.").partition(".v1.")
    return api, name.replace(".", "")


@cache
def validator(type_name: str, suffix: str = ".json") -> Draft202012Validator:
    """A validator of one type, which has one bundle and nothing else."""
    api, name = definition_of(type_name)
    definitions = BUNDLES[f"{api}{suffix}"]["$defs"]
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions})


def exact(text: str) -> int | float:
    """A number as JSON has it: 1e2 and 100.0 are whole."""
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else float(number)


def not_a_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def value_of(data: bytes) -> Any:
    return json.loads(data.decode("utf-8"), parse_float=exact, parse_constant=not_a_number)


def keywords(value: Any, keyword: str) -> Iterator[Any]:
    """The values of a keyword, anywhere in a schema."""
    if isinstance(value, dict):
        if keyword in value:
            yield value[keyword]
        for inner in value.values():
            yield from keywords(inner, keyword)
    elif isinstance(value, list):
        for inner in value:
            yield from keywords(inner, keyword)


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_is_one_valid_schema_that_refers_to_itself_alone(name: str) -> None:
    bundle = BUNDLES[name]
    Draft202012Validator.check_schema(bundle)
    assert bundle["$id"] == f"https://turnwire.dev/schema/{name}"
    assert list(keywords(bundle["$defs"], "$id")) == []
    assert set(keywords(bundle, "$ref")) <= {f"#/$defs/{key}" for key in bundle["$defs"]}
    assert {key: found["title"] for key, found in bundle["$defs"].items()} == {
        key: key for key in bundle["$defs"]
    }
    assert all(re.fullmatch(r"[A-Za-z0-9]+", key) for key in bundle["$defs"])


def test_there_is_a_definition_of_every_message() -> None:
    for type_name in schema.message_names():
        api, name = definition_of(type_name)
        for suffix in (".json", ".types.json"):
            assert name in BUNDLES[f"{api}{suffix}"]["$defs"]
    assert set(BUNDLES) == {
        f"{api}{suffix}"
        for api in (each.name for each in APIS)
        for suffix in (".json", ".types.json")
    }


@for_each("vector", VECTORS, ids=lambda vector: vector.name)
def test_accepted_texts_are_valid(vector: Vector) -> None:
    for data in vector.texts.values():
        validator(vector.type).validate(value_of(data))


@for_each("vector", VECTORS, ids=lambda vector: vector.name)
def test_refused_texts_are_invalid_or_listed_above(vector: Vector) -> None:
    accepted = []
    for name, refused in vector.refused.items():
        try:
            if validator(vector.type).is_valid(value_of(refused.data)):
                accepted.append(name)
        except (ValueError, RecursionError):  # not JSON, or too deep for Python's reader
            continue
    assert accepted == [name for name in vector.refused if name in LISTED]


def test_listed_inputs_exist() -> None:
    assert {name for vector in VECTORS for name in vector.refused} >= LISTED


@for_each("vector", EXAMPLES, ids=lambda vector: vector.name)
def test_printed_examples_are_valid_in_the_variant_for_types(vector: Vector) -> None:
    assert vector.json is not None
    validator(vector.type, ".types.json").validate(json.loads(vector.json))


def test_the_variant_for_types_has_one_name_for_a_field() -> None:
    for type_name in schema.message_names():
        api, name = definition_of(type_name)
        fields = schema.message_class(type_name).DESCRIPTOR.fields
        properties = BUNDLES[f"{api}.types.json"]["$defs"][name]["properties"]
        assert list(properties) == [field.json_name for field in fields]
        assert all("description" in found for found in properties.values())
