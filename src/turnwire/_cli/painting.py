"""Paints lines for a terminal, with the library rich where it is installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from turnwire._cli.layout import Line, Style

Painter = Callable[[str], str]

_STYLES: dict[Style, str] = {
    "label": "bold cyan",
    "heading": "bold",
    "faint": "dim",
    "error": "bold red",
}


def painter() -> Painter | None:
    """Returns a function that paints a line for stdout.

    Returns None where stdout is not a terminal, where that has no colours, where NO_COLOR is set,
    and where rich is not installed.
    """
    if os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return None
    with suppress(ImportError):
        from rich.console import Console
        from rich.text import Text

        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        if console.color_system is None:
            return None

        def paint(line: str) -> str:
            if not isinstance(line, Line) or not line.spans:
                return line
            text = Text(line, no_wrap=True, end="")
            for start, end, style in line.spans:
                text.stylize(_STYLES[style], start, end)
            with console.capture() as captured:
                console.print(text, soft_wrap=True, end="")
            return captured.get()

        return paint
    return None
