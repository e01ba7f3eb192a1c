"""Checks the arguments of the public functions."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from turnwire.errors import excerpt


def check_message_class(message_class: object) -> None:
    """Raises a TypeError, with advice, for anything but a class of protobuf messages."""
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
            f"expected a generated protobuf message class, got a message; pass its class, {name}"
        )
    if isinstance(message_class, str | bytes | bytearray | memoryview | dict | list):
        wrong, advice = type(message_class).__name__, "; the class comes first, then the data"
        if isinstance(message_class, str):
            wrong = f"the text {excerpt(message_class)}"
    else:
        wrong, advice = repr(message_class), ""
    raise TypeError(f"expected a generated protobuf message class, got {wrong}{advice}")


def check_message(message: object) -> None:
    """Raises a TypeError, with advice, for anything but a protobuf message."""
    if isinstance(message, Message):
        return
    name = type(message).__name__
    if callable(getattr(type(message), "pb", None)):
        raise TypeError(
            f"{name} is a proto-plus message; pass the protobuf message in it, {name}.pb(message)"
        )
    if isinstance(message, type):
        name = message.__name__
        raise TypeError(f"expected a protobuf message, got the class {name}; pass {name}()")
    advice = ""
    if isinstance(message, list | tuple):
        advice = "; print its messages one by one, or a stream of them with turnwire.write"
    raise TypeError(f"expected a protobuf message, got {name}{advice}")


def check_text(data: object) -> None:
    """Raises a TypeError, with advice, for anything but JSON text."""
    if isinstance(data, str | bytes | bytearray | memoryview):
        return
    name = type(data).__name__
    advice = "read it with from_dict, or ParseDict of json_format" if isinstance(data, dict) else ""
    if isinstance(data, list | tuple):
        advice = "call from_dict with each of its elements"
    elif callable(getattr(data, "read", None)):
        advice = "pass the text that its read() returns, or read a stream with turnwire.read"
    elif hasattr(data, "__fspath__"):
        advice = "pass its read_bytes(), or read a stream with turnwire.read"
    raise TypeError(f"expected JSON as str or bytes, got {name}" + (advice and f"; {advice}"))


def check_options(unknown: object, lossy_numbers: object) -> None:
    """Raises a ValueError for an option that does not exist."""
    if unknown not in ("error", "warn", "ignore") and not callable(unknown):
        choices = '"error", "warn", "ignore" or a callable'
        raise ValueError(f"unknown must be {choices}, not {unknown!r}")
    if lossy_numbers not in ("round", "error"):
        raise ValueError(f'lossy_numbers must be "round" or "error", not {lossy_numbers!r}')


def check_pool(pool: object) -> None:
    """Raises a TypeError for anything but a descriptor pool or None."""
    # The pool of a descriptor has another class than the one that protobuf publishes.
    if pool is not None and not hasattr(pool, "FindMessageTypeByName"):
        raise TypeError(f"pool must be a DescriptorPool, not {type(pool).__name__}")


def check_max_depth(max_depth: Any, limit: int) -> None:
    """Raises a ValueError for a depth that the runtime does not read, or that is not a number."""
    is_number = isinstance(max_depth, int) and not isinstance(max_depth, bool)
    if max_depth is not None and not (is_number and 0 <= max_depth <= limit):
        raise ValueError(f"max_depth must be a number from 0 to {limit}, not {max_depth!r}")


def check_indent(indent: Any) -> None:
    """Raises a ValueError for anything but None or a number of blanks."""
    is_number = isinstance(indent, int) and not isinstance(indent, bool)
    if indent is not None and not (is_number and indent >= 0):
        raise ValueError(f"indent must be a number of blanks, not {indent!r}")
