"""Runs axe-core, which looks for what keeps people from reading a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from browser.chromium import Page

AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"


def axe(page: Page) -> dict[str, list[str]]:
    """Returns the findings of axe-core: rules, each with the elements that break it."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: make test-browser")
    page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    found = page.evaluate("axe.run().then(done => JSON.stringify(done.violations))")
    violations: list[dict[str, Any]] = json.loads(found)
    return {each["id"]: [node["html"][:200] for node in each["nodes"]] for each in violations}
