"""The text forms of Timestamp, Duration and FieldMask: both directions."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from string import ascii_uppercase

from turnwire.errors import excerpt
from turnwire.protojson._problem import Problem

_timestamp = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
).fullmatch
_without_offset = re.compile(r"[0-9-]+T[0-9:.]+").fullmatch
_duration = re.compile(r"(-?)(0|[1-9][0-9]{0,12})(?:\.([0-9]{1,9}))?s").fullmatch

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_SECOND = -62_135_596_800  # 0001-01-01T00:00:00Z
LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z
MOST_SECONDS = 315_576_000_000  # of a Duration, about 10,000 years


def _nanos_of(digits: str | None) -> int:
    return int(digits.ljust(9, "0")) if digits else 0


def timestamp_of(text: str) -> tuple[int, int]:
    """Seconds since 1970 and nanoseconds of an RFC 3339 text."""
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
        raise Problem("value", f"{excerpt(text)} is no valid time: {error}") from None
    seconds = (local - _EPOCH) // timedelta(seconds=1)
    if not FIRST_SECOND <= seconds <= LAST_SECOND:
        raise Problem("range", f"{excerpt(text)} is outside of the years 0001 to 9999 in UTC")
    return seconds, _nanos_of(fraction)


def timestamp_text(seconds: int, nanos: int) -> str:
    """The RFC 3339 text of a Timestamp: in Z, with 0, 3, 6 or 9 fraction digits."""
    if not FIRST_SECOND <= seconds <= LAST_SECOND:
        reason = f"a Timestamp of {seconds} seconds is outside of the years 0001 to 9999"
        raise Problem("range", reason)
    if not 0 <= nanos < 1_000_000_000:
        raise Problem("range", f"a Timestamp's nanos must be in 0..999999999, not {nanos}")
    moment = _EPOCH + timedelta(seconds=seconds)
    # isoformat() writes the year with four digits on every platform; strftime does not.
    return moment.isoformat()[:19] + _fraction_text(nanos) + "Z"


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


def duration_of(text: str) -> tuple[int, int]:
    """Seconds and nanoseconds, of one sign, of a duration's text."""
    match = _duration(text)
    if match is None:
        raise Problem("value", f'expected seconds such as "1.5s", got {excerpt(text)}')
    sign, whole, fraction = match.groups()
    seconds, nanos = int(whole), _nanos_of(fraction)
    if seconds > MOST_SECONDS:
        raise Problem("range", f"{excerpt(text)} is longer than {MOST_SECONDS} seconds")
    return (-seconds, -nanos) if sign else (seconds, nanos)


def duration_text(seconds: int, nanos: int) -> str:
    """The text of a Duration, with 0, 3, 6 or 9 fraction digits."""
    if not -MOST_SECONDS <= seconds <= MOST_SECONDS:
        raise Problem("range", f"a Duration is at most {MOST_SECONDS} seconds, not {seconds}")
    if not -1_000_000_000 < nanos < 1_000_000_000:
        raise Problem("range", f"a Duration's nanos must be below 10^9, not {nanos}")
    if (seconds < 0 < nanos) or (seconds > 0 > nanos):
        reason = f"a Duration's seconds and nanos must have one sign, not {seconds} and {nanos}"
        raise Problem("value", reason)
    sign = "-" if seconds < 0 or nanos < 0 else ""
    return f"{sign}{abs(seconds)}{_fraction_text(abs(nanos))}s"


_mask_path = re.compile(r"[A-Za-z0-9.]+").fullmatch
_mask = re.compile(r"(?:[A-Za-z0-9.]++(?:,[A-Za-z0-9.]++)*+)?").fullmatch
_snake_case = str.maketrans({capital: "_" + capital.lower() for capital in ascii_uppercase})


def field_mask_of(text: str) -> list[str]:
    """The paths of a FieldMask, in proto names."""
    if not _mask(text):
        reason = f"expected lowerCamelCase paths with commas between, got {excerpt(text)}"
        raise Problem("value", reason)
    return text.translate(_snake_case).split(",") if text else []


def field_mask_text(paths: list[str]) -> str:
    """The text of a FieldMask; a path that would not read back as itself is a problem."""
    names = []
    for path in paths:
        name = re.sub("_([a-z])", lambda match: match.group(1).upper(), path)
        if not _mask_path(name) or name.translate(_snake_case) != path:
            raise Problem("value", f"the path {excerpt(path)} has no JSON form that reads back")
        names.append(name)
    return ",".join(names)
