"""proto/UPSTREAM.md agrees with the tables: the provisional numbers, the files, the sources."""

from __future__ import annotations

import re
from pathlib import Path

from contract.tables import FIELDS, REVISION

PROTO = Path(__file__).resolve().parents[2] / "proto"
PAGE = (PROTO / "UPSTREAM.md").read_text(encoding="utf-8")


def test_the_page_lists_every_provisional_number() -> None:
    row = re.compile(r"^\| `(\w+)\.v1\.([\w.]+)` \| `(\w+)`.*\| `(\w+)` \| (\d+) \|$", re.MULTILINE)
    listed = row.findall(PAGE)
    assert sorted(listed) == sorted(
        (field.api, field.message, field.field, field.json_name, field.number)
        for field in FIELDS
        if field.number_source == "provisional"
    )


def test_the_page_lists_every_file() -> None:
    listed = re.findall(r"^\| `(\w+\.proto)` \|", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in PROTO.rglob("*.proto"))


def test_the_page_names_the_revision_of_the_discovery_document() -> None:
    assert f"revision {REVISION}" in PAGE
