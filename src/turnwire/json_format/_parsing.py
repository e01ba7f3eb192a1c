"""Reads JSON into messages, with the arguments of Google's functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from google.protobuf import json_format as google
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

from turnwire import errors
from turnwire.json_format._errors import google_error
from turnwire.json_format._leniency import merge_leniently, values_of
from turnwire.protojson._merging import merge_dict_like_json_format, merge_json
from turnwire.protojson._options import Unknown

M = TypeVar("M", bound=Message)

_DEFAULT_DEPTH = 100


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
            message and then the default pool. A pool, like a limit below 100, takes Google's time:
            Google's parser is asked as well.
        max_recursion_depth: How many messages may nest, counted as Google's parser does. The
            runtime cannot read more than 100.
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
    options = ignore_unknown_fields, descriptor_pool, max_recursion_depth
    try:
        _merge(partial(merge_json, lists="replace"), message, text, google.Parse, *options)
    except errors.ParseError as error:
        if strict or not merge_leniently(message, lambda: values_of(text), *options):
            theirs = partial(google.Parse, text, type(message)(), *options)
            raise google_error(error, theirs) from None
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
    options = ignore_unknown_fields, descriptor_pool, max_recursion_depth
    try:
        _merge(merge_dict_like_json_format, message, js_dict, google.ParseDict, *options)
    except errors.ParseError as error:
        if strict or not merge_leniently(message, lambda: js_dict, *options):
            theirs = partial(google.ParseDict, js_dict, type(message)(), *options)
            raise google_error(error, theirs) from None
    return message


def _merge(
    merge: Callable[..., None],
    message: Message,
    value: Any,
    parse: Callable[..., Message],
    ignore_unknown: bool,
    pool: DescriptorPool | None,
    max_depth: int,
) -> None:
    """Merges a value, unless a pool or a depth makes Google's `parse` refuse it."""
    unknown: Unknown = "ignore" if ignore_unknown else "error"
    merge = partial(merge, message, value, unknown=unknown)
    if pool is None and max_depth == _DEFAULT_DEPTH:
        try:
            # Google's parser counts fewer levels than the wire format has, never more.
            merge(max_depth=max_depth - 1)
        except errors.ParseError as error:
            if error.kind != "depth":
                raise
        else:
            return
    if pool is not None or max_depth <= _DEFAULT_DEPTH:
        _check(type(message), value, parse, ignore_unknown, pool, max_depth)
    merge(pool=pool)


def _check(
    message_class: type[Message],
    value: Any,
    parse: Callable[..., Message],
    ignore_unknown: bool,
    pool: DescriptorPool | None,
    max_depth: int,
) -> None:
    """Raises a ParseError where only a pool or a depth makes Google's parser refuse a value.

    It counts some messages twice, and others not at all; so nothing else can tell.
    """
    try:
        parse(value, message_class(), ignore_unknown, None, 10 * _DEFAULT_DEPTH)
    except Exception:
        # Something else is wrong, or Google's parser is: the strict parser decides.
        return
    try:
        parse(value, message_class(), ignore_unknown, pool, max_depth)
    except google.ParseError as error:
        kind = "unknown" if max_depth > _DEFAULT_DEPTH else "depth"
        raise errors.ParseError(str(error), kind=kind) from None
