"""Makes the pages of the Python API. Sphinx reads the docstrings when it builds them."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from typing import Any

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message
from public_names import ROOMS
from sphinx.pycode import ModuleAnalyzer

from turnwire import schema

_BUILTIN_ERRORS = "BaseException, Exception, EOFError, ImportError, KeyError, ValueError, Warning"
"""The bases of errors whose attributes are left to Python's documentation."""


def pages_of_code() -> dict[str, str]:
    """Returns a page for each public module, by their paths."""
    homes = _homes()
    made = {f"reference/python/{room}.md": "\n".join(_room(room, homes)) for room in ROOMS}
    contents = "\n".join(ROOMS)
    made["reference/python/index.md"] = f"# Python\n\n```{{toctree}}\n{contents}\n```\n"
    return made


def _homes() -> dict[int, str]:
    """Returns the module that documents each object, by its identity; the others link there.

    Errors are documented together. Everything else has its place at the top, if it is there.
    """
    homes: dict[int, str] = {}
    for room in sorted(ROOMS, key=lambda room: room != "turnwire.errors"):
        module = importlib.import_module(room)
        for name in module.__all__:
            homes.setdefault(id(getattr(module, name)), room)
    return homes


def _room(room: str, homes: dict[int, str]) -> Iterator[str]:
    module = importlib.import_module(room)
    yield f"# {room}"
    yield ""
    yield "```{eval-rst}"
    yield f".. automodule:: {room}"
    yield "   :no-members:"
    yield "```"
    yield ""
    elsewhere, of_schema = [], []
    for name in sorted(module.__all__, key=str.casefold):
        found = getattr(module, name)
        home = homes[id(found)]
        if _is_of_schema(found):
            of_schema.append(_link_to(name, found))
        elif home != room and callable(found):
            elsewhere.append(f"[`{name}`]({home}.md#{name.casefold()})")
        elif not inspect.ismodule(found):
            yield from _entry(room, name, found)
    yield from _list("Documented elsewhere", elsewhere)
    yield from _list("Messages and enums", of_schema)
    yield "---"
    yield ""
    yield f"This page is made of the docstrings of `{room}`."


def _list(heading: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"## {heading}"
        yield ""
        yield from (f"- {line}" for line in lines)
        yield ""


def _entry(room: str, name: str, found: Any) -> Iterator[str]:
    if not callable(found):
        yield from _constant(room, name)
        return
    directive, options = "autofunction", []
    if inspect.isclass(found):
        directive, options = "autoclass", ["members"]
        if issubclass(found, Exception):
            # Some attributes come from a base that is not public.
            options = ["members", "show-inheritance", f"inherited-members: {_BUILTIN_ERRORS}"]
    yield f"## {name}"
    yield ""
    yield "```{eval-rst}"
    yield f".. {directive}:: {room}.{name}"
    for option in options:
        name, _, value = option.partition(": ")
        yield f"   :{name}: {value}".rstrip()
    yield "```"
    yield ""


def _constant(room: str, name: str) -> Iterator[str]:
    """Writes the entry of a constant, whose words stand below it in the module that assigns it."""
    # Underscores around a name would make it bold.
    yield "## " + name.replace("__", r"\_\_")
    yield ""
    yield "```{eval-rst}"
    yield f".. py:data:: {name}"
    yield ""
    for module in [each for each in sys.modules if each.startswith("turnwire")]:
        if name in vars(sys.modules[module]):
            lines = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name), [])
            yield from (f"   {line}".rstrip() for line in lines)
    yield "```"
    yield ""


def _is_of_schema(found: Any) -> bool:
    is_message = isinstance(found, type) and issubclass(found, Message)
    return is_message or isinstance(found, EnumTypeWrapper)


def _link_to(name: str, found: Any) -> str:
    short = schema.short_name(found.DESCRIPTOR.full_name)
    api, _, rest = short.partition(".")
    return f"[`{name}`](../messages/{api}/{rest}.md)"
