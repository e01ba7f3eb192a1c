"""Many cases of one test, where a test for each would cost more than its work."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])

_MAX_LISTED = 20


def for_each(
    names: str | Sequence[str], values: Collection[Any], ids: Callable[[Any], str] | None = None
) -> Callable[[Test], Test]:
    """Runs a test with every value, as one test: use it like ``pytest.mark.parametrize``.

    All cases run. Where some fail, the error lists them, and the first one's is its cause. A
    fixture is shared by the cases.

    Args:
        names: The argument of the test, or several, whose values are then sequences.
        values: One for each case; at least one.
        ids: Returns the name of a case, for the error; by default it has the arguments.
    """
    keys = [names] if isinstance(names, str) else names
    if not values:
        raise ValueError(f"no cases for {', '.join(keys)}")
    cases = [
        (value, dict(zip(keys, [value] if isinstance(names, str) else value, strict=True)))
        for value in values
    ]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failed: list[tuple[str, BaseException]] = []
            skipped: list[BaseException] = []
            for value in values:
                arguments = dict(
                    zip(keys, [value] if isinstance(names, str) else value, strict=True)
                )
                try:
                    test(**arguments, **fixtures)
                except pytest.skip.Exception as skip:
                    skipped.append(skip)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append((ids(value) if ids else _arguments(arguments), error))
            if failed:
                raise AssertionError(_listing(failed, len(cases))) from failed[0][1]
            if len(skipped) == len(cases):
                raise skipped[0]

        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in keys]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run  # type: ignore[return-value]

    return decorate


def _arguments(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name}={_shortened(repr(value))}" for name, value in arguments.items())


def _listing(failed: Sequence[tuple[str, BaseException]], count: int) -> str:
    listed = [
        f"{case}: {type(error).__name__}: {_shortened(str(error))}"
        for case, error in failed[:_MAX_LISTED]
    ]
    if len(failed) > _MAX_LISTED:
        listed.append(f"and {len(failed) - _MAX_LISTED} more")
    return "\n  ".join([f"{len(failed)} of {count} cases failed:", *listed])


def _shortened(text: str) -> str:
    first, _, rest = text.partition("\n")
    return f"{first[:150]} …" if rest or len(first) > 150 else first
