"""The refusal of objects of a class that is not taken."""

from __future__ import annotations

from google.protobuf.message import Message as ProtobufMessage


def require(value: object, *classes: type) -> None:
    """Raises a TypeError for an object that is of none of these classes."""
    if not isinstance(value, classes):
        raise TypeError(refusal(value, *classes))


def refusal(value: object, *classes: type) -> str:
    """What is wrong with an object that is of none of these classes, and what to do about it."""
    *others, last = (expected.__name__ for expected in classes)
    expected = f"{', '.join(others)} or {last}" if others else last
    found = f"{type(value).__module__}.{type(value).__qualname__}"
    article = "an" if expected[0] in "AEIOU" else "a"
    wrong = f"expected {article} {expected} of turnwire.ces, got {found}"
    if isinstance(value, ProtobufMessage):
        return f"{wrong}; a message of another library goes by way of its wire bytes"
    if hasattr(type(value), "pb"):
        return f"{wrong}; of a proto-plus message, parse type(item).serialize(item)"
    if isinstance(value, dict | str | bytes):
        return f"{wrong}; parse JSON with turnwire.from_json or turnwire.read first"
    return wrong
