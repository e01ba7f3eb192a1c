"""Makes the test vectors in tests/vectors, or checks that they are up to date.

    python scripts/vectors.py              write tests/vectors
    python scripts/vectors.py --out DIR    write them into another folder
    python scripts/vectors.py --check      compare with the committed ones; exit 1 on any difference

The sources are message_examples/ (messages of every type, as JSON) and json_rules/ (the rules of
the JSON mapping). Each input is read and printed with Turnwire on the way, and a source that is
wrong about it stops the script. The output depends on the sources only.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from committed_tree import bring_up_to_date
from environment import ROOT
from google.protobuf.message import Message
from json_rules import Rule, rules

from turnwire import ParseError, from_dict, from_json, schema, to_json

EXAMPLES = ROOT / "scripts" / "message_examples"
VECTORS = ROOT / "tests" / "vectors"


class WrongSource(Exception):
    """An example or a rule says something about an input that does not hold."""


def vector_files() -> dict[str, bytes]:
    """Returns the content of each vector file, by name."""
    files: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(EXAMPLES.glob("*.json")):
        files[f"examples-{path.stem}.json"] = list(_example_vectors(path))
    for rule in rules():
        _check(rule)
        if rule.is_portable:
            files.setdefault(f"rules-{rule.topic}.json", []).append(_rule_vector(rule))
    return {name: _file(found) for name, found in files.items()}


def _file(vectors: list[dict[str, Any]]) -> bytes:
    """Returns a vector file with one line for each vector and for each of its other texts."""
    lines = ",\n".join(map(_lines, vectors))
    return f'{{"vectors": [\n{lines}\n]}}\n'.encode()


def _lines(vector: dict[str, Any]) -> str:
    members = []
    for name, value in vector.items():
        if isinstance(value, list) and value:
            elements = ",\n  ".join(_compact(element) for element in value)
            members.append(f'"{name}": [\n  {elements}]')
        else:
            members.append(f'"{name}": {_compact(value)}')
    return "{" + ", ".join(members) + "}"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _example_vectors(path: Path) -> Iterator[dict[str, Any]]:
    """Yields a vector of each example in a file."""
    for type_name, examples in json.loads(path.read_bytes()).items():
        message_class = schema.message_class(f"{path.stem}.{type_name}")
        for label, value in examples.items():
            message = from_dict(message_class, value)
            name = f"{path.stem}/{type_name}/{label}"
            if json.loads(to_json(message)) != value:
                raise WrongSource(f"{name} is printed differently: {to_json(message).decode()}")
            yield _vector(name, message_class, message)


def _check(rule: Rule) -> None:
    """Raises WrongSource if Turnwire does something else than a rule says."""
    message_class = rule.message_class
    for label, data in rule.texts.items():
        printed = to_json(from_json(message_class, data, **rule.options))
        if printed != rule.canonical:
            raise WrongSource(f"{rule.id}: {label} is printed as {printed.decode()}")
    for label, refused in rule.refused.items():
        kind = _error_kind(rule, refused.data)
        if kind != refused.kind:
            raise WrongSource(f"{rule.id}: expected {label} to be {refused.kind}, got {kind}")


def _rule_vector(rule: Rule) -> dict[str, Any]:
    message = None
    if rule.canonical is not None:
        message = from_json(rule.message_class, rule.canonical)
    vector = _vector(rule.id, rule.message_class, message) | {"sentence": rule.sentence}
    vector["accepted"] = [
        {"name": f"{rule.id}.accepted-{label}"} | _text(data)
        for label, data in rule.accepted.items()
    ]
    vector["refused"] = [
        {"name": f"{rule.id}.refused-{label}"} | _text(refused.data) | {"error": refused.kind}
        for label, refused in rule.refused.items()
    ]
    return vector


def _error_kind(rule: Rule, data: bytes) -> str | None:
    try:
        from_json(rule.message_class, data, **rule.options)
    except ParseError as error:
        return error.kind
    return None


def _vector(name: str, message_class: type[Message], message: Message | None) -> dict[str, Any]:
    binary = None
    if message is not None:
        binary = base64.b64encode(message.SerializeToString(deterministic=True)).decode()
    return {
        "name": name,
        "type": message_class.DESCRIPTOR.full_name,
        "json": None if message is None else to_json(message).decode(),
        "binary": binary,
    }


def _text(data: bytes) -> dict[str, str]:
    """Returns a JSON text as the member ``json``, or ``base64`` if it is not UTF-8."""
    try:
        return {"json": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--out", type=Path, default=VECTORS, help="the folder; tests/vectors")
    arguments = parser.parse_args()
    try:
        files = vector_files()
    except WrongSource as error:
        print(error, file=sys.stderr)
        return 1
    old = [path.name for path in arguments.out.glob("*.json")]
    return bring_up_to_date(
        arguments.out, {*old, *files}, files, command="make generate", check=arguments.check
    )


if __name__ == "__main__":
    sys.exit(main())
