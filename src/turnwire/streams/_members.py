"""Finds messages that stand inside of other JSON: the values at a path of member names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from google.protobuf.struct_pb2 import Value

from turnwire.errors import ParseError, Path, excerpt
from turnwire.protojson import from_json
from turnwire.streams._machine import BLANKS
from turnwire.streams._steps import Malformed, items_of, members_of

_KINDS = {b"t": "boolean", b"f": "boolean", b"n": "null", b'"': "string"}
_KINDS |= dict.fromkeys((b"%c" % digit for digit in b"-0123456789"), "number")

At = str | Sequence[str] | None
"""A path of member names: a str with dots between them, or a sequence of them."""


class Part(NamedTuple):
    """A JSON text inside of another.

    Attributes:
        path: Where it stands: member names and indices.
        text: The text.
        offset: Where it begins in the outer text, in bytes; None if it was in a string.
    """

    path: Path
    text: bytes
    offset: int | None


def names_of(at: object) -> tuple[str, ...]:
    """Returns the names of a path, of which there are none for None.

    Raises:
        TypeError: It is neither a str nor a sequence of them.
        ValueError: A name is empty.

    >>> names_of("jsonPayload.frames"), names_of(("labels", "a.b"))
    (('jsonPayload', 'frames'), ('labels', 'a.b'))
    """
    if at is None:
        return ()
    names = at.split(".") if isinstance(at, str) else at
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise TypeError(f'at must be a path of member names, such as "jsonPayload"; got {at!r}')
    if not names or not all(names):
        raise ValueError(f"at must be a path of member names, none of them empty; got {at!r}")
    return tuple(names)


def parts_at(text: bytes, names: tuple[str, ...]) -> Iterator[Part]:
    r"""Yields the values at a path; of a list on the way each item, and JSON text in a string.

    Raises:
        ParseError: The member is missing, or the text is not JSON.

    >>> [part.text for part in parts_at(b'{"rows": [{"m": {"a": 1}}, {"m": "{\\"b\\": 2}"}]}', ("rows", "m"))]
    [b'{"a": 1}', b'{"b": 2}']
    """  # noqa: E501
    yield from _parts(Part((), text.strip(BLANKS), 0), names)


def _parts(part: Part, names: tuple[str, ...]) -> Iterator[Part]:
    part = _unquoted(part)
    if part.text.startswith(b"["):
        items = enumerate(items_of(part.text))
        while True:
            try:
                index, (start, end) = next(items, (-1, (0, 0)))
            except Malformed:
                raise _malformed(part) from None
            if index < 0:
                return
            yield from _parts(_inner(part, index, start, end), names)
    elif not names:
        yield part
    elif not part.text.startswith(b"{"):
        kind = _KINDS.get(part.text[:1])
        if kind is None:
            raise _malformed(part)
        raise ParseError(
            f"expected an object with a member {excerpt(names[0])}, got {kind}",
            kind="type",
            path=part.path,
        )
    else:
        try:
            found = [place for name, *place in members_of(part.text) if name == names[0]]
        except Malformed:
            raise _malformed(part) from None
        if len(found) != 1:
            problem = "an object without it" if not found else f"{len(found)} of them"
            raise ParseError(
                f"expected a member {excerpt(names[0])}, got {problem}",
                kind="duplicate" if found else "value",
                path=part.path,
            )
        start, end = found[0]
        yield from _parts(_inner(part, names[0], start, end), names[1:])


def _inner(part: Part, step: str | int, start: int, end: int) -> Part:
    offset = None if part.offset is None else part.offset + start
    return Part((*part.path, step), part.text[start:end], offset)


def _unquoted(part: Part) -> Part:
    """Returns the JSON text in a string, if it holds an object or an array."""
    if not part.text.startswith(b'"'):
        return part
    try:
        text: str = json.loads(part.text)
    except ValueError:
        return part
    inner = text.encode("utf-8", "surrogatepass").strip(BLANKS)
    return Part(part.path, inner, None) if inner.startswith((b"{", b"[")) else part


def _malformed(part: Part) -> ParseError:
    """Returns the error of the JSON reader for the text of a part."""
    try:
        from_json(Value, part.text)
    except ParseError as error:
        error.path = (*part.path, *error.path)
        return error
    return ParseError("expected JSON, got text that is none", kind="syntax", path=part.path)
