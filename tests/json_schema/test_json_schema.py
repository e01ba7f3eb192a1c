"""The JSON Schemas agree with the reader about the test vectors, as far as a schema can."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from vector_files import Vector, read_vectors

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "generated" / "jsonschema"
FILES = sorted(SCHEMAS.rglob("*.json"))
SCRIPT = ROOT / "scripts" / "json_schema.py"
VECTORS = read_vectors()
NAMES = [vector.name for vector in VECTORS]
IDENTIFIERS = "https://turnwire.dev/schema/"

NOT_EXPRESSED = {
    "A schema sees members, and no longer which keys came twice.": [
        "any/message.refused-two-types",
        "names/repeated.refused-deep-in-struct",
        "names/repeated.refused-escaped",
        "names/repeated.refused-field",
        "names/repeated.refused-in-struct",
        "names/repeated.refused-null",
        "shape/map.refused-repeated-key",
    ],
    "A schema says nothing of how deeply messages nest.": [
        "depth/messages.refused-one-too-deep",
        "depth/struct.refused-lists",
        "depth/struct.refused-objects",
    ],
    "The value of a number in quotes is text to a schema.": [
        "float/whole.refused-quoted-overflow",
        "int32/largest.refused-quoted-above",
        "int32/value.refused-quoted-fraction",
        "int64/largest.refused-above",
        "int64/smallest.refused-below",
    ],
    "A pattern checks digits, and neither the calendar nor the range of a time.": [
        "duration/longest.refused-above",
        "duration/longest.refused-below",
        "timestamp/digits.refused-no-such-day",
        "timestamp/first.refused-before",
        "timestamp/last.refused-after",
    ],
    "A string is any JSON string to a schema, with lone surrogates too.": [
        "string/surrogates-in-struct.refused-key",
        "string/surrogates-in-struct.refused-value",
        "string/surrogates.refused-high",
        "string/surrogates.refused-high-and-letter",
        "string/surrogates.refused-low",
        "string/surrogates.refused-two-high",
        "string/surrogates.refused-wrong-order",
    ],
    "A Struct is any JSON object: how large its numbers are is left to what reads them.": [
        "struct/numbers.refused-minus-overflow",
        "struct/numbers.refused-overflow",
    ],
    "An Any holds a message of any type, which its schema does not look into.": [
        "any/message.refused-unknown-field",
        "any/message.refused-unknown-type",
        "any/well-known.refused-fields",
        "any/well-known.refused-no-value",
        "any/well-known.refused-wrong-value",
    ],
    "Python's $ matches before a line end as well; the $ of JSON Schema (ECMA 262) does not.": [
        "bytes/alphabets.refused-line-end",
        "int32/value.refused-line-end",
    ],
}
LISTED = {name for names in NOT_EXPRESSED.values() for name in names}


@cache
def validator(type_name: str) -> Draft202012Validator:
    """What judges a type by one file alone: its own, or that of the message that it stands in."""
    api, _, name = type_name.removeprefix("turnwire_schema.").partition(".v1.")
    path = SCHEMAS / api / "v1" / f"{name.partition('.')[0]}.json"
    document = json.loads(path.read_bytes())
    identifier = f"{IDENTIFIERS}{api}/v1/{name}.json"
    return Draft202012Validator({"$ref": identifier, "$defs": {"document": document}})


def exact(text: str) -> int | float:
    """A number as JSON has it: 1e2 and 100.0 are whole."""
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else float(number)


def not_a_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def value_of(data: bytes) -> Any:
    return json.loads(data.decode("utf-8"), parse_float=exact, parse_constant=not_a_number)


def test_each_schema_is_valid_and_the_same_in_every_file() -> None:
    seen: dict[str, Any] = {}
    for path in FILES:
        document = json.loads(path.read_bytes())
        assert document.pop("$schema") == Draft202012Validator.META_SCHEMA["$id"]
        inner = document.pop("$defs", {})
        assert document["$id"] == IDENTIFIERS + path.relative_to(SCHEMAS).as_posix()
        for name, found in inner.items():
            assert found["$id"] == f"{IDENTIFIERS}{name}.json"
        for found in (document, *inner.values()):
            assert seen.setdefault(found["$id"], found) == found
    for found in seen.values():
        Draft202012Validator.check_schema(found)


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_accepted_texts_are_valid(vector: Vector) -> None:
    for data in vector.texts.values():
        validator(vector.type).validate(value_of(data))


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
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


def test_there_is_a_schema_of_every_message_at_the_top_of_a_file() -> None:
    names = {vector.type.partition(".v1.")[2].partition(".")[0] for vector in VECTORS}
    assert {path.stem for path in FILES} == names


def test_the_schemas_are_what_the_descriptor_set_gives() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
