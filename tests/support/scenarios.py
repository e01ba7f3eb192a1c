"""The scenarios of tests/scenarios: responses as they arrive, with the facts in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "scenarios"


def scenarios(api: str | None = None) -> list[dict[str, Any]]:
    """Returns the scenarios of an API, ``"ces"`` or ``"gda"``, or of all, in order of their ids."""
    # A JSON string may hold line separators that str.splitlines splits at.
    return [
        json.loads(line)
        for path in sorted(FOLDER.glob(f"{api or '*'}.jsonl"))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line
    ]


def scenario(name: str) -> dict[str, Any]:
    """Returns the scenario with an id."""
    return next(found for found in scenarios() if found["id"] == name)
