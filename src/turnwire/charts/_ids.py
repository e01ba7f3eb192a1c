"""Checks an SVG that was drawn, and gives its ids names that do not collide in a page."""

from __future__ import annotations

import hashlib
import html
import re
from typing import Final

from turnwire.errors import ChartError, excerpt

# The renderer escapes `<`, `>` and quotes in texts and values, so that a tag ends at the next `>`.
_TAG: Final = re.compile(r"<[a-zA-Z][^<>]*>")
_ID: Final = re.compile(r'(?<=\sid=")[^"]*(?=")')
_HREF: Final = re.compile(r'\s(?:xlink:)?href="([^"]*)"')
_URL: Final = re.compile(r"url\(([^)\"]*)\)")
_HANDLER: Final = re.compile(r'\son[a-z]+="')


def with_ids(svg: str, prefix: str | None) -> str:
    """Returns an SVG with new ids: the prefix, or one made of its content, and a number.

    Raises:
        ChartError: It refers to something outside.

    >>> with_ids('<svg><g fill="url(#g7)"/><path id="g7"/></svg>', "a-")
    '<svg><g fill="url(#a-0)"/><path id="a-0"/></svg>'
    """
    ids = [name for tag in _TAG.findall(svg) for name in _ID.findall(tag)]
    numbers = {name: number for number, name in enumerate(ids)}
    if prefix is None:
        prefix = f"chart-{hashlib.sha256(_renamed(svg, numbers, '').encode()).hexdigest()[:12]}-"
    return _renamed(svg, numbers, prefix)


def _renamed(svg: str, numbers: dict[str, int], prefix: str) -> str:
    def reference(match: re.Match[str]) -> str:
        target = match[1].strip("'").removeprefix("#")
        if target not in numbers:
            raise _outside(match[1])
        return f"url(#{prefix}{numbers[target]})"

    def tag(match: re.Match[str]) -> str:
        text = match[0]
        for found in _HREF.finditer(text):
            if not found[1].startswith("data:image/"):
                url = html.unescape(found[1])
                raise _outside(url, f"; pass its content: data={{{excerpt(url)}: …}}")
        text = _ID.sub(lambda found: f"{prefix}{numbers[found[0]]}", text)
        return _HANDLER.sub(' data-removed="', _URL.sub(reference, text))

    return _TAG.sub(tag, svg)


def _outside(url: str, advice: str = "") -> ChartError:
    reason = f"the picture refers to {excerpt(url)}, which is not fetched{advice}"
    return ChartError(reason, kind="url")
