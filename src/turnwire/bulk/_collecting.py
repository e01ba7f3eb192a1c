"""The tables of messages that are at hand, without batches around them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from google.protobuf.message import Message

from turnwire._arguments import wrong_class
from turnwire.arrow._options import pyarrow
from turnwire.bulk._arguments import checked_tables
from turnwire.bulk._tables import Row, rows_of, schema_of, table_names

if TYPE_CHECKING:
    import pyarrow as pa


def tables(
    message_class: type[Message],
    messages: Iterable[Message],
    *,
    conversation: str = "",
    names: Iterable[str] | None = None,
) -> dict[str, pa.Table]:
    """Returns the tables of one conversation; see `TABLES` for their columns.

    Args:
        message_class: The class of the messages.
        messages: The messages, in the order of time.
        conversation: The name of the conversation, for the column of that name.
        names: The names of tables; None for all that the messages give.

    Returns:
        The tables by their names. One without rows has its columns.

    Raises:
        MissingExtra: pyarrow is not installed.
        SerializeError: A value has no place in its column, such as a NaN in JSON.
        TypeError: A conversation is not made of such messages, or a message is of another class.
        ValueError: The messages do not give a table of that name.

    >>> from turnwire import bulk, ces
    >>> outputs = [ces.SessionOutput(turn_index=1, text="Ahoy!", turn_completed=True)]
    >>> found = bulk.tables(ces.SessionOutput, outputs, conversation="s-1")
    >>> found["turns"].select(["conversation", "turn", "reply"]).to_pylist()
    [{'conversation': 's-1', 'turn': 1, 'reply': 'Ahoy!'}]
    """
    chosen = table_names(message_class) if names is None else tuple(names)
    checked_tables(message_class, chosen)
    items = list(messages)
    for item in items:
        if not isinstance(item, message_class):
            raise wrong_class(item, message_class)
    rows: dict[str, list[Row]] = {name: [] for name in chosen}
    for name, row in rows_of(message_class, chosen, items):
        rows[name].append((conversation, *row))
    return {name: _table_of(name, found) for name, found in rows.items()}


def _table_of(name: str, rows: list[Row]) -> pa.Table:
    arrow = pyarrow()
    schema = schema_of(name)
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [
        arrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)
    ]
    table: pa.Table = arrow.Table.from_arrays(arrays, schema=schema)
    return table
