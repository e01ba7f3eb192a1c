"""A public name of the last release still works: as it did, or with a warning for one version."""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.cases import for_each

import turnwire
from turnwire import _renamed, ces

RELEASED = (Path(__file__).parent / "public_names.txt").read_text(encoding="utf-8").split()
VERSION = tuple(map(int, turnwire.__version__.split(".")[:2]))


def found(name: str) -> bool:
    """Reports whether a public name leads to something."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            holder: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        return all(has(holder := step(holder, at), each) for at, each in steps(parts, length))
    return False


def steps(parts: list[str], length: int) -> list[tuple[str | None, str]]:
    """Returns each name to look up, with the one that led to its holder."""
    rest = parts[length:]
    return list(zip([None, *rest], rest, strict=False))


def step(holder: Any, name: str | None) -> Any:
    return holder if name is None else getattr(holder, name)


def has(holder: Any, name: str) -> bool:
    if isinstance(holder, ModuleType):
        return hasattr(holder, name)
    # An attribute of a class may be a field of its instances alone.
    fields = getattr(holder, "__annotations__", {})
    inherited = {each for base in holder.__mro__ for each in getattr(base, "__annotations__", {})}
    is_renamed = f"{holder.__name__}.{name}" in _renamed.ATTRIBUTES
    return hasattr(holder, name) or name in fields or name in inherited or is_renamed


@for_each("name", RELEASED)
def test_a_name_of_the_last_release(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        assert found(name), f"{name} is gone; give it a line in turnwire/_renamed.py"


def test_a_name_that_never_was() -> None:
    assert not found("turnwire.ces.Sessions")
    assert not found("turnwire.ces.Session.turn")
    assert not found("turnwire.nothing")
    for owner in (ces, ces.Session.collect([])):
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            _ = owner.nothing  # type: ignore[attr-defined]


@for_each("old", _renamed.NAMES)
def test_an_old_name_warns_where_it_is_used(old: str) -> None:
    module, _, name = old.rpartition(".")
    with pytest.warns(DeprecationWarning, match=_renamed.NAMES[old].new) as caught:
        value = getattr(importlib.import_module(module), name)
    assert caught[0].filename == __file__
    assert value is getattr(importlib.import_module(module), _renamed.NAMES[old].new)


def test_an_old_attribute_warns_where_it_is_used() -> None:
    response = ces.Chunk(tool_response=ces.ToolResponse(id="a", display_name="locate"))
    [exchange] = ces.Session.collect(ces.Message(chunks=[response])).tool_exchanges
    with pytest.warns(DeprecationWarning, match=r"ToolExchange.duration is duration_ns") as caught:
        value = exchange.duration  # type: ignore[attr-defined]
    assert caught[0].filename == __file__
    assert value == exchange.duration_ns


@for_each("old", [*_renamed.NAMES, *_renamed.ATTRIBUTES])
def test_an_old_name_goes_in_time(old: str) -> None:
    renamed = (_renamed.NAMES | _renamed.ATTRIBUTES)[old]
    gone_in = tuple(map(int, renamed.gone_in.split(".")))
    assert gone_in > VERSION, f"{old} was to go in {renamed.gone_in}"
