"""Points in time as numbers that can be subtracted without loss."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp


def nanoseconds_of(time: Timestamp) -> int:
    """Returns the nanoseconds since 1970, also of a timestamp outside of the calendar.

    >>> nanoseconds_of(Timestamp(seconds=2, nanos=5))
    2000000005
    """
    return time.seconds * 1_000_000_000 + time.nanos
