"""The model of a conversation as one page of HTML; the markup stands in ``templates/``."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from turnwire._printable import printable
from turnwire._shown import cell_text, json_text, one_line, utf8
from turnwire.errors import MissingExtra, TurnwireError
from turnwire.report._charts import Drawn, drawing_of
from turnwire.report._citations import pieces_of
from turnwire.report._media import shown_type
from turnwire.report._model import (
    MAX_ROWS,
    Call,
    Calls,
    Chart,
    Conversation,
    Media,
    Table,
    Trace,
    Turn,
)
from turnwire.report._words import (
    chart_text,
    cited_words,
    clock_text,
    counted,
    duration_text,
    is_sparse,
    is_web,
    media_text,
    overview_of,
    utc_text,
)

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; "
    "base-uri 'none'; form-action 'none'"
)
_MAX_OPEN_TURNS: Final = 20
_MAX_OPEN_CHARACTERS: Final = 600
_MAX_OPEN_LINES: Final = 12
_MAX_CUT: Final = 2000
"""The number of characters of a text in its short form."""

_MAX_SHORT_CELL: Final = 32
_MAX_DEPTH: Final = 20
"""Lists are nested this deep at most: browsers stop somewhere, and services need not."""
_MAX_ID: Final = 60
_NO_ID: Final = re.compile(r"[^A-Za-z0-9_-]+")


class Page:
    """The ids of one page, and what is left out of it.

    Args:
        charts: Whether charts are drawn.
        media: Whether images and audio are in the page.
        is_alone: Whether it is a whole page, and not a part of one.
    """

    def __init__(self, *, charts: bool, media: bool, is_alone: bool = True) -> None:
        self.left_out: list[str] = []
        self._is_alone = is_alone
        self._charts = charts
        self._media = media
        self._ids: dict[str, int] = {}
        self._chart_count = 0

    def id_of(self, text: str) -> str:
        """Returns an id that no other element of the page has, made of a text."""
        base = _NO_ID.sub("-", text)[:_MAX_ID].strip("-")
        found = base
        while found in self._ids:
            self._ids[base] += 1
            found = f"{base}-{self._ids[base]}"
        self._ids[found] = 1
        return found

    def nested(self, block: Calls) -> Iterator[NestedCall]:
        """Yields calls with the markup that nests them in each other."""
        from markupsafe import Markup

        depths = [min(call.depth, _MAX_DEPTH) for call in block.calls]
        for call, depth, after in zip(block.calls, depths, [*depths[1:], 0], strict=True):
            opening = "<ul>" if after > depth else "</li>" + "</ul></li>" * (depth - after)
            identity = self.id_of(f"call-{call.id or call.name}")
            yield NestedCall(call, identity, Markup(opening))

    def data_url(self, media: Media) -> str | None:
        """Returns the bytes as a URL; None, with a note, where they are not shown."""
        mime_type = shown_type(media.mime_type)
        if self._media and mime_type and not media.problem:
            return f"data:{mime_type};base64,{base64.b64encode(media.data).decode()}"
        reason = media.problem or ("" if self._media else "media are switched off")
        self.left_out.append(f"{media.kind}, {media_text(media)}: {reason}")
        return None

    def rows(self, block: Table) -> Iterator[Markup]:
        """Yields the cells of each row of a table."""
        if (left := len(block.rows) - MAX_ROWS) > 0:
            self.left_out.append(f"{counted(left, 'row')} of a table: a page holds {MAX_ROWS}")
        for row in block.rows[:MAX_ROWS]:
            yield _cells(_cell(row[name]) for name in block.columns)

    def drawn(self, chart: Chart) -> Drawn:
        """Returns what is shown of a chart."""
        self._chart_count += 1
        prefix = f"chart-{self._chart_count}-" if self._is_alone else None
        return drawing_of(chart, prefix, is_wanted=self._charts)


class NestedCall(NamedTuple):
    """A tool call in nested lists: its id, and the markup after its content."""

    call: Call
    id: str
    after: Markup


class NamedTurn(NamedTuple):
    """A turn with its id and its heading."""

    turn: Turn
    id: str
    heading: str


def page_of(shown: Conversation, *, charts: bool, media: bool) -> str:
    """Returns the page.

    Raises:
        MissingExtra: jinja2 is not installed.
    """
    page = Page(charts=charts, media=media)
    turns = [NamedTurn(turn, *_name_of(turn, page)) for turn in shown.turns]
    text = (
        environment()
        .get_template("page.html")
        .render(
            shown=shown,
            page=page,
            turns=turns,
            overview=overview_of(shown),
            policy=POLICY,
            style=_style(),
            max_open_turns=_MAX_OPEN_TURNS,
        )
    )
    return utf8(text).decode()


@cache
def environment() -> Environment:
    """Returns the environment of the templates.

    Raises:
        MissingExtra: jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise MissingExtra("html", "jinja2") from None
    made = Environment(
        loader=PackageLoader("turnwire.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {
        "cell": cell_text,
        "chart_text": chart_text,
        "cited_words": cited_words,
        "clock": clock_text,
        "class_name": lambda block: type(block).__name__,
        "counted": counted,
        "cut": _cut,
        "duration": duration_text,
        "is_long": _is_long,
        "iso": _iso,
        "json": _json,
        "media_text": media_text,
        "numbers": _numbers,
        "one_line": one_line,
        "pieces": pieces_of,
        "utc": utc_text,
        "waterfall": _waterfall,
    }
    made.tests |= {"attributed": _is_attributed, "sparse": is_sparse, "web": is_web}
    return made


@cache
def _style() -> Markup:
    from markupsafe import Markup

    text = (files("turnwire.report") / "templates" / "style.css").read_text(encoding="utf-8")
    text = text.replace(": ", ":")
    return Markup(re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r"\n\s*", "\n", text)))


def _name_of(turn: Turn, page: Page) -> tuple[str, str]:
    if turn.number is None:
        return page.id_of("messages"), "Outside of turns"
    return page.id_of(f"turn-{turn.number}"), f"Turn {turn.number}"


def _printable(value: Any) -> Any:
    """Makes control characters of texts visible; markup of the templates has none."""
    if isinstance(value, str) and not value.isprintable() and not hasattr(value, "__html__"):
        return printable(value)
    return value


def _json(value: Any) -> Markup:
    """Returns JSON text for the content of an element, where quotes stay as they are."""
    from markupsafe import Markup

    try:
        text = json_text(value)
    except TurnwireError as error:
        text = str(error)
    return Markup(_escaped(text))


def _cells(cells: Iterable[tuple[str, str]]) -> Markup:
    """Returns the cells of a row, of which each is a text and a class or none."""
    from markupsafe import Markup

    return Markup(
        "".join(
            f'<td class="{form}">{_escaped(text)}' if form else f"<td>{_escaped(text)}"
            for text, form in cells
        )
    )


def _escaped(text: str) -> str:
    """Escapes the content of an element, where quotes stay as they are."""
    shown = text if text.isprintable() else printable(text)
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CUT else f"{text[: _MAX_CUT - 1]}…"


def _is_long(text: str) -> bool:
    return len(text) > _MAX_OPEN_CHARACTERS or text.count("\n") > _MAX_OPEN_LINES


def _cell(value: Any) -> tuple[str, str]:
    text = cell_text(value)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return text, "n"
    return text, "l" if len(text) > _MAX_SHORT_CELL else ""


def _iso(time: datetime) -> str:
    precision = "microseconds" if time.microsecond % 1000 else "auto"
    if time.microsecond and precision == "auto":
        precision = "milliseconds"
    return time.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")


def _is_attributed(block: Trace) -> bool:
    """Reports whether any span of a trace has attributes."""
    return any(bar.attributes for bar in block.bars)


def _waterfall(block: Trace) -> Iterator[tuple[str, str, str]]:
    """Yields the name of each span, its classes, and its place in percent of the whole."""
    ends = [(bar.start_ns or 0) + (bar.duration_ns or 0) for bar in block.bars]
    whole = max(*ends, 1)
    for bar in block.bars:
        classes = {"c": bar.is_critical, "e": bar.is_estimated, "x": bar.duration_ns is None}
        start = min(max((bar.start_ns or 0) * 100 / whole, 0), 100)
        width = max(min((bar.duration_ns or 0) * 100 / whole, 100 - start), 0)
        depth = f";--d:{min(bar.depth, _MAX_DEPTH)}" if bar.depth else ""
        form = " ".join(name for name, holds in classes.items() if holds)
        yield bar.name, form, f"--s:{start:.3g};--w:{width:.3g}{depth}"


def _numbers(block: Trace) -> Iterator[Markup]:
    """Yields the cells of each span."""
    is_attributed = _is_attributed(block)
    for bar in block.bars:
        about = "about " if bar.is_estimated else ""
        start = "" if bar.start_ns is None else about + duration_text(bar.start_ns)
        duration, alone = (
            "" if time is None else duration_text(time) for time in (bar.duration_ns, bar.self_ns)
        )
        name = "– " * min(bar.depth, _MAX_DEPTH) + bar.name
        cells = [name, bar.kind, start, duration, alone, "yes" if bar.is_critical else ""]
        if is_attributed:
            cells.append(one_line(bar.attributes, _MAX_OPEN_CHARACTERS) if bar.attributes else "")
        yield _cells((cell, "") for cell in cells)
