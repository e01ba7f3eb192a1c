"""Reads JSON into messages, with the arguments of Google's functions."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

from turnwire import errors
from turnwire.json_format._errors import google_error
from turnwire.json_format._leniency import merge_leniently, values_of
from turnwire.protojson._merging import merge_dict, merge_json

M = TypeVar("M", bound=Message)


def Parse(
    text: str | bytes,
    message: M,
    ignore_unknown_fields: bool = False,
    descriptor_pool: DescriptorPool | None = None,
    max_recursion_depth: int = 100,
    *,
    strict: bool = True,
) -> M:
    """Reads JSON text into a message.

    What the message holds already stays, unless the text sets it: null clears a field, a list or
    a map replaces the one that was there, and a message is merged field by field.

    Args:
        text: One JSON value, as text or as UTF-8 bytes.
        message: The message to read into.
        ignore_unknown_fields: Whether unknown fields, enum names and ``Any`` types are left out
            instead of being an error.
        descriptor_pool: Where the types in an ``Any`` are looked up; None means the pool of the
            message and then the default pool.
        max_recursion_depth: How many messages may nest, the outermost one included. The runtime
            cannot read more than 100.
        strict: Whether input that only Google's parser accepts is an error. False accepts it
            where nothing of it is lost.

    Returns:
        The message that was given.

    Raises:
        ParseError: The text is not the JSON of such a message. The message is unchanged.

    >>> from turnwire import ces, json_format
    >>> message = ces.Message(role="user")
    >>> json_format.Parse('{"chunks": [{"text": "hello"}]}', message).chunks[0].text
    'hello'
    >>> message.role
    'user'
    """
    unknown, max_depth = _limits(ignore_unknown_fields, max_recursion_depth)
    try:
        merge_json(
            message,
            text,
            lists="replace",
            unknown=unknown,
            max_depth=max_depth,
            pool=descriptor_pool,
        )
    except errors.ParseError as error:
        options = ignore_unknown_fields, descriptor_pool, max_recursion_depth
        if not strict and merge_leniently(message, lambda: values_of(text), *options):
            return message
        raise google_error(error) from None
    return message


def ParseDict(
    js_dict: Any,
    message: M,
    ignore_unknown_fields: bool = False,
    descriptor_pool: DescriptorPool | None = None,
    max_recursion_depth: int = 100,
    *,
    strict: bool = True,
) -> M:
    """Reads JSON values in Python into a message.

    Args:
        js_dict: The JSON value, a dict for most messages; it is not changed.
        message: The message to read into, as for `Parse`.
        ignore_unknown_fields: As for `Parse`.
        descriptor_pool: As for `Parse`.
        max_recursion_depth: As for `Parse`.
        strict: As for `Parse`.

    Returns:
        The message that was given.

    Raises:
        ParseError: The value is not the JSON of such a message. The message is unchanged.

    >>> from turnwire import ces, json_format
    >>> json_format.ParseDict({"role": "user"}, ces.Message()).role
    'user'
    """
    unknown, max_depth = _limits(ignore_unknown_fields, max_recursion_depth)
    try:
        merge_dict(
            message,
            js_dict,
            lists="replace",
            unknown=unknown,
            max_depth=max_depth,
            pool=descriptor_pool,
        )
    except errors.ParseError as error:
        options = ignore_unknown_fields, descriptor_pool, max_recursion_depth
        if not strict and merge_leniently(message, lambda: js_dict, *options):
            return message
        raise google_error(error) from None
    return message


def _limits(
    ignore_unknown_fields: bool, max_recursion_depth: int
) -> tuple[Literal["error", "ignore"], int | None]:
    # Google's limit counts the outermost message; the runtime's own limit is the default's.
    levels = max_recursion_depth - 1
    return "ignore" if ignore_unknown_fields else "error", None if levels >= 99 else max(levels, 0)
