"""Bounds caches by message class: classes can be made at run time, without end."""

from __future__ import annotations

from typing import Any


def make_room(cache: dict[Any, Any], size: int) -> None:
    """Removes the oldest entries, so that with one more there are at most `size`.

    No lock is taken: one that another thread holds would never be released in a forked child.
    """
    excess = len(cache) + 1 - size
    if excess > 0:
        for key in list(cache)[:excess]:
            cache.pop(key, None)
