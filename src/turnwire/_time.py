"""Points in time as numbers that can be subtracted without loss."""

from __future__ import annotations

from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp


def nanoseconds_of(time: Timestamp) -> int:
    """Returns the nanoseconds since 1970, also of a timestamp outside of the calendar.

    >>> nanoseconds_of(Timestamp(seconds=2, nanos=5))
    2000000005
    """
    return time.seconds * 1_000_000_000 + time.nanos


def utc(time: Timestamp) -> datetime | None:
    """Returns a timestamp in UTC, to the microsecond; None outside of the calendar.

    >>> utc(Timestamp(seconds=2)), utc(Timestamp(seconds=2**60))
    (datetime.datetime(1970, 1, 1, 0, 0, 2, tzinfo=datetime.timezone.utc), None)
    """
    try:
        return time.ToDatetime(UTC)
    except (ValueError, OverflowError):  # wire bytes can hold such times
        return None
