"""Finds what an old name means now, and warns: a name that goes works for one minor version."""

from __future__ import annotations

import importlib
import warnings
from typing import Any, Final, NamedTuple


class Renamed(NamedTuple):
    """A name that goes.

    Attributes:
        new: The name in its place.
        gone_in: The minor version that no longer has the old name.
    """

    new: str
    gone_in: str


NAMES: Final = {
    "turnwire.ces.SessionUpdate": Renamed("Session", "0.3"),
    "turnwire.ces.duration_of": Renamed("duration_ns_of", "0.3"),
    "turnwire.ces.durations_of": Renamed("durations_ns_of", "0.3"),
}
"""Old names in modules, in full."""

ATTRIBUTES: Final = {
    "Answer.complete": Renamed("completed", "0.3"),
    "Answer.duration": Renamed("duration_ns", "0.3"),
    "Step.duration": Renamed("duration_ns", "0.3"),
    "ToolExchange.duration": Renamed("duration_ns", "0.3"),
}
"""Old attributes of views, with the class."""


def find_in_module(module: str, name: str) -> Any:
    """Returns the object that an old name of a module means now.

    Raises:
        AttributeError: The module never had that name.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     find_in_module("turnwire.ces", "SessionUpdate").__name__
    'Session'
    >>> print(caught[0].message)
    turnwire.ces.SessionUpdate is Session now; version 0.3 will not have the old name
    """
    renamed = NAMES.get(f"{module}.{name}")
    if renamed is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    _warn(f"{module}.{name}", renamed)
    return getattr(importlib.import_module(module), renamed.new)


def find_in_view(view: object, name: str) -> Any:
    """Returns the value that an old attribute of a view has now.

    Raises:
        AttributeError: The view never had that attribute.
    """
    owner = type(view).__name__
    renamed = ATTRIBUTES.get(f"{owner}.{name}")
    if renamed is None:
        raise AttributeError(f"{owner!r} object has no attribute {name!r}", name=name, obj=view)
    _warn(f"{owner}.{name}", renamed)
    return getattr(view, renamed.new)


def _warn(old: str, renamed: Renamed) -> None:
    text = f"{old} is {renamed.new} now; version {renamed.gone_in} will not have the old name"
    # The line that asks is two calls above: the finder, and the __getattr__ that called it.
    warnings.warn(text, DeprecationWarning, stacklevel=4)
