"""The texts of a column, taken out of the objects around them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

from turnwire.arrow._options import pyarrow
from turnwire.bulk._problems import Problem
from turnwire.errors import ParseError, Path
from turnwire.streams._members import parts_at

Format = Literal["auto", "json", "wire"]
"""The content of a column: by its type, JSON texts, or messages in wire format."""


class Texts(NamedTuple):
    """The texts of a piece: one or more for each row.

    Attributes:
        array: The texts; null where a row has none.
        rows: The row of each text; None if each row has exactly one.
        paths: The path of each text in its row; None if all texts are whole rows.
        problems: The problems of rows without a text, by the index of the text.
    """

    array: Any
    rows: list[int] | None
    paths: list[Path] | None
    problems: dict[int, Problem]


def check_format(format: object) -> None:
    """Raises a ValueError for a format that does not exist."""
    if format not in get_args(Format):
        raise ValueError(f'format must be "auto", "json" or "wire", not {format!r}')


def holds_json(kind: Any, format: Format) -> bool:
    """Returns whether a column of a type holds JSON texts.

    Raises:
        TypeError: It holds neither texts nor bytes, or texts where wire format is named.
    """
    types = pyarrow().types
    kind = getattr(kind, "storage_type", kind)
    if types.is_dictionary(kind):
        kind = kind.value_type
    if types.is_null(kind):  # as a column without any value has it
        return format != "wire"
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        if format == "wire":
            raise TypeError(f'format="wire" needs a column of binary values, got one of {kind}')
        return True
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind):
        return format == "json"
    raise TypeError(f"expected a column of strings or binary values, got one of {kind}")


def stored(column: Any) -> Any:
    """Returns the values that an extension type, such as that of JSON, is stored as."""
    return getattr(column, "storage", column)


def texts_of(column: Any, at: tuple[str, ...]) -> Texts:
    """Returns the JSON texts of a column, or those at a path in them.

    A list at the path holds several texts; a row with an empty list has one that is null.
    """
    pa = pyarrow()
    if not at:
        return _whole_texts(column)
    texts: list[str | None] = []
    rows: list[int] = []
    paths: list[Path] = []
    problems: dict[int, Problem] = {}

    def add(row: int, text: str | None, path: Path = ()) -> None:
        texts.append(text)
        rows.append(row)
        paths.append(path)

    for row, value in enumerate(column.cast(pa.large_binary()).to_pylist()):
        count = len(texts)
        try:
            for part in parts_at(value, at) if value is not None else ():
                path: Path = part.path
                add(row, part.text.decode(), path)
        except ParseError as error:
            problems[len(texts)] = Problem.of(error)
            add(row, None)
        except UnicodeDecodeError as error:
            problems[len(texts)] = Problem("encoding", "$", f"expected UTF-8: {error.reason}")
            add(row, None)
        if len(texts) == count:
            add(row, None)
    return Texts(pa.array(texts, pa.large_string()), rows, paths, problems)


def _whole_texts(column: Any) -> Texts:
    pa = pyarrow()
    problems: dict[int, Problem] = {}
    try:
        return Texts(column.cast(pa.large_string()), None, None, problems)
    except pa.ArrowInvalid:
        texts: list[str | None] = []
        for row, value in enumerate(column.to_pylist()):
            try:
                texts.append(None if value is None else value.decode())
            except UnicodeDecodeError as error:
                reason = f"expected UTF-8, got bytes that are not ({error.reason})"
                problems[row] = Problem("encoding", "$", reason)
                texts.append(None)
        return Texts(pa.array(texts, pa.large_string()), None, None, problems)
