"""Arguments that name things of the schema; a wrong one is wrong usage, with the nearest name."""

from __future__ import annotations

import argparse

from google.protobuf.message import Message

from turnwire import schema


def message_type(name: str) -> type[Message]:
    """The message class that a short or full name means."""
    try:
        return schema.message_class(name)
    except schema.UnknownNameError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def declaration_name(name: str) -> str:
    """A name that the schema declares."""
    try:
        schema.comment_of(name)
    except schema.UnknownNameError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return name
