"""Checks the classes of arguments and makes the errors for wrong ones."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Iterator, Mapping

from google.protobuf.message import Message

from turnwire._apis import APIS, ROOT, mirror_name_of


def require(value: object, *classes: type) -> None:
    """Raises the TypeError of `wrong_class` unless the object is of one of these classes."""
    if not isinstance(value, classes):
        raise wrong_class(value, *classes)


def wrong_class(value: object, *expected: type | str) -> TypeError:
    """Returns the error for an object of a wrong class, with what to do about it.

    Args:
        value: The object.
        expected: The classes that are accepted, the built-in ones first, or words for them.

    >>> wrong_class({}, "a message of turnwire.ces").args[0]
    'expected a message of turnwire.ces, got dict; parse JSON with turnwire.from_json or \
turnwire.read first'
    """
    wrong = f"expected {_named(expected)}, got {_class_name_of(value)}"
    if isinstance(value, Message):
        name = value.DESCRIPTOR.full_name
        if not name.startswith(f"{ROOT}."):
            ours = _our_class_for(name)
            return TypeError(f"{wrong}; convert it: {ours}.FromString(theirs.SerializeToString())")
    elif (theirs := _proto_plus_name_of(value)) is not None:
        ours = _our_class_for(theirs)
        return TypeError(f"{wrong}; convert it: {ours}.FromString(type(theirs).serialize(theirs))")
    elif isinstance(value, dict | str | bytes):
        return TypeError(f"{wrong}; parse JSON with turnwire.from_json or turnwire.read first")
    elif isinstance(value, Iterator):
        return TypeError(f"{wrong}; take its items one by one, or give it to a builder's extend")
    elif isinstance(value, AsyncIterable):
        return TypeError(f"{wrong}; call a builder's add with each item of an `async for`")
    return TypeError(wrong)


def holds_items(value: object) -> bool:
    """Returns whether an object is an iterable of items, not of characters or keys."""
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
    return f"{'an' if names[0] in 'AEIOUaeiou' else 'a'} {names}{place}"


def _class_name_of(value: object) -> str:
    """The name of an object's class; of a message its full name, since not all have a module."""
    found = type(value)
    if isinstance(value, Message) and not found.__module__:
        return value.DESCRIPTOR.full_name
    return found.__qualname__ if found.__module__ == "builtins" else _dotted(found)


def _dotted(found: type) -> str:
    return f"{found.__module__}.{found.__qualname__}"


def _proto_plus_name_of(value: object) -> str | None:
    """The full name of a message of the library proto-plus, which Google's clients use."""
    pb = getattr(type(value), "pb", None)
    if not callable(pb):
        return None
    inner = pb(value)
    return inner.DESCRIPTOR.full_name if isinstance(inner, Message) else None


def _our_class_for(full_name: str) -> str:
    """The public class that mirrors a message of Google's, in words that can be copied."""
    mirror = mirror_name_of(full_name)
    for api in APIS:
        if mirror is not None and mirror.startswith(f"{api.package}."):
            return f"{api.views}.{mirror.removeprefix(f'{api.package}.')}"
    return "Message"
