"""Carries out the choice of `--unknown`: what happens to things that the schema does not know."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.message import Message

from turnwire import protojson
from turnwire._cli.standard import warn
from turnwire._cli.unknown_fields import unknown_paths, without_unknown
from turnwire.errors import ParseError, Path, path_text
from turnwire.streams._refusals import ERROR_MEMBERS

CHOICES = ("error", "ignore", "warn")
_MAX_REPORTED = 20
_MAX_REMEMBERED = 1000
_MAX_COUNTED = 1000


class Harmless:
    """The sets of unknown members beside which an element was found to be a message.

    The stream reader looks at an element with unknown members at the top a second time, which
    takes long: it may be an error of the service or hold messages in a member. One that has
    something known, and whose unknown members were all right before, need not be looked at.
    """

    def __init__(self) -> None:
        self._known = {frozenset[str | int]()}

    def has(self, left_out: list[Path], message: Message) -> bool:
        """Reports whether the unknown things in a message are known to be harmless."""
        names = _at_top(left_out)
        return not names or (names in self._known and bool(message.SerializePartialToString()))

    def add(self, left_out: list[Path]) -> None:
        """Notes the unknown members of an element that was found to be a message."""
        names = _at_top(left_out)
        if not names & ERROR_MEMBERS and len(self._known) < _MAX_REMEMBERED:
            self._known.add(names)


def _at_top(left_out: list[Path]) -> frozenset[str | int]:
    return frozenset(path[0] for path in left_out if len(path) == 1)


class Unknown:
    """One choice of `--unknown` for one input; `index` is the element that is being read.

    Args:
        choice: One of `CHOICES`.
        input_name: The name of the input in messages to people.
        place_of: Returns the place of an element in the input, for people; without an index, that
            of the one that was read last.
        at_end: Whether everything is reported at the end, and nothing while messages are read.
        has_index: Whether each element is one message, so that its index is known.
    """

    def __init__(
        self,
        choice: str,
        input_name: str,
        place_of: Callable[[int | None], str],
        *,
        at_end: bool,
        has_index: bool,
    ) -> None:
        self._choice = choice
        self._input_name = input_name
        self._place_of = place_of
        self._at_end = at_end
        self._has_index = has_index
        self._counts: dict[str, int] = {}
        self._first: dict[str, str] = {}
        self._numbers: dict[str, str | int] = {}
        self._further = 0
        self.index = 0

    @property
    def for_json(self) -> protojson.Unknown:
        """The choice as the functions that read JSON take it."""
        if self._choice == "warn":
            return self.report_path
        return "error" if self.is_error else "ignore"

    @property
    def is_error(self) -> bool:
        """Whether anything unknown makes the input invalid."""
        return self._choice == "error"

    def report_path(self, path: Path) -> None:
        """Reports a path that is left out, if warnings are wanted."""
        self._report("unknown", path_text(path), _pattern(path))

    def report(self, reason: str) -> None:
        """Reports something that is left out, if warnings are wanted."""
        self._report(reason, None, reason)

    @property
    def found(self) -> list[str]:
        """Everything that was left out so far, each path once with its count."""
        found = [
            f"{what}, {count} times" if count > 1 else what for what, count in self._counts.items()
        ]
        return [*found, self._further_words] if self._further else found

    @property
    def _further_words(self) -> str:
        return f"{self._further} more unknown things at further paths"

    def sum_up(self) -> None:
        """Reports what is reported at the end: all things, or those that came several times."""
        for position, (what, count) in enumerate(self._counts.items()):
            if self._at_end:
                if position == _MAX_REPORTED:
                    others = len(self._counts) - position
                    warn(f"{self._input_name}: {others} more unknown paths")
                    break
                times = f"; {count} times {what}" if count > 1 else ""
                warn(f"{self._first[what]}{times}")
            elif count > 1:
                warn(f"{self._input_name}: {count} times {what}")
        if self._further:
            warn(f"{self._input_name}: {self._further_words}")

    def check_wire(self, message: Message) -> None:
        """Removes or refuses the unknown fields of a message that came in the wire format.

        Raises:
            ParseError: There is one, and the choice is to refuse it.
        """
        if self._choice != "ignore":
            for path in unknown_paths(message):
                if self.is_error:
                    reason = "unknown field number"
                    raise ParseError(reason, kind="unknown", path=path, index=self.index)
                self._report("unknown field number", path_text(path), self._wire_pattern(path))
        if not self.is_error:
            without_unknown(message)

    def _wire_pattern(self, path: Path) -> str:
        """Returns the pattern of an unknown number; one for all after the first in a message.

        A bad byte may show as hundreds of numbers.
        """
        within = _pattern(path[:-1])
        first = self._numbers.setdefault(within, path[-1])
        return f"{within}[{path[-1] if path[-1] == first else '*'}]"

    @property
    def _place(self) -> str:
        if self._has_index:
            return f"{self._place_of(self.index)}: element {self.index}"
        return self._place_of(None)

    def _report(self, what: str, place: str | None, pattern: str) -> None:
        if self._choice != "warn":
            return
        key = pattern if place is None else f"{what} at {pattern}"
        if key not in self._counts and len(self._counts) == _MAX_COUNTED:
            self._further += 1
            return
        self._counts[key] = self._counts.get(key, 0) + 1
        if self._counts[key] == 1:
            said = what if place is None else f"{what} at {place}"
            self._first[key] = f"{self._place}: {said}"
            if not self._at_end:
                warn(self._first[key])


def silent(choice: str) -> Unknown:
    """Returns a choice for one message that reports nothing to people: ``error`` or ``ignore``."""
    return Unknown(choice, "", lambda _: "", at_end=True, has_index=False)


def _pattern(path: Path) -> str:
    """Returns the common form of the paths to one field: without the indices."""
    names = [
        path_text((step,)).removeprefix("$") if isinstance(step, str) else "[*]" for step in path
    ]
    return "".join(["$", *names])
