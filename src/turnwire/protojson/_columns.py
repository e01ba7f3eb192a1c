"""Columns: which members of a Struct make a row, in which order, and how they are cast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

Cast = Callable[[Any], Any]
"""Takes a plain JSON value that is not None and gives the typed one."""

Form = Literal[
    "integer",
    "double",
    "exact_double",
    "boolean",
    "yes_no",
    "decimal",
    "date",
    "time",
    "datetime",
    "instant",
    "bytes",
    "text",
]
"""The promise of a cast about ordinary values, so that the core may convert them without a call:

- ``integer``: the whole number or the plain digits of one, in 64 bits, become that int
- ``double``: the number or the JSON text of one, where it is finite as a float, becomes that float
- ``exact_double``: the same, where the float has these digits as its shortest ones
- ``boolean``: the boolean, or its name in ASCII letters of any case, becomes that bool
- ``yes_no``: a boolean as well, or ``yes`` and ``no``
- ``decimal``: the JSON text of a number becomes the Decimal with these digits
- ``date``, ``time``, ``datetime``: ISO 8601 with at most six digits of a second, without a zone
- ``instant``: a datetime with a zone behind it, which is UTC if there is none
- ``bytes``: base64 in the standard alphabet, with padding, becomes bytes
- ``text``: a string stays one
"""


class Column(NamedTuple):
    """One column of rows; no two columns have one name."""

    name: str
    """The member of the Struct."""
    cast: Cast | None = None
    """Converts each value, without an effect on anything else; None leaves values as they are."""
    form: Form | None = None
    """The promise of the cast, if it gives one."""


def row_maker(columns: Sequence[Column]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Returns a function that makes a row of a plain JSON object, which it may change and return.

    The row has the columns in their order; None where the object has no such member.

    >>> make = row_maker([Column("station"), Column("rides", int, "integer")])
    >>> make({"rides": "7", "open": True})
    {'station': None, 'rides': 7}
    """
    names = [column.name for column in columns]
    casts = [(column.name, column.cast) for column in columns if column.cast is not None]

    def make_row(members: dict[str, Any]) -> dict[str, Any]:
        # An object that is complete and in order, as most are, stays what it is.
        row = members if list(members) == names else {name: members.get(name) for name in names}
        for name, cast in casts:
            if (value := row[name]) is not None:
                row[name] = cast(value)
        return row

    return make_row
