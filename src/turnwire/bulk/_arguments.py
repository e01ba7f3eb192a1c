"""Checks of the arguments of `convert`, and what they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from google.protobuf.message import Message

from turnwire import ces
from turnwire.bulk._tables import table_names
from turnwire.bulk._tabulating import Cut
from turnwire.bulk._texts import check_format
from turnwire.protojson._arguments import check_message_class

Tables = str | Sequence[str] | None
"""The names of tables; None for messages."""

Unknown = Literal["error", "ignore"]
"""The treatment of unknown fields: the row has an error, or they are left out."""


def check_options(message_class: object, format: object, unknown: object) -> None:
    """Raises a TypeError or a ValueError for a class or an option that does not exist."""
    check_message_class(message_class)
    check_format(format)
    if unknown not in get_args(Unknown):
        raise ValueError(f'unknown must be "error" or "ignore", not {unknown!r}')


def check_column(input_schema: Any, column: str) -> None:
    """Raises a ValueError unless a schema has exactly one column of a name."""
    count = input_schema.names.count(column)
    if count != 1:
        found = ", ".join(map(repr, input_schema.names)) if count == 0 else f"{count} of them"
        raise ValueError(f"expected a column {column!r}, got {found}")


def checked_tables(message_class: type[Message], tables: object) -> tuple[str, ...]:
    """Returns the names of tables, all of which the messages of a class must give."""
    known = table_names(message_class)
    names = (tables,) if isinstance(tables, str) else tables
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"tables must be names of tables, such as ('turns',); got {tables!r}")
    for name in names:
        if name not in known:
            full_name = message_class.DESCRIPTOR.full_name
            raise ValueError(f"{full_name} gives the tables {', '.join(known)}, not {name!r}")
    if not names or len(set(names)) != len(names):
        raise ValueError(f"tables must be names that differ, at least one; got {tables!r}")
    return tuple(names)


def checked_cut(
    message_class: type[Message], conversation: str | None, turn: str | None, max_open: int
) -> Cut:
    """Returns the cut into conversations, or raises a ValueError for one that is impossible."""
    if conversation is None and message_class is not ces.Conversation:
        raise ValueError(
            f"a {message_class.__name__} does not say which conversation it belongs to: name the "
            "column that does, such as conversation='session_id', or a column of file names"
        )
    if turn is not None and message_class is not ces.Message:
        raise ValueError(f"turn is for ces.Message, not for {message_class.DESCRIPTOR.full_name}")
    if isinstance(max_open, bool) or not isinstance(max_open, int) or max_open < 1:
        raise ValueError(f"max_open must be a number from 1, not {max_open!r}")
    return Cut(conversation, turn, max_open)
