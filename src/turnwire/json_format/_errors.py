"""Exceptions that both ``except`` clauses for json_format and those for Turnwire catch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from google.protobuf import json_format as google

from turnwire import errors


class ParseError(errors.ParseError, google.ParseError):
    """Reports text or values that are not the JSON of the message.

    It has the attributes of `turnwire.ParseError`: ``kind``, ``path``, ``field``, ``line`` and
    ``column``.

    >>> from google.protobuf import json_format as google
    >>> from turnwire import ces, json_format
    >>> try:
    ...     json_format.Parse('{"role": 5}', ces.Message())
    ... except google.ParseError as error:
    ...     print(error)
    expected string, got number at $.role (turnwire_schema.ces.v1.Message.role)
    """


class SerializeToJsonError(errors.SerializeError, google.SerializeToJsonError):
    """Reports a message that has no JSON form, with the attributes of `turnwire.SerializeError`."""


@contextmanager
def google_errors() -> Iterator[None]:
    """Raises Turnwire's errors as those of this package."""
    try:
        yield
    except (errors.ParseError, errors.SerializeError) as error:
        raise google_error(error) from None


def google_error(error: errors.ParseError | errors.SerializeError) -> google.Error:
    """Returns an error of this package with all that a Turnwire error says."""
    error_class: type[ParseError | SerializeToJsonError]
    error_class = ParseError if isinstance(error, errors.ParseError) else SerializeToJsonError
    converted = error_class(error.reason, kind=error.kind)
    converted.__dict__.update(error.__dict__)
    return converted
