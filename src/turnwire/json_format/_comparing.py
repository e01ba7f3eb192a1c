"""Runs both parsers over texts of a user and reports where they differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf import json_format as google
from google.protobuf.message import Message

from turnwire.json_format._parsing import Parse
from turnwire.json_format._printing import MessageToJson
from turnwire.protojson._arguments import check_message_class


@dataclass(frozen=True, slots=True)
class Difference:
    """A text that the two modules treat differently.

    Attributes:
        index: The position of the text, counted from 0.
        text: The text as it was given.
        theirs: The text that Google's module prints for what it read, or the error it raised.
        ours: The same of this module.
        is_lossless: Whether ``strict=False`` makes the difference go away.

    >>> from turnwire import ces, json_format
    >>> [difference] = json_format.compare(ces.Message, ['{"chunks": [[]]}'])
    >>> print(difference.ours)
    expected object, got array at $.chunks[0] (turnwire_schema.ces.v1.Message.chunks)
    """

    index: int
    text: str | bytes
    theirs: str | Exception
    ours: str | Exception
    is_lossless: bool


def compare(
    message_class: type[Message],
    texts: Iterable[str | bytes],
    *,
    ignore_unknown_fields: bool = False,
) -> list[Difference]:
    """Reports what would change for these texts in a program that changes its import.

    Args:
        message_class: The class whose messages the texts hold.
        texts: JSON texts, such as the lines of a log.
        ignore_unknown_fields: As for `Parse`, for both modules.

    Returns:
        The texts that one module refuses and the other accepts, that give other messages, or that
        print another text. Error messages are not compared. An empty list means that nothing
        changes.

    Raises:
        TypeError: ``message_class`` is not a protobuf message class, or ``texts`` is one text.

    >>> from turnwire import ces, json_format
    >>> texts = ['{"role": "user"}', '{"chunks": [{"toolCall": []}]}']
    >>> [difference] = json_format.compare(ces.Message, texts)
    >>> difference.index, difference.is_lossless
    (1, True)
    >>> print(difference.ours)
    expected object, got array at $.chunks[0].toolCall (turnwire_schema.ces.v1.Chunk.tool_call)
    """
    check_message_class(message_class)
    if isinstance(texts, str | bytes):
        raise TypeError(f"expected an iterable of texts, got one {type(texts).__name__}")
    differences: list[Difference] = []
    for index, text in enumerate(texts):
        theirs = _theirs(message_class, text, ignore_unknown_fields)
        ours = _ours(message_class, text, ignore_unknown_fields, strict=True)
        if not _is_same(theirs, ours):
            lenient = _ours(message_class, text, ignore_unknown_fields, strict=False)
            differences.append(Difference(index, text, theirs, ours, _is_same(theirs, lenient)))
    return differences


def _theirs(
    message_class: type[Message], text: str | bytes, ignore_unknown: bool
) -> str | Exception:
    try:
        return google.MessageToJson(google.Parse(text, message_class(), ignore_unknown))
    except Exception as error:
        # Google's functions raise more than their own errors.
        return error


def _ours(
    message_class: type[Message], text: str | bytes, ignore_unknown: bool, *, strict: bool
) -> str | Exception:
    try:
        return MessageToJson(Parse(text, message_class(), ignore_unknown, strict=strict))
    except google.Error as error:
        return error


def _is_same(theirs: str | Exception, ours: str | Exception) -> bool:
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        return isinstance(theirs, Exception) and isinstance(ours, Exception)
    return theirs == ours
