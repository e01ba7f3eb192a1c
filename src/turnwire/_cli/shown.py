"""How values are shown to people and to programs."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_LONGEST = 72


def one_line(value: Any) -> str:
    """A JSON value for people: on one line, cut to 72 characters.

    >>> one_line({"boat": "Otter", "cabin": True})
    '{"boat": "Otter", "cabin": true}'
    """
    text = json.dumps(plain(value), ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def document(value: Any) -> str:
    """A value for programs: one JSON document."""
    return json.dumps(plain(value), ensure_ascii=False, indent=2)


def plain(value: Any) -> Any:
    """A value as JSON can hold it; what it has no form for becomes text.

    >>> from decimal import Decimal
    >>> plain({"share": Decimal("0.60"), "mean": float("nan"), "raw": b"hi"})
    {'share': '0.60', 'mean': 'NaN', 'raw': 'aGk='}
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    isoformat = getattr(value, "isoformat", None)
    return isoformat() if isoformat else str(value)


def table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Rows under their columns, a line each.

    >>> for line in table(["boat", "guests"], [{"boat": "Otter", "guests": 12}]):
    ...     print(line)
    boat   guests
    Otter  12
    """
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    lines = [list(columns), *cells]
    widths = [max(len(line[position]) for line in lines) for position in range(len(columns))]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    shown = plain(value)
    return shown if isinstance(shown, str) else one_line(shown)
