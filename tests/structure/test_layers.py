"""A layer imports only layers to its left, as the sources say: imports in functions count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src"

LAYERS = {
    # What knows nothing of the rest, and is imported by any layer.
    "turnwire.errors": "base",
    "turnwire._apis": "base",
    "turnwire._backend": "base",
    "turnwire._arguments": "base",
    "turnwire._replacing": "base",
    "turnwire._time": "base",
    "turnwire._media": "base",
    "turnwire._views": "base",
    "turnwire._required": "base",
    "turnwire._declarations": "schema",
    "turnwire.schema": "schema",
    "turnwire.protojson": "protojson",
    "turnwire._core": "protojson",
    "turnwire._native": "protojson",
    "turnwire._native_types": "protojson",
    # Framing knows no messages; what stands above it does.
    "turnwire.streams": "framing",
    "turnwire.streams.__init__": "streams",
    "turnwire.streams._reader": "streams",
    "turnwire.streams._writer": "streams",
    "turnwire.ces": "ces",
    "turnwire.geminidataanalytics": "geminidataanalytics",
    "turnwire.__init__": "package",
    "turnwire._cli": "command line",
    "turnwire.__main__": "command line",
}
"""The layer of each module, by the longest name that it begins with."""

ALLOWED = {
    "base": set(),
    "schema": {"base"},
    "protojson": {"base"},
    "framing": {"base"},
    "streams": {"base", "protojson", "framing"},
    "ces": {"base", "protojson"},
    "geminidataanalytics": {"base", "protojson"},
    "package": {"base", "schema", "protojson", "streams"},
    "command line": set(LAYERS.values()),
}
"""What each layer may import besides itself."""


def modules() -> dict[str, Path]:
    """Every module by its name; that of a package ends in ``__init__``."""
    paths = (SRC / "turnwire").rglob("*.py")
    return {".".join(path.relative_to(SRC).with_suffix("").parts): path for path in paths}


MODULES = modules()


def imported(path: Path) -> Iterator[str]:
    """The modules of the package that a module imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            # `from package import name` imports a module of that name, where there is one.
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "turnwire":
                yield module_of(name)


def module_of(name: str) -> str:
    for candidate in (name, f"{name}.__init__"):
        if candidate in MODULES:
            return candidate
    return module_of(name.rpartition(".")[0])


def layer_of(module: str) -> str:
    prefix = max(
        (known for known in LAYERS if f"{module}.".startswith(f"{known}.")), key=len, default=None
    )
    assert prefix is not None, f"{module} is in no layer: say in which"
    return LAYERS[prefix]


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_layers_to_its_left(module: str) -> None:
    layer = layer_of(module)
    wrong = [
        f"{other} ({layer_of(other)})"
        for other in imported(MODULES[module])
        if layer_of(other) not in ALLOWED[layer] | {layer}
    ]
    assert wrong == [], f"{module} ({layer}) imports what is to its right"


def test_the_layers_are_in_an_order() -> None:
    """No two layers may import each other, over however many others."""
    left = {layer: ALLOWED[layer] - {layer} for layer in ALLOWED}
    while left:
        first = [layer for layer, others in left.items() if not others & left.keys()]
        assert first, f"{sorted(left)} import each other"
        for layer in first:
            del left[layer]


def test_the_imports_are_found() -> None:
    assert "turnwire.protojson.__init__" in imported(MODULES["turnwire.streams._reader"])
    assert "turnwire._backend" in imported(MODULES["turnwire.streams._scan"])
