"""Exceptions that both ``except`` clauses for json_format and those for Turnwire catch.

Their text is Google's where Google's module fails as well, so that programs which look at it go
on as before. Turnwire's own text, with the place, is a note of the exception: it stands below the
text in a traceback.
"""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf import json_format as google
from google.protobuf.message import DecodeError

from turnwire import errors


class _Worded:
    """An error with the text of another one."""

    _text: str | None = None

    def __str__(self) -> str:
        return super().__str__() if self._text is None else self._text


class ParseError(_Worded, errors.ParseError, google.ParseError):
    """Reports text or values that are not the JSON of the message.

    It has the attributes of `turnwire.ParseError`: ``reason``, ``kind``, ``path``, ``field``,
    ``line`` and ``column``.

    >>> from turnwire import ces, json_format
    >>> try:
    ...     json_format.Parse('{"chunks": [{"turns": 5}]}', ces.Message())
    ... except json_format.ParseError as error:
    ...     print(error.kind, error.path_text)
    unknown $.chunks[0].turns
    """


class SerializeToJsonError(_Worded, errors.SerializeError, google.SerializeToJsonError):
    """Reports a message that has no JSON form, with the attributes of `turnwire.SerializeError`.

    >>> from turnwire import ces, json_format
    >>> call = ces.ToolCall()
    >>> call.args["n"] = float("nan")
    >>> try:
    ...     json_format.MessageToJson(call)
    ... except json_format.SerializeToJsonError as error:
    ...     print(error.kind, error.path_text)
    value $.args.n
    """


class UnknownTypeError(SerializeToJsonError, TypeError):
    """Reports an ``Any`` of an unknown type, for which Google's module raises a `TypeError`."""


class DamagedAnyError(SerializeToJsonError, DecodeError):
    """Reports an ``Any`` whose bytes are not its type's: a `DecodeError` of Google's module."""


_SERIALIZE_ERRORS: dict[type, type[SerializeToJsonError]] = {
    TypeError: UnknownTypeError,
    DecodeError: DamagedAnyError,
}


def google_error(
    error: errors.ParseError | errors.SerializeError, repeat: Callable[[], object]
) -> google.Error:
    """Returns an error of this package with everything that a Turnwire error says.

    Args:
        error: The error.
        repeat: Does the same by Google's module; its error, if there is one, gives the text, and
            decides which other ``except`` clause catches an error of printing.
    """
    theirs: Exception | None = None
    try:
        repeat()
    except Exception as raised:
        # Google's functions raise more than their own errors.
        theirs = raised
    error_class: type[ParseError | SerializeToJsonError]
    if isinstance(error, errors.ParseError):
        error_class = ParseError
    else:
        error_class = _SERIALIZE_ERRORS.get(type(theirs), SerializeToJsonError)
    converted = error_class(error.reason, kind=error.kind)
    converted.__dict__.update(error.__dict__)
    if theirs is not None:
        converted._text = str(theirs)
        converted.add_note(str(error))
    return converted
