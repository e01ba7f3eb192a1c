"""Makes the model of whatever a report can be made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from turnwire import ces
from turnwire._arguments import holds_items, wrong_class
from turnwire.report import _answers, _session
from turnwire.report._model import Conversation, Problem
from turnwire.report._redacting import Redact, Redaction

View: TypeAlias = ces.Session | ces.Conversation | _answers.Answer | Iterable[_answers.Answer]
"""A session, one that is stored, an answer, or the answers of a conversation."""


def conversation_of(
    view: View,
    *,
    title: str | None = None,
    redact: Redact | None = None,
    problems: Sequence[Problem] = (),
    left_out: Sequence[str] = (),
) -> Conversation:
    """Returns the model of a view.

    Args:
        view: The view.
        title: A name in place of the usual one.
        redact: Changes the texts; see `report.html`.
        problems: Errors in the recording.
        left_out: Things that are missing for reasons that the view does not know.

    Raises:
        TypeError: The view is not one of these.
    """
    redaction = Redaction(redact)
    shown = [replace(each, text=redaction.text(("problems",), each.text)) for each in problems]
    if isinstance(view, ces.Conversation):
        view = ces.Session.collect(view)
    if isinstance(view, ces.Session):
        found = _session.conversation_of(view, redaction, shown)
    else:
        answers = [view] if isinstance(view, _answers.Answer) else _checked(view)
        found = _answers.conversation_of(answers, redaction, shown)
    named = found if title is None else replace(found, title=title)
    return replace(named, left_out=(*named.left_out, *left_out))


def _checked(view: Iterable[_answers.Answer]) -> list[_answers.Answer]:
    expected = (ces.Session, _answers.Answer, "a list of answers")
    if not holds_items(view):
        raise wrong_class(view, *expected)
    answers = list(view)
    for answer in answers:
        if not isinstance(answer, _answers.Answer):
            raise wrong_class(answer, "nothing but answers in a list")
    return answers
