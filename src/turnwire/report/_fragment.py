"""Short markup of one view, for notebooks."""

from __future__ import annotations

from typing import Final, TypeAlias

from turnwire import ces
from turnwire._arguments import wrong_class
from turnwire._shown import utf8
from turnwire.report import _answers, _session
from turnwire.report._answers import gda
from turnwire.report._entries import entry_of_chart, entry_of_table
from turnwire.report._html import Page, environment
from turnwire.report._model import Entry
from turnwire.report._redacting import Redaction

Shown: TypeAlias = gda.Answer | gda.Table | gda.Chart | ces.Session | ces.Turn | ces.ToolExchange
"""The views that notebooks show."""

_KINDS: Final = ("user", "reply", "tools", "table", "chart", "error")
_MAX_ENTRIES: Final = 40
_MAX_ROWS: Final = 20
_MAX_COLUMNS: Final = 20


def html_of(view: Shown) -> str:
    """Returns a view as an element with its styles in attributes, escaped and cut where it is long.

    Raises:
        TypeError: The view is not one of these.
        MissingExtra: jinja2 is not installed.

    >>> from turnwire import ces
    >>> session = ces.Session.collect([ces.SessionOutput(turn_index=1, text="<b>")])
    >>> "&lt;b&gt;" in html_of(session)
    True
    """
    title, entries = _content_of(view)
    held = [entry for entry in entries if entry.kind in _KINDS] or entries
    shown = held[:_MAX_ENTRIES]
    left = len(entries) - len(shown)
    more = "; turnwire.report.html shows everything"
    template = environment().get_template("fragment.html")
    return utf8(
        template.render(
            page=Page(charts=True, media=False, is_alone=False),
            title=title,
            entries=shown,
            left=f"not shown: {left} of {len(entries)} entries{more}" if left else "",
            max_rows=_MAX_ROWS,
            max_columns=_MAX_COLUMNS,
        )
    ).decode()


def _content_of(view: Shown) -> tuple[str, list[Entry]]:
    redaction = Redaction()
    match view:
        case gda.Table():
            return "", [entry_of_table(view, redaction)]
        case gda.Chart():
            return "", [entry_of_chart(view, redaction)]
        case gda.Answer():
            [turn] = _answers.conversation_of([view], redaction).turns
            return "", list(turn.entries)
        case ces.Session():
            found = _session.conversation_of(view, redaction)
            entries = [entry for turn in found.turns for entry in turn.entries]
            return found.title, entries
        case ces.Turn():
            return f"Turn {view.index}", _session.entries_of_turn(view, redaction)
        case ces.ToolExchange():
            return "", [_session.entry_of_exchange(view, redaction)]
        case _:
            raise wrong_class(view, "a view of turnwire.ces or an answer")
