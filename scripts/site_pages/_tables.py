"""Makes the pages of the JSON rules and of the column types, from their data."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from itertools import groupby

from json_rules import Rule, rules

from turnwire._apis import API_BY_NAME

_COLUMN_TYPES = f"{API_BY_NAME['gda'].views}._column_types"
_MAX_SHOWN = 100
_TOPICS = {
    "messages": "Messages, members and oneofs",
    "numbers": "Numbers, bools and enums",
    "proto2": "Proto2 and editions",
    "texts": "Strings and bytes",
    "times": "Timestamps and durations",
    "unknown": "Unknown things",
    "well_known": "Well-known types",
}


def pages_of_tables() -> dict[str, str]:
    """Returns the two pages, by their paths."""
    return {
        "reference/json-rules.md": "\n".join(_rules()),
        "reference/column-types.md": "\n".join(_types()),
    }


def _rules() -> Iterator[str]:
    yield "# The rules of JSON, one by one"
    yield ""
    yield "Each rule has the text that Turnwire prints (`canonical`), others that it reads, and"
    yield "texts that it refuses, with the `kind` of the error. The tests over both backends and"
    yield "the vectors for other languages come from the same data. The guide explains"
    yield "[the rules](../docs/json.md)."
    yield ""
    for topic, group in groupby(rules(), lambda rule: rule.topic):
        yield f"## {_TOPICS[topic]}"
        yield ""
        for rule in group:
            yield from _rule(rule)
    yield from ("---", "", "This page is made of the data in `scripts/json_rules`.")


def _rule(rule: Rule) -> Iterator[str]:
    yield f"### {rule.id}"
    yield ""
    yield f"{rule.sentence} In `{rule.type_name}`."
    yield ""
    lines = [("canonical", rule.canonical)] if rule.canonical is not None else []
    lines += [(f"reads {label}", data) for label, data in rule.accepted.items()]
    lines += [
        (f"refuses {label} ({refused.kind})", refused.data)
        for label, refused in rule.refused.items()
    ]
    width = max(len(label) for label, _ in lines)
    yield "```text"
    for label, data in lines:
        yield f"{label:{width}}  {_shown(data)}"
    yield "```"
    yield ""


def _shown(data: bytes) -> str:
    """Returns an input on one line: characters that cannot be seen are escaped, long texts cut."""
    text = data.decode("utf-8", "backslashreplace")
    shown = "".join(
        character if character.isprintable() else json.dumps(character)[1:-1] for character in text
    )
    return shown if len(shown) <= _MAX_SHOWN else shown[: _MAX_SHOWN - 1] + "…"


def _types() -> Iterator[str]:
    yield "# Column types of results"
    yield ""
    yield "The types that a schema of a result may name, in any case and with or without parameters"
    yield "such as `(10, 2)`. Every other type is text. A repeated column holds lists."
    yield ""
    yield "| Names | Python | A cell | Arrow |"
    yield "|---|---|---|---|"
    for each in importlib.import_module(_COLUMN_TYPES).TYPES:
        names = ", ".join(f"`{name}`" for name in each.names)
        yield f"| {names} | `{each.python}` | {each.spelling} | `{each.arrow}` |"
    yield from ("", "---", "", f"This page is made of the table in `{_COLUMN_TYPES}`.")
