"""Public names have docstrings, and those of functions and classes have an example that runs."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message
from public_names import ROOMS
from support.cases import for_each


def public(room: str) -> Iterator[tuple[str, Any]]:
    """Yields the functions and classes that a room defines and makes public, by their names."""
    module = importlib.import_module(room)
    for name in module.__all__:
        found = getattr(module, name)
        is_message = isinstance(found, type) and issubclass(found, Message)
        is_ours = getattr(found, "__module__", "").partition(".")[0] == "turnwire"
        if (inspect.isfunction(found) or inspect.isclass(found)) and is_ours and not is_message:
            yield f"{room}.{name}", found


def members(owner: object) -> Iterator[tuple[str, Any]]:
    """Yields the public methods and properties that a class defines, by their names."""
    for name, found in vars(owner).items():
        if not name.startswith("_"):
            if isinstance(found, property):
                yield name, found.fget
            elif isinstance(found, classmethod | staticmethod):
                yield name, found.__func__
            elif inspect.isfunction(found):
                yield name, found


PUBLIC = {name: found for room in ROOMS for name, found in public(room)}


@for_each("name", PUBLIC)
def test_a_public_name_has_a_docstring_with_an_example(name: str) -> None:
    text = inspect.getdoc(PUBLIC[name]) or ""
    assert ">>> " in text, f"{name} has no example"
    if inspect.isclass(PUBLIC[name]):
        for member, function in members(PUBLIC[name]):
            assert function.__doc__, f"{name}.{member} has no docstring"


@for_each("name", PUBLIC)
def test_a_docstring_names_each_of_several_arguments(name: str) -> None:
    found = PUBLIC[name]
    functions = members(found) if inspect.isclass(found) else [(name, found)]
    for member, function in functions:
        arguments = inspect.signature(function).parameters.keys() - {"self", "cls"}
        if len(arguments) > 1:
            text = inspect.getdoc(function) or ""
            missing = [each for each in arguments if f"{each}: " not in text]
            assert missing == [], f"{member} does not document {missing}"


def test_the_public_names_are_found() -> None:
    assert {"turnwire.from_json", "turnwire.streams.Framer", "turnwire.ces.Session"} <= set(PUBLIC)
