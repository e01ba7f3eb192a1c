"""Counts what google's json_format does against the rules: the numbers of the table in README.md.

    make compare

It runs the official conformance suite over json_format, where there is a runner (see
conformance.py), and the cases of tests/protojson/cases.jsonl. A case is wrong where json_format
accepts what must be refused, refuses what must be accepted, or prints something else.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import google.protobuf
from conformance import NO_RUNNER, suite
from environment import ROOT
from google.protobuf import json_format

from turnwire import schema

CASES = ROOT / "tests" / "protojson" / "cases.jsonl"


def wrong(case: dict[str, Any]) -> str | None:
    """What json_format does wrong in a case, or None."""
    message = schema.message_class(case["type"])()
    ignore = case["options"].get("unknown") == "ignore"
    try:
        json_format.Parse(case["input"], message, ignore_unknown_fields=ignore)
    except Exception as error:  # of whatever class: it is refused
        return None if case["expect"] == "error" else f"refused: {error}"
    if case["expect"] == "error":
        return "accepted"
    printed = json_format.MessageToJson(message)
    return None if json.loads(printed) == json.loads(case["expect"]) else f"printed {printed}"


def main() -> int:
    print(f"json_format of protobuf {google.protobuf.__version__}")
    with suite() as found:
        if found is None:
            print(NO_RUNNER)
        else:
            failed = found.run(os.environ | {"CONFORMANCE_LIBRARY": "json_format"})
            print(f"conformance suite: {failed} failed")
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    problems = {case["id"]: problem for case in cases if (problem := wrong(case)) is not None}
    for identifier, problem in problems.items():
        print(f"case {identifier}: {' '.join(problem.split())[:120]}")
    print(f"{CASES.relative_to(ROOT)}: {len(problems)} of {len(cases)} wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
