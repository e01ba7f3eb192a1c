"""The base of all views: frozen values that compare by content, have no hash and print short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from turnwire._renamed import find_in_view

_MAX_SHOWN_CHARACTERS: Final = 40
_MAX_SHOWN_VALUES: Final = 8


class View:
    """A value that is put together from messages; its subclasses are frozen dataclasses.

    Subclasses give ``repr=False`` to the dataclass decorator and list in `_shown` the facts that
    are short and fit for logs: counts and names, never audio, arguments, results or values.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True, repr=False)
    ... class Shelf(View):
    ...     label: str
    ...     jars: tuple[str, ...] = ()
    ...
    ...     def _shown(self):
    ...         return [short_repr(self.label), *counts_repr({"jars": len(self.jars)})]
    >>> Shelf("plums", ("2024", "2025"))
    Shelf('plums', jars=2)
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # A frozen dataclass would get a hash of its fields, which fails because messages have none.
        setattr(cls, "__hash__", None)  # noqa: B010

    if not TYPE_CHECKING:  # A type checker would take every name for an attribute.

        def __getattr__(self, name: str) -> Any:
            return find_in_view(self, name)

    def _shown(self) -> Iterable[str]:
        """The parts of the repr."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._shown())})"


def short_repr(text: str) -> str:
    """Text as the repr of a view shows it: quoted, and cut to some 40 characters.

    >>> short_repr("A" * 100)
    "'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…'"
    """
    cut = len(text) > _MAX_SHOWN_CHARACTERS
    return repr(text[: _MAX_SHOWN_CHARACTERS - 1] + "…" if cut else text)


def short_list_repr(values: Sequence[object]) -> str:
    """Values as the repr of a view shows them: strings cut, and the first few of many.

    >>> short_list_repr(range(100))
    '[0, 1, 2, 3, 4, 5, 6, 7, …]'
    """
    shown = [
        short_repr(value) if isinstance(value, str) else repr(value)
        for value in values[:_MAX_SHOWN_VALUES]
    ]
    if len(values) > _MAX_SHOWN_VALUES:
        shown.append("…")
    return f"[{', '.join(shown)}]"


def counts_repr(counts: Mapping[str, int]) -> list[str]:
    """Counts as the repr of a view shows them; those that are 0 are left out.

    >>> counts_repr({"images": 2, "payloads": 0})
    ['images=2']
    """
    return [f"{name}={count}" for name, count in counts.items() if count]
