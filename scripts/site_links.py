"""Finds links in a folder of HTML pages that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Sphinx makes these: an index, and a page that its script fills.
_SKIPPED = {"genindex.html", "search.html", "py-modindex.html"}


class _Page(HTMLParser):
    """Collects the anchors of a page, and its links and sources of images, scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.targets.append(value)


def broken_links(folder: Path) -> list[str]:
    """Returns a line for each link that leads nowhere, and for each file fetched from elsewhere."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    return sorted(
        f"{path.relative_to(folder)}: {fault}"
        for path, page in pages.items()
        if path.name not in _SKIPPED
        for target in page.targets
        for fault in _faults(path, target, pages)
    )


def _faults(path: Path, target: str, pages: dict[Path, _Page]) -> Iterator[str]:
    url = urlsplit(target)
    if url.scheme or url.netloc:
        return
    place = (path.parent / unquote(url.path)).resolve() if url.path else path
    if not place.exists():
        yield f"no file {target}"
    elif url.fragment and place in pages and unquote(url.fragment) not in pages[place].anchors:
        yield f"no anchor {target}"
