"""What `--unknown` says to do with what the schema does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from turnwire import protojson
from turnwire._cli.standard import warn
from turnwire.errors import ParseError, Path, path_text

CHOICES = ("error", "ignore", "warn")


class Unknown:
    """One choice of `--unknown` for one input; `index` is the element that is being read.

    Args:
        choice: One of `CHOICES`.
        input_name: What people know the input as.
        place_of: Where in the input an element is, for people.
    """

    def __init__(self, choice: str, input_name: str, place_of: Callable[[int], str]) -> None:
        self._choice = choice
        self._input_name = input_name
        self._place_of = place_of
        self._counts: Counter[str] = Counter()
        self.index = 0

    @property
    def for_json(self) -> protojson.Unknown:
        """The choice as the functions that read JSON take it."""
        if self._choice == "warn":
            return lambda path: self._tell_once("unknown", path_text(path), _pattern(path))
        return "error" if self.is_error else "ignore"

    @property
    def is_error(self) -> bool:
        """Whether anything unknown makes the input invalid."""
        return self._choice == "error"

    def tell(self, what: str) -> None:
        """Warns of something that is left out, if warnings are wanted."""
        if self._choice == "warn":
            warn(f"{self._place_of(self.index)}: element {self.index}: {what}")

    def sum_up(self) -> None:
        """Warns of how often there was what was told only the first time."""
        for what, count in self._counts.items():
            if count > 1:
                warn(f"{self._input_name}: {count} times {what}")

    def check_wire(self, message: Message) -> None:
        """Looks for unknown fields in a message that came in the wire format."""
        if self._choice == "ignore":
            return
        for path in unknown_paths(message):
            if self.is_error:
                reason = "unknown field number"
                raise ParseError(reason, kind="unknown", path=path, index=self.index)
            # The number of the field itself stays.
            pattern = f"{_pattern(path[:-1])}[{path[-1]}]"
            self._tell_once("unknown field number", path_text(path), pattern)

    def _tell_once(self, what: str, place: str, pattern: str) -> None:
        self._counts[f"{what} at {pattern}"] += 1
        if self._counts[f"{what} at {pattern}"] == 1:
            self.tell(f"{what} at {place}")


def unknown_paths(message: Message, path: Path = ()) -> Iterator[Path]:
    r"""The path of every unknown field; its last step is the number of the field.

    >>> from turnwire import ces
    >>> message = ces.Message.FromString(b"\x12\x03\xa0\x3f\x01")
    >>> [path_text(path) for path in unknown_paths(message)]
    ['$.chunks[0][1012]']
    """
    unknown = UnknownFieldSet(message)
    for position in range(len(unknown)):
        yield (*path, unknown[position].field_number)
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type is not None:
                for key, item in value.items():
                    yield from unknown_paths(item, (*path, field.json_name, str(key)))
        elif field.is_repeated:
            for index, item in enumerate(value):
                yield from unknown_paths(item, (*path, field.json_name, index))
        else:
            yield from unknown_paths(value, (*path, field.json_name))


def _pattern(path: Path) -> str:
    """What the paths to one field have in common: all but the indices."""
    names = [
        path_text((step,)).removeprefix("$") if isinstance(step, str) else "[*]" for step in path
    ]
    return "".join(["$", *names])
