"""Tells a recording by the names in its first objects, before its messages are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from typing import TypeVar

from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message

from turnwire import streams
from turnwire._cli.formats import AUTO, framing_of
from turnwire._cli.lines import may_be_wire
from turnwire._cli.pieces import Pieces
from turnwire._cli.recordings import Recordings
from turnwire.errors import Path, TurnwireError
from turnwire.streams._members import parts_at
from turnwire.streams._refusals import json_value
from turnwire.streams._wrapped import wrapping_of

M = TypeVar("M", bound=Message)
_MAX_PEEKED = 100
_MAX_NAMES = 10_000


def names_in(source: Pieces, format: str, at: str | None, recordings: Recordings[M]) -> set[str]:
    """Returns the names of the members of the first JSON object that has one that is known.

    Objects of a newer service may come before it. Without such an object, all names are
    returned; none in the wire format.
    """
    framing = framing_of(format)
    if framing in (None, "delimited"):
        return set()
    depth = len(_steps_of(at))
    names: set[str] = set()

    def note(path: Path) -> None:
        name = _member_in(path, depth)
        if name and len(names) < _MAX_NAMES:
            names.add(name)

    # This message knows no name at all.
    messages = streams.read(Empty, source, format=framing, at=at, unknown=note, on_error="skip")
    seen: set[str] = set()
    with_names = 0
    with closing(messages), suppress(TurnwireError):
        for _ in messages:
            if format == AUTO and may_be_wire(source.start):
                break
            if recordings.some_command_knows(names):
                return names
            seen |= names
            with_names += bool(names)
            names.clear()
            if with_names == _MAX_PEEKED:
                break
    return seen


def refuse_wrapped(source: Pieces, format: str, at: str | None, recordings: Recordings[M]) -> None:
    """Checks that the first object does not hold messages in one of its members.

    Raises:
        TurnwireError: It does; the text gives the option that reads them.
    """
    framing = framing_of(format)
    if framing is None:
        return
    source.rewind()
    text = next(_objects_in(source, framing, tuple(_steps_of(at))), b"")
    for message_class in recordings.types:
        knows = partial(_has_member, message_class)
        value = json_value(text, knows)
        wrapping = wrapping_of(value, knows) if isinstance(value, dict) else None
        if wrapping is not None:
            advice = wrapping._replace(at=(*_steps_of(at), *wrapping.at)).advice
            raise TurnwireError(advice, kind="wrapped")


def _objects_in(source: Pieces, framing: streams.Format, at: tuple[str, ...]) -> Iterator[bytes]:
    """Yields the text of each object at a path, up to an error of the framing."""
    for element in _elements_in(source, framing):
        with suppress(TurnwireError):
            yield from (part.text for part in parts_at(element, at) if part.text[:1] == b"{")


def _elements_in(source: Pieces, framing: streams.Format) -> Iterator[bytes]:
    framer = streams.Framer(framing)
    with suppress(TurnwireError):
        while piece := source.read(0):
            yield from framer.feed(piece)
        yield from framer.close()


def _has_member(message_class: type[Message], name: str) -> bool:
    fields = message_class.DESCRIPTOR.fields
    return any(name in (field.name, field.json_name) for field in fields)


def _steps_of(at: str | None) -> list[str]:
    return [] if at is None else at.split(".")


def _member_in(path: Path, depth: int) -> str | None:
    """Returns the first name of a path below `depth` names; None after the last."""
    names = [step for step in path if isinstance(step, str)]
    return names[depth] if len(names) > depth else None
