"""Recordings that the tests of the commands for people read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ANSWER = ROOT / "examples" / "analytics_answer.json"
SESSION = ROOT / "examples" / "ces_session.ndjson"


def options_of(scenario: dict[str, Any]) -> list[str]:
    """Returns the options of the reader as the command line has them."""
    # A scenario without options is read strictly, and people's commands are tolerant.
    options = {"unknown": "error", **scenario.get("options", {})}
    return [
        argument
        for name, value in options.items()
        for argument in (f"--{name.replace('_', '-')}", value)
    ]
