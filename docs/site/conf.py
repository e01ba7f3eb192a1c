"""Configures Sphinx for the pages that `make docs` gathers in build/site-source."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

from sphinx.util.nodes import make_refnode

import turnwire
from turnwire import schema
from turnwire._views import View

project = "Turnwire"
author = "The Turnwire developers"
version = release = turnwire.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]

html_theme = "furo"
html_title = f"Turnwire {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

exclude_patterns = ["docs/site/**"]
# The type of an attribute is found more than once where an attribute is called `type`.
suppress_warnings = ["ref.python"]

# The headings of a page have the anchors that a forge gives them, so that one link fits both.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

# Docstrings are written with Markdown's backticks: a name of Python's, or code.
default_role = "py:obj"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = False
# The types of attributes are added below, by the names that the source has for them.
napoleon_attr_annotations = False

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]+)?\)")


def _only_links_to_pages(app: Any, name: str, source: list[str]) -> None:
    """Turns a link to a file that is not a page into its text."""

    def link(found: re.Match[str]) -> str:
        return found[0] if found[2].endswith(".md") else found[1]

    source[0] = _LINK.sub(link, source[0])


_RAISES = re.compile(r"^ {4}\w+(, \w+)*:")
_SHARED = re.compile(r"\b(ParseError|SerializeError)\b(?=.*:)")


def _errors_by_full_names(
    app: Any, kind: str, name: str, found: object, options: object, lines: list[str]
) -> None:
    """Names the errors below Raises in full, since two modules have some of these names."""
    if not name.startswith("turnwire.json_format."):
        for number, line in enumerate(lines):
            if found := _RAISES.match(line):
                names = _SHARED.sub(r"~turnwire.errors.\1", found[0])
                lines[number] = names + line[found.end() :]


_SPAN = re.compile(r"(`+[^`]+`+)(\w?)")


def _plurals(
    app: Any, kind: str, name: str, found: object, options: object, lines: list[str]
) -> None:
    """Separates code from letters behind it, as in `Turn`s, where Sphinx needs a mark."""
    for number, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            lines[number] = _SPAN.sub(
                lambda span: f"{span[1]}\\ {span[2]}" if span[2] else span[1], line
            )


def _no_types_in_words(
    app: Any, kind: str, name: str, found: object, options: object, lines: list[str]
) -> None:
    """Puts the words before a colon back, which napoleon takes for the type of a property."""
    for number, line in enumerate(lines if kind == "property" else ()):
        if line.startswith(":type: "):
            lines[0] = f"{line.removeprefix(':type: ')}: {lines[0]}"
            del lines[number]
            return


_ATTRIBUTE = re.compile(r"\.\. attribute:: (\w+)$")


def _types_of_attributes(
    app: Any, kind: str, name: str, found: object, options: object, lines: list[str]
) -> None:
    """Adds the types of a class's attributes, as the source has them."""
    if not inspect.isclass(found):
        return
    types = {name: each.annotation for name, each in _parameters(found).items()}
    for base in reversed(found.__mro__):
        types |= vars(base).get("__annotations__", {})
    for number in range(len(lines) - 1, -1, -1):
        attribute = _ATTRIBUTE.match(lines[number])
        if attribute and isinstance(types.get(attribute[1]), str):
            lines.insert(number + 1, f"   :type: {types[attribute[1]]}")


def _parameters(found: type) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(found).parameters)
    except ValueError:
        return {}


def _no_signature_of_views(
    app: Any, kind: str, name: str, found: object, options: object, signature: str, result: str
) -> tuple[str, str] | None:
    """Leaves out the parameters of views, which their attributes repeat: `collect` makes them."""
    return ("", "") if inspect.isclass(found) and issubclass(found, View) else None


def _no_field_of_a_tuple(
    app: Any, kind: str, name: str, found: object, skip: bool, options: object
) -> bool | None:
    """Leaves out the fields of a named tuple, which are below Attributes in its docstring."""
    return True if type(found).__name__ == "_tuplegetter" else None


def _page_of_declaration(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Links the class of a message or enum to its page."""
    module, _, name = node["reftarget"].rpartition(".")
    try:
        found = getattr(importlib.import_module(module or node["py:module"]), name)
        api, _, rest = schema.short_name(found.DESCRIPTOR.full_name).partition(".")
    except (AttributeError, ImportError, KeyError, TypeError, ValueError):
        return None
    page = f"reference/messages/{api}/{rest}"
    if page not in env.found_docs:
        return None
    return make_refnode(app.builder, node["refdoc"], page, None, content)


def setup(app: Any) -> None:
    """Connects what changes a page before it is read, and what finds targets of links."""
    app.connect("source-read", _only_links_to_pages)
    # Before napoleon, which turns the sections into fields at priority 500.
    app.connect("autodoc-process-docstring", _errors_by_full_names, priority=400)
    app.connect("autodoc-process-docstring", _plurals, priority=400)
    app.connect("autodoc-process-docstring", _no_types_in_words, priority=600)
    app.connect("autodoc-process-docstring", _types_of_attributes, priority=600)
    app.connect("autodoc-process-signature", _no_signature_of_views)
    app.connect("autodoc-skip-member", _no_field_of_a_tuple)
    app.connect("missing-reference", _page_of_declaration)
