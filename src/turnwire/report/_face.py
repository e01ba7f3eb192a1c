"""The functions that make reports."""

from __future__ import annotations

from collections.abc import Sequence

from turnwire.report._building import View, conversation_of
from turnwire.report._html import page_of
from turnwire.report._markdown import document_of
from turnwire.report._model import Problem
from turnwire.report._redacting import Redact


def html(
    view: View,
    *,
    title: str | None = None,
    charts: bool = True,
    media: bool = True,
    redact: Redact | None = None,
    problems: Sequence[Problem] = (),
    left_out: Sequence[str] = (),
) -> str:
    """Returns a conversation as one page of HTML, which runs no script and loads nothing.

    The same arguments give the same text. Everything in the conversation is escaped.

    Args:
        view: A `ces.Session`, a stored `ces.Conversation`, an answer of Conversational Analytics,
            or a list of answers. A page is about one session.
        title: The heading; without it, a count of the turns.
        charts: Whether charts are drawn, which needs the extra ``charts``. Without it, and where a
            chart cannot be drawn, its data stand there as a table, with the reason.
        media: Whether images and audio are in the page, as data URLs. Without them, a note with
            type and size stands in their place.
        redact: A function of a path, such as ``("turns", 0, "reply")``, and the text there; it
            returns the text that is shown. It gets every text and each text in JSON values, but no
            names of members, columns, tools and agents. Pictures of charts are left out with it.
        problems: Errors in the recording, which are shown where they occurred.
        left_out: More lines for the foot of the page, which says what is not in it, and why.

    Returns:
        The page, to be written in UTF-8.

    Raises:
        TypeError: The view is not one of these, or `redact` returns something else than a str.
        MissingExtra: jinja2 is not installed.

    >>> from turnwire import ces, report
    >>> outputs = [ces.SessionOutput(turn_index=1, text="Ahoy <b>", turn_completed=True)]
    >>> page = report.html(ces.Session.collect(outputs), title="A ferry")
    >>> "<title>A ferry</title>" in page, "Ahoy &lt;b&gt;" in page
    (True, True)
    """
    shown = conversation_of(view, title=title, redact=redact, problems=problems, left_out=left_out)
    return page_of(shown, charts=charts, media=media)


def markdown(
    view: View,
    *,
    title: str | None = None,
    charts: bool = True,
    media: bool = True,
    redact: Redact | None = None,
    problems: Sequence[Problem] = (),
    left_out: Sequence[str] = (),
) -> str:
    r"""Returns a conversation as Markdown, in the form that GitHub reads.

    It has the facts of the page, in the same order. Markdown holds no pictures: charts are shown by
    their data, and images and audio by their type and size.

    Args:
        view: As for `html`.
        title: As for `html`.
        charts: Whether the data of charts are shown.
        media: Whether images and audio are mentioned.
        redact: As for `html`.
        problems: As for `html`.
        left_out: As for `html`.

    Raises:
        TypeError: As for `html`.

    >>> from turnwire import ces, report
    >>> outputs = [ces.SessionOutput(turn_index=1, text="Ahoy *all*", turn_completed=True)]
    >>> print(report.markdown(ces.Session.collect(outputs)).split("\n\n")[3])
    **reply**: Ahoy \*all\*
    """
    shown = conversation_of(view, title=title, redact=redact, problems=problems, left_out=left_out)
    return document_of(shown, charts=charts, media=media)
