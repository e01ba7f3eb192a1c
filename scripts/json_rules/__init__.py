"""Reads the rules of the JSON mapping from the TOML files in this folder.

Each rule is one entry of data, and each file one topic. From them come the test vectors, the tests
over both backends, and the patterns of the JSON Schemas. A file has these entries:

- ``[patterns]``: regular expressions by name, in the syntax of JSON Schema.
- ``[[rule]]``: one rule, with the members of `Rule` (``type`` is `Rule.type_name`). An input is a
  JSON text, a table ``{base64}`` of bytes that are not UTF-8, or a table
  ``{open, inner, close, times}`` of nested text.
"""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from json_rules._messages import is_of_schema, message_class

__all__ = ["Refused", "Rule", "pattern", "rules"]

_PLACE = "$"
_MEMBERS = {"id", "sentence", "type", "place", "pattern", "beyond_pattern", "options"}
_MEMBERS |= {"beyond_schema", "canonical", "accepted", "refused"}


@dataclass(frozen=True)
class Refused:
    """An input that is refused, and the kind of the `ParseError`."""

    data: bytes
    kind: str


@dataclass(frozen=True)
class Rule:
    """One rule: the canonical form of a message, other accepted forms, and refused forms.

    Attributes:
        id: The group and the rule's own name, such as ``"int32/largest"``.
        topic: The name of the file that holds the rule.
        sentence: The rule in words.
        type_name: The short name of the message type, or the full name of a message in
            other_messages.txtpb.
        place: The JSON text of a message, with ``$`` in the place of the inputs.
        pattern: The name of the pattern that describes the texts of this rule; None if there is
            none.
        beyond_pattern: Labels of refused forms that match the pattern nevertheless.
        beyond_schema: Labels of refused forms that the JSON Schemas accept nevertheless.
        options: Arguments of `turnwire.from_json`.
        canonical: The whole text that Turnwire prints; None for a rule that only refuses.
        accepted: Other texts of the same message, by label.
        refused: Refused texts by label; each label names the fault.
    """

    id: str
    topic: str
    sentence: str
    type_name: str
    place: str
    pattern: str | None
    beyond_pattern: frozenset[str]
    beyond_schema: frozenset[str]
    options: dict[str, Any]
    canonical: bytes | None
    accepted: dict[str, bytes]
    refused: dict[str, Refused]

    @property
    def message_class(self) -> type[Message]:
        """The class of the message type."""
        return message_class(self.type_name)

    @property
    def is_portable(self) -> bool:
        """Whether other languages can follow the rule, so that the vectors hold it.

        The message type is one of the schema, and no form is accepted only with an option.
        """
        return is_of_schema(self.type_name) and not (self.options and self.texts)

    @property
    def texts(self) -> dict[str, bytes]:
        """All accepted forms by label, the first one under ``canonical``."""
        canonical = {} if self.canonical is None else {"canonical": self.canonical}
        return canonical | self.accepted

    def value(self, data: bytes) -> str:
        """Returns the part of a whole text that stands in the place of the inputs."""
        before, _, after = self.place.partition(_PLACE)
        text = data.decode()
        return text[len(before) : len(text) - len(after)]


@cache
def rules() -> tuple[Rule, ...]:
    """Returns all rules, in the order of the files' names and of the entries in them."""
    found = tuple(
        _rule(topic, entry) for topic, content in _files() for entry in content.get("rule", [])
    )
    names = [rule.id for rule in found]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"expected one rule for each id, got more of {sorted(repeated)}")
    return found


def pattern(name: str) -> str:
    """Returns a regular expression by its name: ``number``, ``base64``, ``timestamp`` ….

    Raises:
        KeyError: No file has a pattern of that name.
    """
    return _patterns()[name]


@cache
def _patterns() -> dict[str, str]:
    return {name: text for _, file in _files() for name, text in file.get("patterns", {}).items()}


def _files() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        yield path.stem, tomllib.loads(path.read_text(encoding="utf-8"))


def _rule(topic: str, entry: dict[str, Any]) -> Rule:
    if unknown := entry.keys() - _MEMBERS:
        raise ValueError(f"{topic}.toml: {entry.get('id')} has unknown members {sorted(unknown)}")
    place = entry.get("place", _PLACE)
    refused: dict[str, Refused] = {}
    for kind, inputs in entry.get("refused", {}).items():
        for label, value in inputs.items():
            if label in refused:
                raise ValueError(f"{topic}.toml: {entry['id']} has two refused forms {label}")
            refused[label] = Refused(_whole(place, value), kind)
    accepted = entry.get("accepted", {})
    return Rule(
        id=entry["id"],
        topic=topic,
        sentence=entry["sentence"],
        type_name=entry["type"],
        place=place,
        pattern=entry.get("pattern"),
        beyond_pattern=frozenset(entry.get("beyond_pattern", ())),
        beyond_schema=frozenset(entry.get("beyond_schema", ())),
        options=entry.get("options", {}),
        canonical=_whole(place, entry["canonical"]) if "canonical" in entry else None,
        accepted={label: _whole(place, value) for label, value in accepted.items()},
        refused=refused,
    )


def _whole(place: str, value: str | dict[str, Any]) -> bytes:
    """Returns the whole JSON text of an input."""
    before, _, after = place.partition(_PLACE)
    return before.encode() + _bytes(value) + after.encode()


def _bytes(value: str | dict[str, Any]) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"], validate=True)
    opened, closed = value["open"] * value["times"], value["close"] * value["times"]
    return f"{opened}{value['inner']}{closed}".encode()
