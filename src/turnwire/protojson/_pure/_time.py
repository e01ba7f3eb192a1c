"""The JSON forms of Timestamp and Duration, in both directions."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from turnwire.errors import excerpt
from turnwire.protojson._pure._problem import Problem
from turnwire.protojson._pure._values import wrong_type

_timestamp = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
).fullmatch
_without_offset = re.compile(r"[0-9-]+T[0-9:.]+").fullmatch
_duration = re.compile(r"(-?)(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,9}))?s").fullmatch

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_WITHOUT_OFFSET = _EPOCH.replace(tzinfo=None)
FIRST_SECOND = -62_135_596_800  # 0001-01-01T00:00:00Z
LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z
MAX_SECONDS = 315_576_000_000  # of a Duration, about 10,000 years


def _nanos_of(digits: str | None) -> int:
    return int(digits.ljust(9, "0")) if digits else 0


def timestamp_of(value: object) -> tuple[int, int]:
    """Returns seconds since 1970 and nanoseconds of an RFC 3339 text or an aware datetime."""
    if isinstance(value, datetime):
        return _seconds_and_nanos(_since_epoch(value))
    if not isinstance(value, str):
        raise wrong_type("RFC 3339 string", value)
    text = value
    match = _timestamp(text)
    if match is None:
        reason = f"expected an RFC 3339 time such as 2014-10-02T15:01:23Z, got {excerpt(text)}"
        if _without_offset(text):
            reason += ": the UTC offset is missing (Z, or one like +05:30)"
        raise Problem("value", reason)
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = match.groups()
    try:
        zone = UTC
        if sign:
            if int(hours) > 23 or int(minutes) > 59:
                raise ValueError("the offset must be at most 23:59")
            offset = timedelta(hours=int(hours), minutes=int(minutes))
            zone = timezone(offset if sign == "+" else -offset)
        local = datetime(
            int(year), int(month), int(day), int(hour), int(minute), int(second), tzinfo=zone
        )
    except ValueError as error:
        raise Problem("value", f"{excerpt(text)} is not a valid time: {error}") from None
    seconds = (local - _EPOCH) // timedelta(seconds=1)
    if not FIRST_SECOND <= seconds <= LAST_SECOND:
        raise Problem("range", f"{excerpt(text)} is outside of the years 0001 to 9999 in UTC")
    return seconds, _nanos_of(fraction)


def _since_epoch(moment: datetime) -> timedelta:
    try:
        since = moment - _EPOCH
    except (TypeError, OverflowError):
        reason = "expected a datetime with a time zone, got a naive one"
        raise Problem("value", reason) from None
    # The year of an aware datetime can be 0 or 10000 in UTC.
    if not timedelta(seconds=FIRST_SECOND) <= since < timedelta(seconds=LAST_SECOND + 1):
        raise Problem("range", f"{moment} is outside of the years 0001 to 9999 in UTC")
    return since


def _seconds_and_nanos(length: timedelta) -> tuple[int, int]:
    return length.days * 86_400 + length.seconds, length.microseconds * 1000


def timestamp_text(seconds: int, nanos: int) -> str:
    """Returns the RFC 3339 text of a Timestamp: in Z, with 0, 3, 6 or 9 fraction digits."""
    if not FIRST_SECOND <= seconds <= LAST_SECOND:
        reason = f"a Timestamp of {seconds} seconds is outside of the years 0001 to 9999"
        raise Problem("range", reason)
    if not 0 <= nanos < 1_000_000_000:
        raise Problem("range", f"a Timestamp's nanos must be in 0..999999999, not {nanos}")
    moment = _EPOCH_WITHOUT_OFFSET + timedelta(0, seconds)
    # isoformat() writes the year with four digits on every platform; strftime does not.
    return f"{moment.isoformat()}{_fraction_text(nanos)}Z"


def _fraction_text(nanos: int) -> str:
    if not nanos:
        return ""
    digits = f"{nanos:09d}"
    return "." + (
        digits[:3]
        if digits.endswith("000000")
        else digits[:6]
        if digits.endswith("000")
        else digits
    )


def duration_of(value: object) -> tuple[int, int]:
    """Returns seconds and nanoseconds, of one sign, of a duration's text or a timedelta."""
    if isinstance(value, timedelta):
        is_negative, shown = value.days < 0, str(value)
        seconds, nanos = _seconds_and_nanos(abs(value))
    else:
        if not isinstance(value, str):
            raise wrong_type("duration string", value)
        match, shown = _duration(value), excerpt(value)
        if match is None:
            raise Problem("value", f'expected seconds such as "1.5s", got {shown}')
        sign, whole, fraction = match.groups()
        is_negative, seconds, nanos = bool(sign), int(whole), _nanos_of(fraction)
    if seconds > MAX_SECONDS:
        raise Problem("range", f"{shown} is longer than {MAX_SECONDS} seconds")
    return (-seconds, -nanos) if is_negative else (seconds, nanos)


def duration_text(seconds: int, nanos: int) -> str:
    """Returns the text of a Duration, with 0, 3, 6 or 9 fraction digits."""
    if not -MAX_SECONDS <= seconds <= MAX_SECONDS:
        raise Problem("range", f"a Duration is at most {MAX_SECONDS} seconds, not {seconds}")
    if not -1_000_000_000 < nanos < 1_000_000_000:
        raise Problem("range", f"a Duration's nanos must be below 10^9, not {nanos}")
    if (seconds < 0 < nanos) or (seconds > 0 > nanos):
        reason = f"a Duration's seconds and nanos must have one sign, not {seconds} and {nanos}"
        raise Problem("value", reason)
    sign = "-" if seconds < 0 or nanos < 0 else ""
    return f"{sign}{abs(seconds)}{_fraction_text(abs(nanos))}s"
