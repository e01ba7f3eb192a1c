"""Configures Sphinx for the pages that `make docs` gathers in build/site-source."""

from __future__ import annotations

import re
from typing import Any

import turnwire

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

# Docstrings are written with Markdown's backticks.
default_role = "code"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

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


def setup(app: Any) -> None:
    """Connects what changes a page before it is read."""
    app.connect("source-read", _only_links_to_pages)
    # Before napoleon, which turns the sections into fields at priority 500.
    app.connect("autodoc-process-docstring", _errors_by_full_names, priority=400)
