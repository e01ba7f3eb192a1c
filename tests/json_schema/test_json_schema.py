"""The JSON Schemas say of the golden vectors what the reader says, as far as a schema can."""

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

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "generated" / "jsonschema"
FILES = sorted(SCHEMAS.rglob("*.json"))
GOLDEN = ROOT / "tests" / "golden"
SCRIPT = ROOT / "scripts" / "json_schema.py"
VECTORS = json.loads((GOLDEN / "index.json").read_bytes())["vectors"]
NAMES = [vector["name"] for vector in VECTORS]
IDENTIFIERS = "https://turnwire.dev/schema/"

NOT_EXPRESSED = {
    "A schema sees members, and no longer which keys came twice.": [
        "any/message.invalid-two-types",
        "names/repeated.invalid-deep-in-struct",
        "names/repeated.invalid-escaped",
        "names/repeated.invalid-field",
        "names/repeated.invalid-in-struct",
        "names/repeated.invalid-null",
        "shape/map.invalid-repeated-key",
    ],
    "A schema says nothing of how deeply messages nest.": [
        "depth/messages.invalid-one-too-deep",
        "depth/struct.invalid-lists",
        "depth/struct.invalid-objects",
    ],
    "The value of a number in quotes is text to a schema.": [
        "float/whole.invalid-quoted-overflow",
        "int32/largest.invalid-quoted-above",
        "int32/value.invalid-quoted-fraction",
        "int64/largest.invalid-above",
        "int64/smallest.invalid-below",
    ],
    "A pattern checks digits, and neither the calendar nor the range of a time.": [
        "duration/longest.invalid-above",
        "duration/longest.invalid-below",
        "timestamp/digits.invalid-no-such-day",
        "timestamp/first.invalid-before",
        "timestamp/last.invalid-after",
    ],
    "A string is any JSON string to a schema, with lone surrogates too.": [
        "string/surrogates-in-struct.invalid-key",
        "string/surrogates-in-struct.invalid-value",
        "string/surrogates.invalid-high",
        "string/surrogates.invalid-high-and-letter",
        "string/surrogates.invalid-low",
        "string/surrogates.invalid-two-high",
        "string/surrogates.invalid-wrong-order",
    ],
    "A Struct is any JSON object: how large its numbers are is left to what reads them.": [
        "struct/numbers.invalid-minus-overflow",
        "struct/numbers.invalid-overflow",
    ],
    "An Any holds a message of any type, which its schema does not look into.": [
        "any/message.invalid-unknown-field",
        "any/message.invalid-unknown-type",
        "any/well-known.invalid-fields",
        "any/well-known.invalid-no-value",
        "any/well-known.invalid-wrong-value",
    ],
    "Python's $ matches before a line end as well; the $ of JSON Schema (ECMA 262) does not.": [
        "bytes/alphabets.invalid-line-end",
        "int32/value.invalid-line-end",
    ],
}
LISTED = {f"rules/{name}.json" for names in NOT_EXPRESSED.values() for name in names}


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


def value_of(path: str) -> Any:
    text = (GOLDEN / path).read_bytes().decode("utf-8")
    return json.loads(text, parse_float=exact, parse_constant=not_a_number)


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
def test_what_is_read_is_valid(vector: dict[str, Any]) -> None:
    for path in filter(None, [vector["json"], *vector["variants"]]):
        validator(vector["type"]).validate(value_of(path))


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_what_is_refused_is_invalid_or_listed_above(vector: dict[str, Any]) -> None:
    accepted = []
    for path in vector["invalid"]:
        try:
            if validator(vector["type"]).is_valid(value_of(path)):
                accepted.append(path)
        except (ValueError, RecursionError):  # no JSON, or nothing that Python's reader can follow
            continue
    assert accepted == [path for path in vector["invalid"] if path in LISTED]


def test_what_is_listed_exists() -> None:
    assert {path for vector in VECTORS for path in vector["invalid"]} >= LISTED


def test_there_is_a_schema_of_every_message_at_the_top_of_a_file() -> None:
    names = {vector["type"].partition(".v1.")[2].partition(".")[0] for vector in VECTORS}
    assert {path.stem for path in FILES} == names


def test_the_schemas_are_what_the_descriptor_set_gives() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
