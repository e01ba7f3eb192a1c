"""The tables that conversations give: their schemas, and the rows of one conversation."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from google.protobuf.message import Message

from turnwire._apis import APIS
from turnwire.bulk._tables.cells import Row
from turnwire.bulk._tables.columns import TABLES, Column, Table, schema_of

__all__ = ["TABLES", "Column", "Row", "Table", "rows_of", "schema_of", "table_names"]


def table_names(message_class: type[Message]) -> tuple[str, ...]:
    """Returns the names of the tables that messages of a class give.

    Raises:
        TypeError: A conversation is not made of such messages.

    >>> from turnwire import ces
    >>> table_names(ces.RunSessionResponse)[:3]
    ('conversations', 'turns', 'messages')
    """
    return tuple(_module_of(message_class).ROWS)  # type: ignore[arg-type]  # it is hashable


def rows_of(
    message_class: type[Message], names: Sequence[str], items: Sequence[Message]
) -> Iterator[tuple[str, Row]]:
    """Yields the rows of some tables, each after the name of its table.

    Args:
        message_class: The class of the messages that were recorded.
        names: The tables.
        items: The messages of one conversation, in order.

    Raises:
        SerializeError: A value has no place in its column, such as a NaN in JSON.
    """
    module = _module_of(message_class)  # type: ignore[arg-type]  # it is hashable
    recorded = module.Recorded(items)
    for name in names:
        for row in module.ROWS[name](recorded):
            yield name, row


@lru_cache(maxsize=64)
def _module_of(message_class: type[Message]) -> Any:
    """Returns the module of the rows of an API: it has the name of the API's alias."""
    full_name = message_class.DESCRIPTOR.full_name
    for api in APIS:
        if full_name.startswith(f"{api.package}."):
            module = importlib.import_module(f"{__name__}.{api.alias}")
            if module.takes(message_class):
                return module
    raise TypeError(f"expected a class of messages that make a conversation, got {full_name}")
