"""`turnwire help`: the pages of the site, for people without a browser."""

from __future__ import annotations

import argparse
import difflib
import os
import pydoc
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from turnwire._cli import standard
from turnwire._cli.failure import UsageError
from turnwire._cli.layout import styled
from turnwire._cli.manual import commands_of
from turnwire._cli.printing import print_lines
from turnwire._declarations import data_file
from turnwire.errors import excerpt

_FOLDERS = {"start": "Start", "": "Guides", "recipes": "Recipes"}
"""The heading of each folder of pages, in the order in which they are listed."""

_MAX_HINTS = 3
_MAX_WIDTH = 100

_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]*)\)")


def add(commands: Any, parser: argparse.ArgumentParser) -> None:
    """Adds the parser of the command.

    Args:
        commands: The commands.
        parser: The parser of the whole command line.
    """
    own = commands.add_parser(
        "help",
        help="show a page about a topic, or list the topics",
        description="Show a page of the documentation, or list the topics.",
        epilog="examples:\n  turnwire help\n  turnwire help streams\n  turnwire help convert\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    own.add_argument(
        "topic",
        nargs="?",
        metavar="TOPIC",
        help="a topic, or a command, whose options are shown (default: list the topics)",
    )
    own.set_defaults(run=partial(_help, parser))


def topics() -> dict[str, Path]:
    """Returns the pages by topic, in the order of the list.

    >>> topics()["streams"].name
    'streams.md'
    """
    root = data_file("docs", "docs")
    return {path.stem: path for name in _FOLDERS for path in sorted((root / name).glob("*.md"))}


def _help(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    pages, commands = topics(), dict(commands_of(parser))
    topic = arguments.topic
    if topic is not None and topic not in pages:
        topic = topic.lower()
    if topic is None:
        print_lines(_list(pages))
    elif topic in pages:
        _show(_text_of(pages[topic], pages))
    elif topic in commands:
        standard.stdout().write(commands[topic].format_help().encode())
    else:
        hint = _hint(topic, pages, commands)
        raise UsageError(
            f"no topic {excerpt(arguments.topic)}; {hint}turnwire help lists the topics"
        )


def _hint(topic: str, pages: dict[str, Path], commands: Iterable[str]) -> str:
    """Returns the topics with a similar name, or else the pages that use the word most."""
    if near := difflib.get_close_matches(topic, [*pages, *commands], n=_MAX_HINTS):
        return f"did you mean {' or '.join(near)}? "
    counts = Counter(
        {name: path.read_text("utf-8").lower().count(topic) for name, path in pages.items()}
    )
    using = [name for name, count in counts.most_common(_MAX_HINTS) if count]
    return f"pages that mention it: {', '.join(using)}; " if using else ""


def _list(pages: dict[str, Path]) -> Iterator[str]:
    width = max(map(len, pages))
    root = next(iter(pages.values())).parent.parent
    for folder, heading in _FOLDERS.items():
        yield styled(f"{heading}:", "label")
        for topic, path in pages.items():
            if path.parent == root / folder:
                title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
                yield f"  {topic:{width}}  {title}"
        yield ""
    yield "turnwire help TOPIC shows a page, turnwire help COMMAND the options of a command."


def _text_of(path: Path, pages: dict[str, Path]) -> str:
    """Returns a page in Markdown whose links name topics, since a terminal has no files to open."""

    def link(found: re.Match[str]) -> str:
        text, target = found.groups()
        if target.startswith("https:"):
            return f"{text} <{target}>"
        name, _, _ = target.partition("#")
        topic = Path(name).stem
        return f"{text} (`turnwire help {topic}`)" if name and topic in pages else text

    # Every other part is a block of code.
    parts = _FENCED.split(path.read_text(encoding="utf-8"))
    parts[::2] = [_LINK.sub(link, _COMMENT.sub("", part)) for part in parts[::2]]
    return "".join(parts)


def _show(text: str) -> None:
    """Writes a page; on a terminal through a pager, and rendered by rich where it is installed."""
    width = standard.screen_width()
    if width is None:
        standard.stdout().write(text.encode())
        return
    # Colours pass, and a page that fits the screen needs no key.
    os.environ.setdefault("LESS", "FRX")
    pydoc.pager(rendered(text, min(width, _MAX_WIDTH)))


def rendered(text: str, width: int) -> str:
    """Returns Markdown as lines for a terminal; as it is where rich is not installed."""
    with suppress(ImportError):
        from rich.console import Console
        from rich.markdown import Markdown
        from rich.theme import Theme

        # The default has a black background, on light terminals too.
        console = Console(width=width, theme=Theme({"markdown.code": "cyan"}))
        with console.capture() as captured:
            console.print(Markdown(text, code_theme="ansi_dark", hyperlinks=False))
        return captured.get()
    return text
