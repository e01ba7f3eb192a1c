"""Writes the generated parts of README.md and docs/other-languages.md, or checks them.

    python scripts/pages.py            write them
    python scripts/pages.py --check    compare; exit 1 on any difference

In docs/other-languages.md, a generated part stands between two HTML comments,
``<!-- begin NAME LANGUAGE -->`` and ``<!-- end -->``:

- ``template``: the language's buf.gen.yaml.
- ``differences``: the language's entries in interop/differences.json, each reason once.

In README.md, it is the number of fields without a public number, and the numbers in the row about
the JSON rules. How often json_format differs is counted only on the version of protobuf that the
row names.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterator

import google.protobuf
from committed_tree import bring_up_to_date
from compare_json_format import differences, number_of_texts
from environment import ROOT
from interop_vectors import DIFFERENCES
from json_rules import rules

from turnwire import schema

_PART = re.compile(r"(?<=<!-- begin )(\w+) (\w+) -->\n.*?(?=<!-- end -->)", re.DOTALL)
_ROW = re.compile(
    r"\| The ([\d,]+) texts of the JSON rules \|(.*)\| (\d+) differ \(protobuf ([\d.]+)\)"
)

_FIELDS = re.compile(r"\d+ of \d+ fields have no public number yet")

_HEADINGS = {
    "accepts": "Reads, though it should refuse it:",
    "refuses": "Refuses, though it should read it:",
    "reads another message": "Reads another message:",
    "compares unequal": "Compares equal messages as unequal:",
    "cannot write": "Cannot write:",
    "writes other JSON": "Writes other JSON:",
}


def pages() -> dict[str, str]:
    """Returns the pages with their generated parts made again, by path."""
    languages, readme = "docs/other-languages.md", "README.md"
    readme_text = _ROW.sub(_row, (ROOT / readme).read_text(encoding="utf-8"))
    return {
        languages: _PART.sub(_part, (ROOT / languages).read_text(encoding="utf-8")),
        readme: _FIELDS.sub(_fields_without_number(), readme_text),
    }


def _fields_without_number() -> str:
    messages = [schema.message_class(name).DESCRIPTOR for name in schema.message_names()]
    names = [field.full_name for message in messages for field in message.fields]
    provisional = sum(map(schema.is_provisional, names))
    return f"{provisional} of {len(names)} fields have no public number yet"


def _row(found: re.Match[str]) -> str:
    _, middle, count, version = found.groups()
    if version == google.protobuf.__version__:
        count = str(sum(1 for rule in rules() for _ in differences(rule)))
    texts = f"{number_of_texts():,}"
    return f"| The {texts} texts of the JSON rules |{middle}| {count} differ (protobuf {version})"


def _part(found: re.Match[str]) -> str:
    name, language = found.groups()
    lines = {"template": _template, "differences": _differences_of}[name](language)
    return "\n".join([f"{name} {language} -->", "", *lines, "", ""])


def _template(language: str) -> Iterator[str]:
    yield "```yaml"
    yield (ROOT / "interop" / language / "buf.gen.yaml").read_text(encoding="utf-8").rstrip()
    yield "```"


def _differences_of(language: str) -> Iterator[str]:
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
    made = {path: text.encode() for path, text in pages().items()}
    return bring_up_to_date(ROOT, made, made, command="make generate", check=check)


if __name__ == "__main__":
    sys.exit(main())
