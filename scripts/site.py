"""Builds the site in build/site: the pages of docs/, and a reference made of code and schema.

    .venv-docs/bin/python scripts/site.py

`make docs` runs it. Warnings of Sphinx are errors, and so is a link or an anchor that leads
nowhere. The pages keep their places relative to each other, so that their links work here and on a
forge.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from environment import ROOT
from site_links import broken_links
from site_pages import reference_pages

SOURCE, SITE = ROOT / "build" / "site-source", ROOT / "build" / "site"
PAGES = (
    *(
        "*.md",
        "docs/*.md",
        "docs/start/*.md",
        "docs/recipes/*.md",
        "docs/*.png",
        "benchmarks/README.md",
    ),
    *("proto/UPSTREAM.md", "tests/vectors/README.md", "native/README.md"),
    "interop/typescript/README.md",
)
"""The pages that are read as they stand in the repository."""

OWN = ROOT / "docs" / "site"
"""Files of the site alone: its first page, its configuration and its style."""

MENDED = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    "<pre>": '<pre tabindex="0">',
}
"""Markup of the theme that axe-core finds fault with, and what stands in its place."""


def gather() -> None:
    """Puts everything that Sphinx reads into one folder."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(OWN, SOURCE)
    for pattern in PAGES:
        for path in ROOT.glob(pattern):
            text = path.read_bytes()
            place = path.relative_to(ROOT).as_posix()
            if path.suffix == ".md":
                text += f"\n---\n\nThe source of this page is `{place}`.\n".encode()
            _write(place, text)
    for place, page in reference_pages().items():
        _write(place, page.encode())


def _write(place: str, text: bytes) -> None:
    (SOURCE / place).parent.mkdir(parents=True, exist_ok=True)
    (SOURCE / place).write_bytes(text)


def build() -> bool:
    """Runs Sphinx, and returns whether it did without a warning."""
    shutil.rmtree(SITE, ignore_errors=True)
    options = ["-b", "html", "-W", "--keep-going", "-q", "-j", "auto"]
    done = subprocess.run([sys.executable, "-m", "sphinx", *options, str(SOURCE), str(SITE)])
    return done.returncode == 0


def mend() -> None:
    """Gives headings of the navigation a level, landmarks a name, and the keyboard long code."""
    for path in SITE.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for markup, better in MENDED.items():
            text = text.replace(markup, better)
        path.write_text(text, encoding="utf-8")


def main() -> int:
    gather()
    if not build():
        return 1
    mend()
    broken = broken_links(SITE)
    for line in broken:
        print(line, file=sys.stderr)
    pages = sum(1 for _ in SITE.rglob("*.html"))
    print(f"{Path(SITE).relative_to(ROOT)}/index.html: {pages} pages, {len(broken)} broken links")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
