"""What a public function says of an argument of a class that it does not take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from google.protobuf.message import Message


def require(value: object, *classes: type) -> None:
    """Raises the TypeError of `wrong_class` for an object that is of none of these classes."""
    if not isinstance(value, classes):
        raise wrong_class(value, *classes)


def wrong_class(value: object, *expected: type | str) -> TypeError:
    """The error for an object of a class that is not taken, with what to do about it.

    Args:
        value: The object.
        expected: The classes that are taken, the built-in ones first, or words for them.

    >>> wrong_class({}, "a message of turnwire.ces").args[0]
    'expected a message of turnwire.ces, got dict; parse JSON with turnwire.from_json or \
turnwire.read first'
    """
    wrong = f"expected {_named(expected)}, got {_full_name(type(value))}"
    if isinstance(value, Message) and not type(value).__module__.startswith("turnwire_schema."):
        theirs = "Message.FromString(theirs.SerializeToString())"
        return TypeError(f"{wrong}; a message of another library comes over as bytes: {theirs}")
    if hasattr(type(value), "pb"):
        return TypeError(f"{wrong}; of a proto-plus message, parse type(item).serialize(item)")
    if isinstance(value, dict | str | bytes):
        return TypeError(f"{wrong}; parse JSON with turnwire.from_json or turnwire.read first")
    return TypeError(wrong)


def holds_items(value: object) -> bool:
    """Whether it is an iterable whose items may be messages, and not one of characters or keys."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _named(expected: tuple[type | str, ...]) -> str:
    """Classes in words, such as ``a ToolCall or ToolResponse of turnwire.ces``."""
    *others, last = [each if isinstance(each, str) else each.__name__ for each in expected]
    names = f"{', '.join(others)} or {last}" if others else last
    if isinstance(expected[-1], str):
        return names
    # Both the messages and the views are public in the package of their API.
    package, _, below = expected[-1].__module__.partition(".")
    place = f" of turnwire.{below.partition('.')[0]}" if package.startswith("turnwire") else ""
    return f"{'an' if names[0] in 'AEIOU' else 'a'} {names}{place}"


def _full_name(found: type) -> str:
    module = "" if found.__module__ == "builtins" else f"{found.__module__}."
    return f"{module}{found.__qualname__}"
