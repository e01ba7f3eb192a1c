"""Checks what the public functions are called with."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message


def check_message_class(message_class: object) -> None:
    """Raises a TypeError, with advice, for what is no class of protobuf messages."""
    if isinstance(message_class, type) and issubclass(message_class, Message):
        if getattr(message_class, "DESCRIPTOR", None) is not None:
            return
    elif callable(getattr(message_class, "pb", None)):
        name = getattr(message_class, "__name__", "MessageClass")
        raise TypeError(
            f"{name} is a proto-plus class; pass the protobuf class below it, {name}.pb()"
        )
    if isinstance(message_class, Message):
        name = type(message_class).__name__
        raise TypeError(
            f"expected a generated protobuf message class, got a {name}; pass its class"
        )
    raise TypeError(f"expected a generated protobuf message class, got {message_class!r}")


def check_message(message: object) -> None:
    """Raises a TypeError, with advice, for what is no protobuf message."""
    if isinstance(message, Message):
        return
    name = type(message).__name__
    if callable(getattr(type(message), "pb", None)):
        raise TypeError(
            f"{name} is a proto-plus message; pass the protobuf message in it, {name}.pb(message)"
        )
    raise TypeError(f"expected a protobuf message, got {name}")


def check_options(unknown: object, lossy_numbers: object) -> None:
    """Raises a ValueError for an option that does not exist."""
    if unknown not in ("error", "ignore") and not callable(unknown):
        raise ValueError(f'unknown must be "error", "ignore" or a callable, not {unknown!r}')
    if lossy_numbers not in ("round", "error"):
        raise ValueError(f'lossy_numbers must be "round" or "error", not {lossy_numbers!r}')


def check_indent(indent: Any) -> None:
    """Raises a ValueError for an indent that is no number of blanks."""
    is_number = isinstance(indent, int) and not isinstance(indent, bool)
    if indent is not None and not (is_number and indent >= 0):
        raise ValueError(f"indent must be a number of blanks, not {indent!r}")
