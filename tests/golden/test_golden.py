"""The golden vectors hold in Python, are up to date, and leave out nothing of the schema."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message

import turnwire
from turnwire import schema

FOLDER = Path(__file__).parent
SCRIPT = FOLDER.parents[1] / "scripts" / "golden.py"
VECTORS = json.loads((FOLDER / "index.json").read_bytes())["vectors"]
MESSAGES = [vector for vector in VECTORS if vector["json"]]
REFUSED = [vector for vector in VECTORS if vector["invalid"]]


def read(path: str) -> bytes:
    return (FOLDER / path).read_bytes()


# Messages are compared by what is printed of them: one that holds a NaN does not equal itself, and
# protobuf does not promise that two of its implementations write the same bytes.


@pytest.mark.parametrize("vector", MESSAGES, ids=lambda vector: vector["name"])
def test_a_message_is_the_same_in_json_and_in_bytes(vector: dict[str, Any]) -> None:
    message_class = schema.message_class(vector["type"])
    canonical = read(vector["json"])
    message = turnwire.from_json(message_class, canonical)
    assert turnwire.to_json(message) == canonical
    assert turnwire.to_json(message_class.FromString(message.SerializeToString())) == canonical
    assert turnwire.to_json(message_class.FromString(read(vector["binary"]))) == canonical


@pytest.mark.parametrize("vector", MESSAGES, ids=lambda vector: vector["name"])
def test_the_variants_are_the_same_message(vector: dict[str, Any]) -> None:
    message_class = schema.message_class(vector["type"])
    for path in vector["variants"]:
        message = turnwire.from_json(message_class, read(path))
        assert turnwire.to_json(message) == read(vector["json"]), path


@pytest.mark.parametrize("vector", REFUSED, ids=lambda vector: vector["name"])
def test_the_invalid_inputs_are_refused(vector: dict[str, Any]) -> None:
    message_class = schema.message_class(vector["type"])
    assert [path for path in vector["invalid"] if is_read(message_class, read(path))] == []


def is_read(message_class: type[Message], data: bytes) -> bool:
    try:
        turnwire.from_json(message_class, data)
    except turnwire.ParseError:
        return False
    return True


def set_fields(message: Message) -> Iterator[str]:
    """The full names of the fields that are set in a message, without those of inner ones."""
    return (field.full_name for field, _ in message.ListFields())


def test_every_field_of_every_type_is_set_in_an_example_of_the_type() -> None:
    examples: dict[str, set[str]] = {name: set() for name in schema.message_names()}
    for vector in MESSAGES:
        if vector["rule"] is None:
            message = turnwire.from_json(schema.message_class(vector["type"]), read(vector["json"]))
            examples[vector["type"]].update(set_fields(message))
    fields = {
        name: {field.full_name for field in schema.message_class(name).DESCRIPTOR.fields}
        for name in schema.message_names()
    }
    assert examples == fields
    assert {vector["type"] for vector in VECTORS if vector["rule"] is None} == fields.keys()


def test_the_vectors_are_what_the_tables_give() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
