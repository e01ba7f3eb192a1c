"""The modules of the native core: those that touch Python stand apart, and none are in a circle."""

from __future__ import annotations

import re
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "native" / "src"
USE = re.compile(r"^use ((?:crate|super)::[^;]+);", re.MULTILINE)


def modules() -> dict[str, str]:
    """The code of each module by its path below the crate, without its tests."""
    found = {}
    for file in SOURCES.rglob("*.rs"):
        parts = file.relative_to(SOURCES).with_suffix("").parts
        if parts[0] in ("fuzz", "lib"):
            continue
        name = "::".join(parts[:-1] if parts[-1] == "mod" else parts)
        found[name] = file.read_text(encoding="utf-8").split("#[cfg(test)]")[0]
    return found


def expanded(path: str) -> list[str]:
    """The paths of one `use`, without braces."""
    head, brace, rest = path.partition("{")
    if not brace:
        return [path]
    # Braces do not nest here, except for the last item.
    return [head + item.strip() for item in re.split(r",(?![^{]*})", rest.rstrip("} \n")) if item]


def uses(name: str, code: str, names: set[str]) -> set[str]:
    """The modules that a module names."""
    targets = set()
    for path in USE.findall(code):
        for item in expanded(re.sub(r"\s+", " ", path)):
            parts = item.split("::")
            folder = name.split("::")[:-1] if parts[0] == "super" else []
            parts = folder + parts[1:]
            while parts and "::".join(parts) not in names:
                parts = parts[:-1]
            targets.add("::".join(parts))
    return targets - {name, ""}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A circle in a graph, or nothing."""
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        for target in sorted(graph.get(name, ())):
            if found := visit(target, [*path, name]):
                return found
        done.add(name)
        return []

    for name in sorted(graph):
        if found := visit(name, []):
            return found
    return []


def test_circles_are_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    names = {"a::b", "a::c", "d", "a"}
    code = "use super::c::{X, Y};\nuse crate::{d, a::b};\n"
    assert uses("a::b", code, names) == {"a::c", "d"}


def test_no_module_is_in_a_circle() -> None:
    found = modules()
    assert len(found) > 30
    graph = {name: uses(name, code, set(found)) for name, code in found.items()}
    assert sum(map(len, graph.values())) > 60
    # A folder re-exports its modules, which do not name it.
    for name in graph:
        if any(other.startswith(name + "::") for other in graph):
            graph[name] |= {other for other in graph if other.startswith(name + "::")}
    assert circle(graph) == []


def test_no_folder_is_in_a_circle() -> None:
    found = modules()
    graph: dict[str, set[str]] = {}
    for name, code in found.items():
        folder = name.split("::")[0]
        targets = {target.split("::")[0] for target in uses(name, code, set(found))}
        graph.setdefault(folder, set()).update(targets - {folder})
    assert circle(graph) == []
    assert all("python" not in targets for targets in graph.values())


def test_only_one_folder_touches_python() -> None:
    for name, code in modules().items():
        assert ("pyo3" in code) <= name.startswith("python"), name
