"""Picks one of the stored conversations that an input holds."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from google.protobuf.message import Message

from turnwire import ces
from turnwire.errors import TurnwireError, excerpt

M = TypeVar("M", bound=Message)

_MAX_NAMES = 3


def add_conversation(parser: argparse.ArgumentParser) -> None:
    """Adds the argument that names a stored conversation."""
    parser.add_argument(
        "--conversation",
        metavar="NAME",
        help="the conversation to show, where several are stored in the input: its name, or the "
        "last part of it",
    )


def of_one_conversation(items: Iterable[M], name: str | None) -> Iterator[tuple[int, M]]:
    """Yields the items of one conversation, each after its place among all of them.

    Args:
        items: Messages of a recording.
        name: The name of the conversation, or its last part; None for the only one.

    Raises:
        TurnwireError: There is none of that name, or there are several and no name.
    """
    names: dict[str, None] = {}
    found = False
    for place, item in enumerate(items):
        stored = item.name if isinstance(item, ces.Conversation) else ""
        if stored:
            names[stored] = None
        if name is not None and name not in (stored, stored.rpartition("/")[2]):
            continue
        if name is None and stored and len(names) > 1:
            reason = f"it holds several conversations, {_shown(names)}: say --conversation NAME"
            raise TurnwireError(reason, kind="value")
        found = True
        yield place, item
    if name is not None and not found:
        others = f"it holds {_shown(names)}" if names else "it holds no stored conversations"
        raise TurnwireError(f"no conversation {excerpt(name)}; {others}", kind="value")


def _shown(names: dict[str, None]) -> str:
    more = ", …" if len(names) > _MAX_NAMES else ""
    return ", ".join(excerpt(name) for name in islice(names, _MAX_NAMES)) + more
