"""Reads all messages of an input, and shows those before an error too."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeVar

from google.protobuf.message import Message

from turnwire._cli.failure import InputError, named
from turnwire._cli.files import shown
from turnwire._cli.formats import format_of_input, read_messages
from turnwire._cli.unknown import Unknown

M = TypeVar("M", bound=Message)


@contextmanager
def collected(message_class: type[M], arguments: argparse.Namespace) -> Generator[list[M]]:
    """The messages of the input; an error in it is raised after the block."""
    name = arguments.input
    format = arguments.source or format_of_input(name)
    unknown = Unknown(arguments.unknown, shown(name))
    messages: list[M] = []
    failed: InputError | None = None
    try:
        with named(shown(name)):
            messages.extend(read_messages(message_class, name, format, unknown))
    except InputError as error:
        failed = error
    yield messages
    if failed is not None:
        raise failed
