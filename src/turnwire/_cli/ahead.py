"""Works on the next items in threads: the core and unpacking leave the lock to one another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def results_ahead(
    function: Callable[[T], R], items: Iterable[T], threads: int
) -> Iterator[tuple[T, R]]:
    """Yields each item with the result of a function, in order.

    Args:
        function: The function, which threads call for the next items meanwhile.
        items: The items, which are asked for in the thread of the caller.
        threads: The number of threads; with 1, the caller waits for each result.
    """
    if threads == 1:
        for item in items:
            yield item, function(item)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[T, Future[R]]] = deque()
        try:
            for item in items:
                waiting.append((item, pool.submit(function, item)))
                if len(waiting) > 2 * threads:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def items_ahead(items: Iterator[T], count: int) -> Iterator[T]:
    """Yields items; a thread asks for the next `count` of them meanwhile."""
    ended = object()
    with ThreadPoolExecutor(1) as pool:
        waiting = deque(pool.submit(next, items, ended) for _ in range(count))
        try:
            while (item := waiting.popleft().result()) is not ended:
                waiting.append(pool.submit(next, items, ended))
                yield item  # type: ignore[misc]
        finally:
            pool.shutdown(cancel_futures=True)
