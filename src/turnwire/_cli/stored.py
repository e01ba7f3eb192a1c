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
        TurnwireError: There is none of that name, or there are several. Those without a name are
            parts of one, as they are for `Session.collect`.
    """
    others: dict[str, None] = {}
    chosen: str | None = None
    for place, item in enumerate(items):
        stored = item.name if isinstance(item, ces.Conversation) and item.ByteSize() else None
        if name is not None and (stored is None or name not in (stored, stored.rpartition("/")[2])):
            if stored and len(others) <= _MAX_NAMES:
                others[stored] = None
            continue
        if stored is not None and chosen is not None and stored != chosen:
            raise TurnwireError(_several(chosen, stored, name), kind="value")
        chosen = chosen if stored is None else stored
        yield place, item
    if name is not None and chosen is None:
        held = _shown(others) if others else "no stored conversation with a name"
        raise TurnwireError(f"no conversation {excerpt(name)}; it holds {held}", kind="value")


def _several(first: str, second: str, name: str | None) -> str:
    if not first or not second:
        return "it holds several conversations, of which one has no name; give each its own file"
    both = f"{excerpt(first)} and {excerpt(second)}"
    if name is not None:
        return f"{both} end in {excerpt(name)}: say the whole name"
    return f"it holds several conversations, such as {both}: say --conversation NAME"


def _shown(names: dict[str, None]) -> str:
    more = ", …" if len(names) > _MAX_NAMES else ""
    return ", ".join(excerpt(name) for name in islice(names, _MAX_NAMES)) + more
