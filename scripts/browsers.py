"""Finds the browser that the tests of pages look with. Standard library only."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_browser() -> str | None:
    """Returns the program of Chromium: the one that $CHROMIUM names, or one on the path."""
    if named := os.environ.get("CHROMIUM"):
        return named
    return next((found for name in NAMES if (found := shutil.which(name))), None)
