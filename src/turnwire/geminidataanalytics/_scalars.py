"""The casts of scalar columns: each function turns a plain JSON value into the typed one.

A value that does not fit raises ValueError or ArithmeticError; the caller knows which cell it was.
The text forms are BigQuery's. Numbers are written as JSON writes them: no ``+3``, no ``0042``.
"""

from __future__ import annotations

import base64
import math
import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import (
    MAX_EMAX,
    MAX_PREC,
    MIN_EMIN,
    Context,
    Decimal,
    Inexact,
    InvalidOperation,
    Overflow,
)
from typing import Any, Final

from turnwire._plain_json import plain_from_json

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# The names of the JSON mapping, and those of BigQuery's CAST to STRING.
_NOT_FINITE: Final = frozenset({"NaN", "Infinity", "-Infinity", "nan", "inf", "-inf"})

# Zeros beyond the microsecond lose nothing; any other digit there would be lost.
_DATE_FORM: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME_FORM: Final = r"(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6}0*)?"
_ZONE_FORM: Final = (
    r" ?(?:Z|UTC|(?P<sign>[+-])(?P<hours>[01][0-9]|2[0-3])(?::?(?P<minutes>[0-5][0-9]))?)"
)
_DATE: Final = re.compile(_DATE_FORM)
_TIME: Final = re.compile(_TIME_FORM)
_DATETIME: Final = re.compile(f"{_DATE_FORM}[T ]{_TIME_FORM}")
_TIMESTAMP: Final = re.compile(f"(?P<local>{_DATE_FORM}[T ]{_TIME_FORM})(?:{_ZONE_FORM})?")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# Exact, whatever the context of the program rounds or traps.
_EXACT: Final = Context(
    prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[InvalidOperation, Overflow, Inexact]
)


def string(value: Any) -> str:
    """A STRING; a number in its place has lost its spelling (0042, 1.50) and does not fit."""
    return _text(value)


def integer(value: Any) -> int:
    """An INTEGER of 64 bits, also when it is written ``1e2`` or ``5.0``."""
    if isinstance(value, str):
        number = int(value) if _INTEGER.fullmatch(value) else _whole(_decimal_of(value))
    else:
        number = int(_number(value))
        if number != value:  # a double of a Struct: 5.0 is 5, and 5.5 does not fit
            raise ValueError
    if not -(2**63) <= number < 2**63:
        raise ValueError
    return number


def floating(value: Any) -> float:
    """A FLOAT of 64 bits, NaN and the infinities by their names."""
    if not isinstance(value, str):
        return float(_number(value))
    if value in _NOT_FINITE:
        return float(value)
    if not _NUMBER.fullmatch(value) or math.isinf(float(value)):  # 1e400 is too large
        raise ValueError
    return float(value)


def decimal(value: Any) -> Decimal:
    """A NUMERIC or BIGNUMERIC with every digit as it was written."""
    # str() of a double gives the shortest digits that mean it: 0.1 stays 0.1.
    return _decimal_of(value if isinstance(value, str) else str(_number(value)))


def boolean(value: Any) -> bool:
    """A BOOLEAN: true or false, or these words in any case."""
    if isinstance(value, bool):
        return value
    return _truth_of(value, yes="true", no="false")


def yes_or_no(value: Any) -> bool:
    """A YESNO, as Looker writes it: yes or no in any case, or what a BOOLEAN takes."""
    try:
        return boolean(value)
    except ValueError:
        return _truth_of(value, yes="yes", no="no")


def day(value: Any) -> date:
    """A DATE: ``2025-05-04``."""
    return date.fromisoformat(_match(_DATE, value)[0])


def wall_time(value: Any) -> time:
    """A TIME: ``10:00:00`` with up to six digits of a second."""
    return time.fromisoformat(_match(_TIME, value)[0])


def wall_datetime(value: Any) -> datetime:
    """A DATETIME, which has no zone: ``2025-05-04T10:00:00``, or with a blank for the T."""
    return datetime.fromisoformat(_match(_DATETIME, value)[0])


def instant(value: Any) -> datetime:
    """A TIMESTAMP: a date and time with the offset that was written, or seconds since 1970.

    Without an offset it is in UTC, as in BigQuery. Seconds (``1.7463528E9``) are the form that
    BigQuery's REST API has by default.
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return _since_epoch(decimal(value))
    match = _match(_TIMESTAMP, value)
    return datetime.fromisoformat(match["local"]).replace(tzinfo=_zone_of(match))


def octets(value: Any) -> bytes:
    """BYTES: base64 in the standard alphabet, with padding and zeros for its unused bits."""
    text = _text(value)
    found = base64.b64decode(text, validate=True)
    odd = len(found) % 3
    # Other texts would come back as this one.
    if odd and not text.endswith(base64.b64encode(found[-odd:]).decode()):
        raise ValueError
    return found


def json_value(value: Any) -> Any:
    """JSON: the value of the text; a cell that is not text is the value itself."""
    return plain_from_json(value) if isinstance(value, str) else value


def _truth_of(value: Any, *, yes: str, no: str) -> bool:
    word = _text(value).lower()
    if word not in (yes, no):
        raise ValueError
    return word == yes


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    return value


def _decimal_of(text: str) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise ValueError
    return _EXACT.create_decimal(text)


def _whole(number: Decimal) -> int:
    if not number:  # 0e999999999 is zero
        return 0
    # The size is looked at first: int() of 1e999999999 would never end.
    if number.adjusted() > 18 or number != number.to_integral_value(context=_EXACT):
        raise ValueError
    return int(number)


def _match(pattern: re.Pattern[str], value: Any) -> re.Match[str]:
    match = pattern.fullmatch(_text(value))
    if match is None:
        raise ValueError
    return match


def _zone_of(match: re.Match[str]) -> tzinfo:
    if match["sign"] is None:
        return UTC
    offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0))
    return timezone(-offset if match["sign"] == "-" else offset)


def _since_epoch(seconds: Decimal) -> datetime:
    if seconds and seconds.adjusted() > 11:
        raise OverflowError
    return _EPOCH + timedelta(microseconds=_whole(_EXACT.scaleb(seconds, 6)))
