"""Points in time as numbers that can be subtracted without loss."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp


def nanoseconds_of(time: Timestamp) -> int:
    """The nanoseconds since 1970; of a timestamp that is no date as well.

    >>> nanoseconds_of(Timestamp(seconds=2, nanos=5))
    2000000005
    """
    return time.seconds * 1_000_000_000 + time.nanos
