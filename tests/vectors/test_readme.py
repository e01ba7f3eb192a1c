"""The README states the numbers that the rules give."""

from __future__ import annotations

import re

import google.protobuf
import pytest
from compare_json_format import differences, number_of_texts
from environment import ROOT
from json_rules import rules

ROW = re.compile(
    r"\| The ([\d,]+) texts of the JSON rules \|[^|]*\| (\d+) differ \(protobuf ([\d.]+)\)"
)


@pytest.fixture(scope="module")
def row() -> re.Match[str]:
    found = ROW.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    return found


def test_the_number_of_texts(row: re.Match[str]) -> None:
    assert int(row[1].replace(",", "")) == number_of_texts()


def test_the_number_of_texts_with_which_json_format_differs(row: re.Match[str]) -> None:
    if google.protobuf.__version__ != row[3]:
        pytest.skip(f"the README is about protobuf {row[3]}")
    assert int(row[2]) == sum(1 for rule in rules() for _ in differences(rule))
