"""`turnwire report`: writes a conversation as a page or as Markdown."""

from __future__ import annotations

import argparse
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from turnwire import ces, report
from turnwire._cli.arguments import add_source, one_of
from turnwire._cli.failure import UsageError
from turnwire._cli.files import STANDARD, sink_of, suffix_of
from turnwire._cli.reading import Findings, Mark, recorded
from turnwire._cli.recordings import ANSWERS, CONVERSATIONS, answers_in
from turnwire._cli.redacting import add_redact
from turnwire._cli.stored import add_conversation, of_one_conversation
from turnwire._shown import utf8
from turnwire.errors import excerpt
from turnwire.report import Problem

EPILOG = """\
examples:
  turnwire report session.ndjson -o session.html
  turnwire report answer.json -o answer.md
  turnwire report session.ndjson.gz --no-media --redact rules:hide -o page.html
  turnwire report conversations.ndjson --conversation c-1024 -o page.html
  curl ... | turnwire report - --to markdown
"""
_FORMS = {"html": report.html, "markdown": report.markdown}
_SUFFIXES = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown"}


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "report",
        help="write a session or answers as a page of HTML or as Markdown",
        description="Write a recorded conversation of either API as one page, which loads nothing "
        "and runs no script, or as Markdown. After an error in the recording, the page has all "
        "that came before, and the error at its place.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_source(parser, unknown_default="warn")
    parser.add_argument(
        "--type",
        dest="message_class",
        type=one_of(CONVERSATIONS.types),
        metavar="NAME",
        help="the type of the messages, such as ces.Message (default: by the first one's names)",
    )
    add_conversation(parser)
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUTPUT",
        default=STANDARD,
        help="a file, which appears only when it is complete; its suffix tells the form: .html or "
        ".md (default: stdout, as HTML)",
    )
    parser.add_argument("--to", dest="target", choices=_FORMS, help="the form of the output")
    parser.add_argument("--title", help="the heading (default: the number of turns)")
    parser.add_argument(
        "--no-charts",
        dest="charts",
        action="store_false",
        help="do not draw charts: show their data",
    )
    parser.add_argument(
        "--no-media",
        dest="media",
        action="store_false",
        help="leave images and audio out, with a note of type and size",
    )
    parser.add_argument(
        "--audio",
        type=_audio_config,
        metavar="ENCODING:HERTZ",
        help="the encoding of a session's audio, such as LINEAR16:16000, which responses do not "
        "name; without it raw audio cannot be played",
    )
    add_redact(parser)
    parser.set_defaults(run=_write)


def _write(arguments: argparse.Namespace) -> None:
    target: str | None = arguments.target or _SUFFIXES.get(suffix_of(arguments.output))
    if target is None:
        if arguments.output != STANDARD:
            reason = "its suffix is not .html or .md; say the form with --to"
            raise UsageError(f"{arguments.output}: {reason}")
        target = "html"
    findings = Findings()
    with recorded(CONVERSATIONS, arguments, findings) as messages:
        places, items = _chosen(messages, arguments.conversation)
        marks = [Mark(bisect_left(places, mark.after), mark.text) for mark in findings.errors]
        view, problems = _view_of(items, marks, arguments.audio)
        text = _FORMS[target](
            view,
            title=arguments.title,
            charts=arguments.charts,
            media=arguments.media,
            redact=arguments.redact,
            problems=problems,
            left_out=findings.unknown,
        )
        with sink_of(arguments.output) as sink:
            sink.write(utf8(text))


def _chosen(messages: Iterable[Any], name: str | None) -> tuple[list[int], list[Any]]:
    """Returns the messages of one conversation, after their places among all."""
    chosen = [*of_one_conversation(messages, name)]
    return [place for place, _ in chosen], [message for _, message in chosen]


def _audio_config(text: str) -> ces.SessionConfig:
    name, _, hertz = text.partition(":")
    encodings = ces.AudioEncoding.keys()[1:]
    if name not in encodings or not hertz.isdecimal():
        expected = f"one of {', '.join(encodings)} and a rate, such as LINEAR16:16000"
        raise argparse.ArgumentTypeError(f"expected {expected}; got {excerpt(text)}")
    return ces.SessionConfig(
        output_audio_config=ces.OutputAudioConfig(
            audio_encoding=ces.AudioEncoding.Value(name), sample_rate_hertz=int(hertz)
        )
    )


def _view_of(
    items: list[Any], marks: Sequence[Mark], audio: ces.SessionConfig | None
) -> tuple[report.View, list[Problem]]:
    """Returns the view of the messages of either API, and the places of errors in it."""
    if not items or not isinstance(items[0], tuple(ANSWERS.types)):
        return _session_of(items, marks, audio)
    answers = answers_in(items)
    ends = [*accumulate(len(answer.messages) for answer in answers)]
    return answers, [_in_answers(ends, mark) for mark in marks]


def _session_of(
    items: Sequence[ces.SessionItem], marks: Sequence[Mark], audio: ces.SessionConfig | None
) -> tuple[ces.Session, list[Problem]]:
    builder, turns = ces.SessionBuilder(), set[int]()
    problems: list[Problem] = []
    if audio is not None:
        builder.add(ces.RunSessionRequest(config=audio))
    start = 0
    for mark in marks:
        for item in items[start : mark.after]:
            turns.update(turn.index for turn in builder.add(item).turns)
        start = mark.after
        problems.append(Problem(mark.text, len(turns) - 1 if turns else None))
    builder.extend(items[start:])
    return builder.session, problems


def _in_answers(ends: Sequence[int], mark: Mark) -> Problem:
    if not ends:
        return Problem(mark.text)
    turn = next((turn for turn, end in enumerate(ends) if mark.after < end), len(ends) - 1)
    return Problem(mark.text, turn, mark.after - (ends[turn - 1] if turn else 0))
