"""Recordings that the tests of the commands for people read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ANSWER = ROOT / "examples" / "analytics_answer.json"
SESSION = ROOT / "examples" / "ces_session.ndjson"


def scenario(name: str) -> dict[str, Any]:
    return json.loads((ROOT / "tests" / "scenarios" / f"{name}.json").read_text("utf-8"))


def scenarios(api: str) -> list[str]:
    return sorted(path.stem for path in (ROOT / "tests" / "scenarios").glob(f"{api}_*.json"))


def options_of(scenario: dict[str, Any]) -> list[str]:
    """Returns the options of the reader as the command line has them."""
    # A scenario without options is read strictly, and people's commands are tolerant.
    options = {"unknown": "error", **scenario.get("options", {})}
    return [
        argument
        for name, value in options.items()
        for argument in (f"--{name.replace('_', '-')}", value)
    ]
