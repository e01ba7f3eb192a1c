"""Reads the messages of the input that the arguments of a command name."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

from google.protobuf.message import Message

from turnwire._cli.failure import InputError, named
from turnwire._cli.files import shown
from turnwire._cli.formats import format_of_input, read_messages
from turnwire._cli.unknown import Unknown

M = TypeVar("M", bound=Message)


def messages_of(message_class: type[M], arguments: argparse.Namespace) -> Iterator[M]:
    """The messages of the input that the arguments name, one by one."""
    name = arguments.input
    format = arguments.source or format_of_input(name)
    unknown = Unknown(arguments.unknown, shown(name))
    with named(shown(name)):
        yield from read_messages(message_class, name, format, unknown)


@contextmanager
def collected(message_class: type[M], arguments: argparse.Namespace) -> Generator[list[M]]:
    """All messages of the input; an error in it is raised after the block."""
    messages: list[M] = []
    failed: InputError | None = None
    try:
        for message in messages_of(message_class, arguments):
            messages.append(message)
    except InputError as error:
        failed = error
    yield messages
    if failed is not None:
        raise failed
