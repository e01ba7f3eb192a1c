"""Writes the generated parts of docs/other-languages.md, or checks that they are up to date.

    python scripts/interop_page.py            write them
    python scripts/interop_page.py --check    compare; exit 1 on any difference

A generated part stands between two HTML comments, ``<!-- begin NAME -->`` and ``<!-- end -->``:

- ``template LANGUAGE``: the language's buf.gen.yaml.
- ``differences LANGUAGE``: its entries in interop/differences.json, each reason once.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterator

from committed_tree import bring_up_to_date
from environment import ROOT
from interop_vectors import DIFFERENCES

PAGE = "other-languages.md"

_DOCS = ROOT / "docs"
_PART = re.compile(r"(?<=<!-- begin )(\w+) (\w+) -->\n.*?(?=<!-- end -->)", re.DOTALL)

_HEADINGS = {
    "accepts": "Reads, though it should refuse it:",
    "refuses": "Refuses, though it should read it:",
    "reads another message": "Reads another message:",
    "compares unequal": "Compares equal messages as unequal:",
    "cannot write": "Cannot write:",
    "writes other JSON": "Writes other JSON:",
}


def page() -> str:
    """Returns the page with its generated parts made anew."""
    return _PART.sub(_part, (_DOCS / PAGE).read_text(encoding="utf-8"))


def _part(found: re.Match[str]) -> str:
    name, language = found.groups()
    lines = {"template": _template, "differences": _differences}[name](language)
    return "\n".join([f"{name} {language} -->", "", *lines, "", ""])


def _template(language: str) -> Iterator[str]:
    yield "```yaml"
    yield (ROOT / "interop" / language / "buf.gen.yaml").read_text(encoding="utf-8").rstrip()
    yield "```"


def _differences(language: str) -> Iterator[str]:
    groups = json.loads(DIFFERENCES.read_bytes())[language]
    first = True
    for what, heading in _HEADINGS.items():
        reasons = dict.fromkeys(group["reason"] for group in groups if group["what"] == what)
        if not reasons:
            continue
        if not first:
            yield ""
        first = False
        yield heading
        yield ""
        for reason in reasons:
            yield textwrap.fill(f"- {reason}", 120, subsequent_indent="  ")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    made = {PAGE: page().encode()}
    return bring_up_to_date(_DOCS, made, made, command="make generate", check=check)


if __name__ == "__main__":
    sys.exit(main())
