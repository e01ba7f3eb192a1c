"""What `--unknown` says to do with what the schema does not know."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from turnwire import protojson
from turnwire.errors import ParseError, Path, path_text

CHOICES = ("error", "ignore", "warn")


class Unknown:
    """One choice of `--unknown` for one input; `index` is the element that is being read."""

    def __init__(self, choice: str, input_name: str) -> None:
        self._choice = choice
        self._input_name = input_name
        self.index = 0

    @property
    def for_json(self) -> protojson.Unknown:
        """The choice as the functions that read JSON take it."""
        if self._choice == "warn":
            return lambda path: self.tell(f"unknown at {path_text(path)}")
        return "error" if self.is_error else "ignore"

    @property
    def is_error(self) -> bool:
        """Whether anything unknown makes the input invalid."""
        return self._choice == "error"

    def tell(self, what: str) -> None:
        """Warns of something that is left out, if warnings are wanted."""
        if self._choice == "warn":
            place = f"{self._input_name}: element {self.index}"
            print(f"turnwire: warning: {place}: {what}", file=sys.stderr)

    def check_wire(self, message: Message) -> None:
        """Looks for unknown fields in a message that came in the wire format."""
        if self._choice == "ignore":
            return
        for path in unknown_paths(message):
            if self.is_error:
                reason = "unknown field number"
                raise ParseError(reason, kind="unknown", path=path, index=self.index)
            self.tell(f"unknown field number at {path_text(path)}")


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
