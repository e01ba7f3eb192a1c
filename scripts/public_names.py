"""Lists the public names: those of each public module, and the attributes of each class in it.

    python scripts/public_names.py > tests/structure/public_names.txt

That file holds the names of the last release. A test proves that each of them still works, at
least with a warning; write it again after each release.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
from collections.abc import Iterator

from google.protobuf.message import Message

from turnwire._apis import APIS

ROOMS = (
    *("turnwire", "turnwire.errors", "turnwire.protojson", "turnwire.json_format"),
    *("turnwire.streams", "turnwire.schema", "turnwire.arrow", "turnwire.charts"),
    *(api.views for api in APIS),
    *("turnwire.check", "turnwire.report", "turnwire.bulk"),
)
"""The public modules, in the order in which people read of them."""


def public_names() -> list[str]:
    """Returns all public names in full, sorted."""
    return sorted({name for room in ROOMS for name in _names_of(room)})


def _names_of(room: str) -> Iterator[str]:
    module = importlib.import_module(room)
    for name in module.__all__:
        yield f"{room}.{name}"
        found = getattr(module, name)
        if inspect.isclass(found) and not issubclass(found, Message):
            yield from (f"{room}.{name}.{attribute}" for attribute in attributes_of(found))


def attributes_of(owner: type) -> Iterator[str]:
    """Yields the public attributes that a class of ours or one of its bases of ours defines."""
    if dataclasses.is_dataclass(owner):
        yield from (each.name for each in dataclasses.fields(owner) if each.name[0] != "_")
    for base in owner.__mro__:
        if base.__module__.partition(".")[0] == "turnwire":
            yield from (name for name in vars(base) if not name.startswith("_"))


if __name__ == "__main__":
    print("\n".join(public_names()))
