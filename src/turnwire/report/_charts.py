"""Draws the charts of a page, and finds the data in their specifications."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

from turnwire import charts
from turnwire._shown import json_text, utf8
from turnwire.errors import MissingExtra, TurnwireError
from turnwire.report._model import Chart, Table

if TYPE_CHECKING:
    from markupsafe import Markup

_ROOT: Final = re.compile(r"<svg\b([^>]*)>")
_UNSAFE: Final = re.compile(
    r"<\s*(?:script|foreignObject|iframe|use|style|animate|set)\b"
    r"|\son\w+\s*=|\bhref\s*=(?!\"data:image/(?:png|jpeg|gif|webp);)|url\(\s*[\"']?(?!#)",
    re.IGNORECASE,
)
"""Markup that drawings need not have: it could run or load something."""


_MAX_COLUMNS: Final = 64
"""With more columns, rows keep the cells that they have, however sparse they are."""


class Drawn(NamedTuple):
    """The parts of a chart that a page shows.

    Attributes:
        svg: The drawing; None where there is none.
        reason: Why there is none; ``""`` where there is one.
        tables: The data of the specification, by name.
    """

    svg: Markup | None
    reason: str
    tables: tuple[tuple[str, Table], ...]


def drawing_of(chart: Chart, id_prefix: str | None, *, is_wanted: bool) -> Drawn:
    """Returns the drawing and the data of a chart.

    Args:
        chart: The chart.
        id_prefix: The beginning of the ids in the drawing; None makes one of its content.
        is_wanted: Whether charts are drawn.
    """
    if chart.spec is None:
        return Drawn(None, "", ())
    tables = tuple(tables_in(chart.spec))
    if not is_wanted:
        return Drawn(None, "charts are switched off", tables)
    prefix = id_prefix or f"chart-{crc32(utf8(json_text(chart.spec))):x}-"
    try:
        svg = charts.to_svg(chart.spec, id_prefix=prefix)
    except (TurnwireError, MissingExtra) as error:
        return Drawn(None, f"not drawn: {error}", tables)
    if _UNSAFE.search(svg):
        return Drawn(None, "not drawn: the drawing holds links or images", tables)
    return Drawn(_described(svg, chart.title, prefix), "", tables)


def _described(svg: str, title: str, id_prefix: str) -> Markup:
    """Returns a drawing that is one image with a title."""
    from markupsafe import Markup

    root = _ROOT.search(svg)
    if root is None:
        return Markup("")
    attributes = re.sub(r"\s(?:role|aria-[\w-]+)=(?:\"[^\"]*\"|'[^']*')", "", root[1])
    head = Markup(
        '<svg{} role="img" aria-labelledby="{}title"><title id="{}title">{}</title>'
    ).format(Markup(attributes), id_prefix, id_prefix, title)
    return head + Markup(svg[root.end() :])


def title_of(spec: Mapping[str, Any] | None) -> str:
    """Returns the title of a Vega specification: a text, its lines, or an object with either.

    >>> title_of({"title": {"text": ["Loans", "per week"]}}), title_of(None)
    ('Loans per week', '')
    """
    match spec:
        case {"title": str(title)} | {"title": {"text": str(title)}}:
            return title
        case {"title": [*lines]} | {"title": {"text": [*lines]}}:
            return " ".join(map(str, lines))
        case _:
            return ""


def tables_in(spec: Mapping[str, Any]) -> Iterator[tuple[str, Table]]:
    """Yields the inline data of a Vega or Vega-Lite specification, by name.

    >>> [(name, table)] = tables_in({"mark": "bar", "data": {"values": [{"a": 1}, {"b": 2}]}})
    >>> name, table.columns, table.rows[1]
    ('data', ['a', 'b'], {'a': None, 'b': 2})
    """
    stack: list[Any] = [spec]
    while stack:
        found = stack.pop()
        if isinstance(found, list):
            stack.extend(reversed(found))
            continue
        if not isinstance(found, Mapping):
            continue
        named = [
            (str(data.get("name") or "data"), data.get("values"))
            for data in _data_of(found)
            if isinstance(data, Mapping)
        ]
        if isinstance(datasets := found.get("datasets"), Mapping):
            named += datasets.items()
        for name, values in named:
            if isinstance(values, list) and values:
                yield name, _table_of(values)
        stack.extend(
            found[name]
            for name in ("spec", "concat", "vconcat", "hconcat", "layer", "marks")
            if name in found
        )


def _data_of(spec: Mapping[str, Any]) -> list[Any]:
    data = spec.get("data")
    return data if isinstance(data, list) else [data]


def _table_of(values: list[Any]) -> Table:
    rows = [value if isinstance(value, Mapping) else {"value": value} for value in values]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    if len(columns) > _MAX_COLUMNS:
        return Table(columns, rows)
    return Table(columns, [{name: row.get(name) for name in columns} for row in rows])
