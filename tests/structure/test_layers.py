"""A module imports only from rooms before its own, and nothing imports in a circle.

Imports in functions count too, and so do those for type checkers.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from turnwire._apis import APIS

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
NATIVE = ROOT / "native" / "src"

# Rooms of one step do not import each other, except for the first step, which rooms share.
ORDERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "turnwire": (
        (
            "errors",
            "_apis",
            "_backend",
            "_arguments",
            "_byte_ranges",
            "_media",
            "_notebooks",
            "_plain_json",
            "_renamed",
            "_printable",
            "_replacing",
            "_required",
            "_shown",
            "_time",
            "_views",
        ),
        ("protojson",),
        ("json_format", "streams"),
        ("schema", "arrow", "charts"),
        tuple(api.name for api in APIS),
        ("check", "report"),
        ("bulk",),
        ("__init__",),
        ("_cli",),
        ("__main__",),
    ),
    "turnwire.protojson": (
        ("_options", "_columns", "_caches", "_arguments"),
        ("_pure",),
        ("_accelerator",),
        ("_face", "_like_json_format"),
        ("_merging",),
        ("__init__",),
    ),
}
"""The rooms of a package in their order: each imports only from those before it."""

PARTS = {"_declarations": "schema"}
"""Modules beside a room that are parts of it."""


def modules(root: Path) -> dict[str, Path]:
    """Every module of a package by its name; that of a package ends in ``__init__``."""
    paths = root.rglob("*.py")
    return {".".join(path.relative_to(root.parent).with_suffix("").parts): path for path in paths}


MODULES = modules(SRC / "turnwire")


def imported(path: Path) -> Iterator[str]:
    """The names of modules, and of things in them, that a module imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            # `from package import name` imports a module of that name, where there is one.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(name: str) -> str:
    """The module that a name stands for or stands in."""
    for candidate in (name, f"{name}.__init__"):
        if candidate in MODULES:
            return candidate
    return module_of(name.rpartition(".")[0])


IMPORTS: dict[str, set[str]] = {
    module: {module_of(name) for name in imported(path) if name.partition(".")[0] == "turnwire"}
    - {module}
    for module, path in MODULES.items()
}


def circles(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """The nodes that are left when all have gone whose targets have gone."""
    left = {node: set(targets) & graph.keys() for node, targets in graph.items()}
    while left:
        done = {node for node, targets in left.items() if not targets & left.keys()}
        if not done:
            # Those that only lead to a circle are not in it.
            ends = {node for targets in left.values() for node in targets}
            outside = left.keys() - ends
            if not outside:
                return sorted(left)
            done = set(outside)
        for node in done:
            del left[node]
    return []


def children(package: str) -> dict[str, set[str]]:
    """The parts of a package, modules and packages, and which of the others each imports."""
    graph: dict[str, set[str]] = {}
    prefix = f"{package}."
    for module, targets in IMPORTS.items():
        if not module.startswith(prefix):
            continue
        child = child_of(module, prefix)
        others = {child_of(target, prefix) for target in targets if target.startswith(prefix)}
        graph.setdefault(child, set()).update(others - {child})
    return graph


def child_of(module: str, prefix: str) -> str:
    return module.removeprefix(prefix).partition(".")[0]


PACKAGES = sorted({module.rpartition(".")[0] for module in MODULES})


@pytest.mark.parametrize("package", ORDERS)
def test_a_room_imports_only_from_rooms_before_it(package: str) -> None:
    steps = {room: step for step, rooms in enumerate(ORDERS[package]) for room in rooms}
    wrong = []
    for child, targets in children(package).items():
        room = PARTS.get(child, child)
        assert room in steps, f"{package}.{child} is in no room: put it into the order"
        for target in targets:
            other = PARTS.get(target, target)
            assert other in steps, f"{package}.{target} is in no room: put it into the order"
            shared = steps[room] == steps[other] == 0
            if other != room and not shared and steps[other] >= steps[room]:
                wrong.append(f"{child} imports {target}")
    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_parts_of_a_package_form_no_circle(package: str) -> None:
    assert circles(children(package)) == []


def test_modules_form_no_circle() -> None:
    assert circles(IMPORTS) == []


def test_framing_knows_no_messages() -> None:
    readers = ("_reader", "_decoder", "_members", "_refusals", "_unknown", "_wrapped")
    above = {f"turnwire.streams.{name}" for name in ("__init__", "_writer", *readers)}
    base = {f"turnwire.{room}" for room in ORDERS["turnwire"][0]}
    for module, targets in IMPORTS.items():
        if module.startswith("turnwire.streams.") and module not in above:
            wrong = {other for other in targets if not other.startswith("turnwire.streams.")} - base
            assert not wrong, f"{module} imports {wrong}"
            assert not targets & above, f"{module} imports {targets & above}"


def test_the_imports_are_found() -> None:
    assert "turnwire.protojson.__init__" in IMPORTS["turnwire.streams._reader"]
    assert "turnwire._backend" in IMPORTS["turnwire.streams._scan"]
    assert "protojson" in children("turnwire")["streams"]


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": ()}) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == ["b", "c"]


def test_one_module_imports_the_core() -> None:
    importers = {
        module
        for module, path in MODULES.items()
        if any(name.partition(".")[0] == "turnwire_native" for name in imported(path))
        or '"turnwire_native"' in path.read_text(encoding="utf-8")
    }
    assert importers == {"turnwire._backend"}


def test_one_module_looks_a_room_above_it_up_by_name() -> None:
    """`_repr_html_` of views needs the markup, which imports the views."""
    naming = {
        module
        for module, path in MODULES.items()
        if '"turnwire.report' in path.read_text(encoding="utf-8")
        and not module.startswith("turnwire.report.")
    }
    assert naming == {"turnwire._notebooks"}


def test_every_module_is_imported_where_the_core_is_not_installed() -> None:
    """Doctests are collected by importing every module."""
    names = [module.removesuffix(".__init__") for module in MODULES]
    names.remove("turnwire.__main__")
    program = "import importlib, sys\nsys.modules['turnwire_native'] = None\n"
    program += f"for name in {names}: importlib.import_module(name)\n"
    program += "import turnwire; assert turnwire.backend == 'pure'"
    environment = {key: value for key, value in os.environ.items() if "TURNWIRE" not in key}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)


def rust_modules() -> dict[str, Path]:
    """The core's modules by their paths, without the searches, which only tests compile."""
    found = {}
    for path in NATIVE.rglob("*.rs"):
        parts = path.relative_to(NATIVE).with_suffix("").parts
        if parts[0] != "fuzz":
            found["::".join(parts[:-1] if parts[-1] == "mod" else parts)] = path
    return found


RUST = rust_modules()


def rust_uses(module: str) -> Iterator[str]:
    """The modules whose items a module of the core uses, by `crate::`, `super::` or `self::`."""
    source = re.sub(r"//.*", "", RUST[module].read_text(encoding="utf-8"))
    source = source.partition("#[cfg(test)]\nmod ")[0]
    for root, rest in re.findall(r"\b(crate|super)::((?:[^;{}]|\{[^;]*?\})+)", source):
        base = [] if root == "crate" else module.split("::")[:-1]
        for path in spread(rest):
            parts = [*base, *path.split("::")]
            while parts and "::".join(parts) not in RUST:
                parts.pop()
            yield "::".join(parts) if parts else "lib"


def spread(path: str) -> Iterator[str]:
    """The paths of a `use` with braces, one by one: `a::{b, c::d}` is `a::b` and `a::c::d`."""
    match = re.match(r"\s*([\w:]*?)(?:::)?\{(.*)\}\s*$", path, re.DOTALL)
    if match is None:
        yield re.split(r"[^\w:]", path.strip())[0]
        return
    depth = 0
    piece = ""
    for character in match[2] + ",":
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            if piece.strip():
                yield from (f"{match[1]}::{inner}".strip(":") for inner in spread(piece))
            piece = ""
        else:
            piece += character


def test_modules_of_the_core_form_no_circle() -> None:
    graph = {module: set(rust_uses(module)) - {module} for module in RUST}
    assert circles(graph) == []
    folders: dict[str, set[str]] = {}
    for module, targets in graph.items():
        folder = module.partition("::")[0]
        folders.setdefault(folder, set()).update(target.partition("::")[0] for target in targets)
    assert circles({folder: targets - {folder} for folder, targets in folders.items()}) == []
    assert any(graph.values())


def test_one_folder_of_the_core_knows_python() -> None:
    knowing = {
        module.partition("::")[0]
        for module, path in RUST.items()
        if "pyo3" in path.read_text(encoding="utf-8")
    }
    assert knowing == {"python"}
