"""Counts where google's json_format differs from the rules: the numbers of the table in README.md.

    make compare

It runs the official conformance suite over json_format if there is a runner (see conformance.py),
and every text of the JSON rules (see json_rules/). A text differs if json_format accepts a refused
one, refuses an accepted one, or reads it as another message.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import google.protobuf
from conformance import NO_RUNNER, suite
from google.protobuf import (
    any_pb2,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    json_format,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)
from json_rules import Rule, rules

# json_format finds the type of an Any only if its module was imported.
_IMPORTED = [any_pb2, duration_pb2, empty_pb2, field_mask_pb2]
_IMPORTED += [struct_pb2, timestamp_pb2, wrappers_pb2]


# It knows the JSON names of enum values only with this module, which older runtimes do not have.
with suppress(ImportError):
    importlib.import_module("google.protobuf.json_enumvalue_options_pb2")


def differences(rule: Rule) -> Iterator[str]:
    """Yields one line for each text of a rule with which json_format does something else."""
    for label, refused in rule.refused.items():
        if _printed(rule, refused.data) is not None:
            yield f"{rule.id}: accepts {label}"
    for label, data in rule.texts.items():
        if (printed := _printed(rule, data)) is None:
            yield f"{rule.id}: refuses {label}"
        elif printed != json.loads(rule.texts["canonical"]):
            yield f"{rule.id}: reads {label} as {json.dumps(printed)[:80]}"


def number_of_texts() -> int:
    """Returns the number of texts of all rules."""
    return sum(len(rule.texts) + len(rule.refused) for rule in rules())


def _printed(rule: Rule, data: bytes) -> Any:
    """Returns the JSON value that json_format prints of a text; None if it refuses the text."""
    message = rule.message_class()
    ignore = rule.options.get("unknown") == "ignore"
    try:
        json_format.Parse(data, message, ignore_unknown_fields=ignore)
        return json.loads(json_format.MessageToJson(message))
    except Exception:  # json_format raises more than its ParseError
        return None


def main() -> int:
    print(f"json_format of protobuf {google.protobuf.__version__}")
    with suite() as found:
        if found is None:
            print(NO_RUNNER)
        else:
            failed = found.run(os.environ | {"CONFORMANCE_LIBRARY": "json_format"})
            print(f"conformance suite: {failed} failed")
    lines = [line for rule in rules() for line in differences(rule)]
    print("\n".join(lines))
    kinds = Counter(line.partition(": ")[2].partition(" ")[0] for line in lines)
    print(f"JSON rules: {len(lines)} of {number_of_texts()} texts differ: {dict(kinds)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
