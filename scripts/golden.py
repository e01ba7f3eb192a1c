"""Makes the golden vectors in tests/golden, or checks that they are up to date.

    python scripts/golden.py            write tests/golden
    python scripts/golden.py --check    compare with what would be written; exit 1 on any difference

What goes in is in golden_examples/ (messages of every type, as JSON) and in golden_rules/ (the
rules of the JSON mapping). Each input is read and printed with Turnwire on the way, and a table
that is wrong about it stops the script.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from committed_tree import bring_up_to_date
from environment import ROOT
from golden_rules import RULES, Rule
from google.protobuf.message import Message

from turnwire import ParseError, from_dict, from_json, schema, to_json

EXAMPLES = ROOT / "scripts" / "golden_examples"
GOLDEN = ROOT / "tests" / "golden"

# What this script writes below tests/golden; whatever else stands there is written by hand.
INDEX = "index.json"
FOLDERS = ("ces", "geminidataanalytics", "rules")

_WHYS = {"full": "Every field is set.", "empty": "There is no field to set."}
_WHY = "The field, or the value of an enum, that the name says."


class Vector(NamedTuple):
    """One golden vector: its entry in the index, and its files by path."""

    entry: dict[str, Any]
    files: dict[str, bytes]


class WrongTable(Exception):
    """The tables say something of an input that is not so."""


def example_vectors() -> Iterator[Vector]:
    """A vector of each example."""
    for path in sorted(EXAMPLES.glob("*.json")):
        for type_name, examples in json.loads(path.read_bytes()).items():
            for label, value in examples.items():
                message_class = schema.message_class(f"{path.stem}.{type_name}")
                message = from_dict(message_class, value)
                name = f"{path.stem}/{type_name}/{label}"
                if json.loads(to_json(message)) != value:
                    raise WrongTable(f"{name} is printed otherwise: {to_json(message).decode()}")
                yield _vector(name, message_class, _WHYS.get(label, _WHY), message=message)


def rule_vectors() -> Iterator[Vector]:
    """A vector of each rule."""
    for rule in RULES:
        yield _rule_vector(rule)


def _rule_vector(rule: Rule) -> Vector:
    message_class = schema.message_class(rule.type)
    message = None
    if rule.canonical is not None:
        message = from_json(message_class, rule.text(rule.canonical))
        if to_json(message) != rule.text(rule.canonical):
            raise WrongTable(f"{rule.name} is printed otherwise: {to_json(message).decode()}")
    variants = {label: rule.text(value) for label, value in rule.variants.items()}
    for label, data in variants.items():
        if message is None or to_json(from_json(message_class, data)) != to_json(message):
            raise WrongTable(f"{rule.name}: {label} is another message")
    invalid = {label: rule.text(value) for label, value in rule.invalid.items()}
    for label, data in invalid.items():
        try:
            from_json(message_class, data)
        except ParseError:
            continue
        raise WrongTable(f"{rule.name}: {label} is read")
    return _vector(
        f"rules/{rule.name}",
        message_class,
        rule.why,
        rule=rule.name.partition("/")[0],
        message=message,
        variants=variants,
        invalid=invalid,
    )


def _vector(
    name: str,
    message_class: type[Message],
    why: str,
    *,
    message: Message | None,
    rule: str | None = None,
    variants: dict[str, bytes] | None = None,
    invalid: dict[str, bytes] | None = None,
) -> Vector:
    files = {}
    if message is not None:
        files[f"{name}.json"] = to_json(message)
        files[f"{name}.binpb"] = message.SerializeToString(deterministic=True)
    other = {f"{name}.variant-{label}.json": data for label, data in (variants or {}).items()}
    refused = {f"{name}.invalid-{label}.json": data for label, data in (invalid or {}).items()}
    entry = {
        "name": name,
        "type": message_class.DESCRIPTOR.full_name,
        "rule": rule,
        "why": why,
        "json": None if message is None else f"{name}.json",
        "binary": None if message is None else f"{name}.binpb",
        "variants": list(other),
        "invalid": list(refused),
    }
    return Vector(entry, files | other | refused)


def golden_files() -> dict[str, bytes]:
    """Every file that this script makes, by its path below tests/golden."""
    vectors = [*example_vectors(), *rule_vectors()]
    index = {"vectors": [vector.entry for vector in vectors]}
    files = {INDEX: (json.dumps(index, indent=1, ensure_ascii=False) + "\n").encode()}
    for vector in vectors:
        if files.keys() & vector.files.keys():
            raise WrongTable(f"there are two vectors {vector.entry['name']}")
        files |= vector.files
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    try:
        files = golden_files()
    except WrongTable as error:
        print(error, file=sys.stderr)
        return 1
    return bring_up_to_date(
        GOLDEN, (INDEX, *FOLDERS), files, command="make golden", check=arguments.check
    )


if __name__ == "__main__":
    sys.exit(main())
