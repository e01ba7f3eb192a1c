"""The errors of a command about its input and its arguments."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from turnwire.errors import MissingExtra, TurnwireError


class InputError(Exception):
    """Invalid data, with the name of the input in front."""

    def __init__(self, input_name: str, problem: object) -> None:
        super().__init__(f"{input_name}: {problem}")


class UsageError(Exception):
    """Arguments that are right one by one, but do not go together."""


@contextmanager
def named(input_name: str) -> Generator[None]:
    """Puts the name of the input in front of every error about its data."""
    try:
        yield
    except MissingExtra:  # not a fault of the data
        raise
    except TurnwireError as error:
        raise InputError(input_name, error) from error


class ProblemsFound(Exception):
    """Problems that were shown already, so that only the exit status is left to say."""
