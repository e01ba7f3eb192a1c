"""Prints values as JSON: a document for programs, one short line for people."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from typing import Any

from turnwire._printable import printable_json
from turnwire.errors import TurnwireError


def one_line(value: Any, max_characters: int = 72) -> str:
    """Returns a value for people: on one line, and cut where it is long.

    >>> one_line({"boat": "Otter", "cabin": True})
    '{"boat": "Otter", "cabin": true}'
    """
    text = _dumps(value, None)
    return text if len(text) <= max_characters else f"{text[: max_characters - 1]}…"


def cell_text(value: Any) -> str:
    """Returns a cell of a table for people: a text as it is, any other value as JSON, uncut.

    >>> cell_text("Mill"), cell_text(None), cell_text(True), cell_text(["a", 1])
    ('Mill', 'null', 'true', '["a", 1]')
    """
    shown = _plain(value)
    return shown if isinstance(shown, str) else _dumps(shown, None)


def json_text(value: Any, max_width: int = 72) -> str:
    """Returns a value for people: on one line where it is short, else indented; never cut.

    >>> json_text({"boat": "Otter"})
    '{"boat": "Otter"}'
    """
    text = _dumps(value, None)
    return text if len(text) <= max_width else _dumps(value, 2)


def document(value: Any, *, indent: bool) -> bytes:
    """Returns a value for programs: a JSON document in UTF-8, on one line or indented.

    >>> document({"packets": 2**53 + 1}, indent=False)
    b'{"packets":9007199254740993}'
    """
    text = _dumps(value, 2) if indent else _dumps(value, None, (",", ":"))
    return utf8(text)


def utf8(text: str) -> bytes:
    """Encodes a text in UTF-8; a lone surrogate, which UTF-8 cannot hold, becomes its escape."""
    return text.encode(errors="backslashreplace")


def _dumps(value: Any, indent: int | None, separators: tuple[str, str] | None = None) -> str:
    def dumps(value: Any) -> str:
        return json.dumps(
            value,
            ensure_ascii=False,
            allow_nan=False,
            indent=indent,
            separators=separators,
            default=_plain,
        )

    try:
        try:
            text = dumps(value)
        except (ValueError, TypeError):
            # JSON lacks a number or a key in it. Other values are not copied, which takes memory.
            text = dumps(_plain(value))
    except RecursionError:
        raise TurnwireError("a value is nested too deeply to be shown", kind="depth") from None
    return printable_json(text)


def _plain(value: Any) -> Any:
    """Returns a value as JSON can hold it; a value without a JSON form becomes text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            if math.isfinite(value):
                return value
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        case bytes():
            return base64.b64encode(value).decode()
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case _:
            isoformat = getattr(value, "isoformat", None)
            return isoformat() if isoformat else str(value)
