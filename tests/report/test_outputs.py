"""The page, Markdown and the terminal show the same facts in the same order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.commands import output_of
from cli.recordings import ANSWER, SESSION
from report.conversations import answers, session
from report.pages import parsed
from support.analytics import gda
from support.scenarios import scenarios

import turnwire as tw
from turnwire import ces, report
from turnwire._cli.show_answer import lines_of as lines_of_answer
from turnwire._cli.show_entries import Screen
from turnwire._cli.show_session import lines_of as lines_of_session
from turnwire._printable import on_one_line, printable
from turnwire._shown import cell_text, one_line
from turnwire.errors import TurnwireError
from turnwire.report._building import conversation_of
from turnwire.report._model import (
    Block,
    Calls,
    Chart,
    Code,
    Conversation,
    Data,
    Links,
    Media,
    Options,
    Pairs,
    Table,
    Text,
    Trace,
)
from turnwire.report._words import duration_text, media_text

CUT = 30
"""The number of characters that are compared: outputs cut long texts."""


def facts_of(block: Block) -> Iterator[str]:
    """Yields the facts in a block that every output has to show, in order."""
    match block:
        case Text():
            yield printable(block.text)[:CUT]
            for citation in block.citations:
                yield from (source.title for source in citation.sources)
        case Code():
            yield printable(block.text)[:CUT]
        case Data():
            yield one_line(block.value)[:CUT]
        case Pairs():
            for name, value in block.values.items():
                yield name
                yield one_line(value)[:CUT]
        case Options():
            yield from block.texts
        case Links():
            yield from (link.title for link in block.links)
        case Table():
            yield from block.columns
            for row in block.rows:
                yield from (on_one_line(cell_text(row[name]))[:CUT] for name in block.columns)
        case Media():
            yield media_text(block)
        case Chart():
            yield block.problem or block.title
        case Calls():
            for call in block.calls:
                yield call.name
                yield call.status
                if call.status != "pending":
                    yield one_line(call.outcome)[:CUT]
        case Trace():
            for bar in block.bars:
                yield bar.name
                yield "" if bar.duration_ns is None else duration_text(bar.duration_ns)


def all_facts_of(shown: Conversation) -> Iterator[str]:
    """Yields all facts of a conversation."""
    for turn in shown.turns:
        if turn.number is not None:
            yield from turn.states
        for entry in turn.entries:
            yield entry.label
            for block in entry.blocks:
                yield from facts_of(block)
    for entry in shown.closing:
        yield entry.label
        for block in entry.blocks:
            yield from facts_of(block)
    yield from shown.left_out


def bare(text: str) -> str:
    """Returns a text without blanks, and without the marks by which outputs quote."""
    return re.sub(r"[\s\\|`]+", "", text)


def assert_shows(output: str, facts: list[str], name: str) -> None:
    shown, position = bare(output), 0
    for fact in map(bare, facts):
        found = shown.find(fact, position)
        assert found >= 0, (
            f"{name} lacks {fact!r} after {shown[max(position - 80, 0) : position]!r}"
        )
        position = found + len(fact)


def page_text(view: report.View) -> str:
    page = parsed(report.html(view, charts=False))
    for picture in page.all("div"):
        if picture.attributes.get("role") == "img":
            picture.content.clear()  # the table below has its facts again
    for number in page.all("sup"):
        number.content.clear()  # that of a citation, which stands within the words
    return page.one("main").text + page.one("footer").text


def terminal_text(view: Any) -> str:
    if isinstance(view, ces.Session):
        return "\n".join(lines_of_session(view))
    found = [view] if isinstance(view, gda.Answer) else view
    return "\n".join(line for answer in found for line in lines_of_answer(answer, Screen()))


def collected(case: dict[str, Any]) -> Any:
    """Returns the view of a scenario's messages before an error."""
    room = ces if case["api"] == "ces" else gda
    messages = []
    options = {"unknown": "ignore", **case.get("options", {})}
    reader = tw.read(getattr(room, case["type"]), [case["input"].encode()], **options)
    try:
        for message in reader:
            messages.append(message)
    except TurnwireError:
        pass
    return ces.Session.collect(messages) if room is ces else gda.Answer.collect(messages)


VIEWS: dict[str, Any] = {
    "session": session(),
    **{f"answer {number}": answer for number, answer in enumerate(answers(), 1)},
    **{case["id"]: collected(case) for case in scenarios()},
}


@pytest.mark.parametrize("name", VIEWS)
def test_all_outputs_show_the_same_facts_in_the_same_order(name: str) -> None:
    view = VIEWS[name]
    facts = [*all_facts_of(conversation_of(view))]
    assert_shows(page_text(view), facts, "the page")
    assert_shows(report.markdown(view), facts, "Markdown")
    assert_shows(terminal_text(view), facts, "the terminal")


def test_the_commands_print_these_lines() -> None:
    assert output_of("session", SESSION).decode() == terminal_text(session()) + "\n"
    assert output_of("answer", ANSWER).decode() == terminal_text(answers()[-1]) + "\n"


REDACTION = """
def hide(path, text):
    return "[hidden]" if text and path[-1] != "evening" else text

def number(path, text):
    return 5

def fail(path, text):
    raise KeyError("secret")

NO_FUNCTION = 1
"""
SECRETS = ("cello", "Heron", "Bon voyage", "lantern at the bow", "wind vane")


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "hiding_rules.py").write_text(REDACTION)
    monkeypatch.syspath_prepend(tmp_path)
    return "hiding_rules:hide"


@pytest.mark.parametrize(
    "command",
    [
        ("session",),
        ("session", "--json"),
        ("session", "--indent"),
        ("report",),
        ("report", "--to", "markdown"),
    ],
)
def test_redact_reaches_every_text(command: tuple[str, ...], rules: str) -> None:
    shown = output_of(*command, SESSION).decode()
    hidden = output_of(*command, "--redact", rules, SESSION).decode()
    assert all(secret in shown and secret not in hidden for secret in SECRETS)
    if command[-1] not in ("--json", "--indent"):
        assert "find_boats" in hidden.replace("\\", "")  # names stay


@pytest.mark.parametrize(
    "command", [(), ("--json",), ("--all", "--json"), ("--all",), ("--csv",), ("--width", "80")]
)
def test_redact_reaches_every_text_of_an_answer(command: tuple[str, ...], rules: str) -> None:
    shown = output_of("answer", *command, ANSWER).decode()
    hidden = output_of("answer", *command, "--redact", rules, ANSWER).decode()
    assert "Scarlet runner" in shown
    assert "Scarlet" not in hidden
    assert "packets" in hidden or "--all" in command  # names of columns stay


def test_redact_gets_paths_and_texts() -> None:
    seen: dict[tuple[str | int, ...], str] = {}

    def note(path: tuple[str | int, ...], text: str) -> str:
        seen[path] = text
        return text

    assert report.html(session(), redact=note) == report.html(session())
    assert seen["turns", 0, "user"] == "Which boats cross tonight?"
    assert seen["turns", 0, "toolCalls", "find_boats", "result", 1, "boat"] == "Otter"
    assert seen["variables", "seat"] == "3 port"
    report.html(answers(), redact=note)
    assert seen["turns", 1, "results", "spring_loans", "rows", 0, "variety"] == "Scarlet runner"


def test_redacted_pages_hold_no_pictures_of_charts() -> None:
    page = report.html(answers(), redact=lambda path, text: text)
    assert "picture from the service" not in page
    assert "picture from the service" in report.html(answers())


def test_citations_of_redacted_words_keep_their_sources() -> None:
    page = parsed(report.html(answers(), redact=lambda path, text: f"{text}!"))
    assert "1. Loan book!" not in page.text
    assert page.text.count("Loan book!") == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hiding_rules", "expected MODULE:FUNCTION"),
        ("no_such_module:f", "No module named"),
        ("hiding_rules:missing", "has no attribute"),
        ("hiding_rules:NO_FUNCTION", "it is not a function"),
        ("hiding_rules:number", "must return a str; it returned int"),
        ("hiding_rules:fail", "failed at $.turns[0]"),
    ],
)
def test_a_wrong_redact_is_wrong_usage(name: str, said: str, rules: str) -> None:
    from cli.commands import failure_of

    status, reason = failure_of("report", "--redact", name, SESSION)
    assert status == 2
    assert said in reason
    assert reason.count("\n") == 1


def test_json_documents_keep_their_shape_when_redacted(rules: str) -> None:
    def shape(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items()}
        return [shape(item) for item in value] if isinstance(value, list) else type(value)

    for command, file in (("session", SESSION), ("answer", ANSWER)):
        plain = json.loads(output_of(command, "--json", file))
        hidden = json.loads(output_of(command, "--json", "--redact", rules, file))
        assert shape(hidden) == shape(plain)
