"""Keeps the things that a reading leaves out, and finds their paths when all went well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from turnwire.errors import Path
from turnwire.protojson._pure._values import inner_values

_Key = str | int | Path | None


class LeftOut:
    """The things that were left out, by the objects and arrays in which they stand.

    Attributes:
        entries: The container of each, with its keys: names, indices, or paths within an item that
            is forgotten; None is the container itself.
    """

    __slots__ = ("_marked", "entries")

    def __init__(self) -> None:
        self.entries: list[tuple[object, list[_Key]]] = []
        self._marked = 0

    def add(self, container: object, key: _Key) -> None:
        """Adds something that stands in a container."""
        last = self.entries[-1] if len(self.entries) > self._marked else None
        if last is not None and last[0] is container:
            last[1].append(key)
        else:
            self.entries.append((container, [key]))

    def mark(self) -> int:
        """Returns how many entries there are, for a later call of `moved`."""
        self._marked = len(self.entries)
        return self._marked

    def moved(self, copy: object, original: object, since: int) -> None:
        """Records that an object was read from a copy: things left out stand in the original."""
        self.entries[since:] = [
            (original if container is copy else container, keys)
            for container, keys in self.entries[since:]
        ]

    def settle(self, array: object, index: int, item: object, since: int) -> None:
        """Finds the paths of what was left out in an item of an array before it is forgotten."""
        recent = self.entries[since:]
        del self.entries[since:]
        within = [entry for entry in recent if entry[0] is not array]
        for path in _paths(item, within):
            self.add(array, (index, *path))
        for container, keys in recent:
            if container is array:
                for key in keys:
                    self.add(array, key)

    def paths(self, root: object) -> Iterator[Path]:
        """Yields the paths of everything that was left out of a value, in document order."""
        return _paths(root, self.entries)


def _paths(root: object, entries: list[tuple[object, list[_Key]]]) -> Iterator[Path]:
    """Yields the paths of everything that was left out of a value; takes it out of the entries."""
    keys_in: dict[int, list[_Key]] = {}
    for container, keys in entries:
        # There may be millions: no list is copied that is the only one of its container.
        known = keys_in.setdefault(id(container), keys)
        if known is not keys:
            known += keys
    if None in keys_in.get(id(root), ()):
        yield ()
    names: dict[int, set[_Key]] = {}
    for container, keys in entries:
        if keys is not keys_in[id(container)]:
            continue
        if isinstance(container, Mapping) and not _are_in_order(keys, container):
            # An object of Python may stand in several places.
            names[id(container)] = set(keys)
        keys.reverse()
    for container, steps, _ in inner_values(root, scalars_of=keys_in):
        if id(container) in names:
            if steps[-1] in names[id(container)]:
                yield tuple(steps)
            continue
        left = keys_in.get(id(container))
        while left and _index_of(left[-1]) == steps[-1]:
            key = left.pop()
            yield (*steps[:-1], *key) if isinstance(key, tuple) else tuple(steps)


def _are_in_order(keys: list[_Key], members: Iterable[object]) -> bool:
    names = iter(members)
    return all(key in names for key in keys)


def _index_of(key: _Key) -> _Key:
    return key[0] if isinstance(key, tuple) else key
