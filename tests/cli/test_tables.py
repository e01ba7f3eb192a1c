"""Tables stay readable on a narrow screen: numbers, dates and short texts are never cut."""

from __future__ import annotations

import csv
import datetime
import io
from decimal import Decimal
from typing import Any

import pytest
from cli.commands import failure_of, output_of
from cli.recordings import ANSWER
from hypothesis import given
from hypothesis import strategies as st
from support import analytics

import turnwire as tw
from turnwire._cli.layout import width_of, wrapped
from turnwire._cli.tables import table

UNCUT: dict[str, Any] = {
    "number": 9007199254740993,
    "money": Decimal("12345678901234567890.123456789"),
    "date": datetime.date(2025, 3, 1),
    "moment": datetime.datetime(2025, 5, 30, 16, 45, tzinfo=datetime.UTC),
    "moment as text": "2025-05-30T16:45:00.123456+00:00",
    "flag": True,
    "short": "Scarlet runner",
    "nothing": None,
}
LONG = "a long text that tells of scarlet runners, and of all the other varieties of beans"


def rows_shown(*rows: dict[str, Any], width: int | None) -> list[str]:
    return [*table([*rows[0]], rows, width)]


@pytest.mark.parametrize("width", [20, 30, 40, 60, 80, 120, 200, 400, None])
def test_numbers_dates_and_short_texts_are_whole_at_any_width(width: int | None) -> None:
    shown = "\n".join(rows_shown({**UNCUT, "long": LONG}, {**UNCUT, "long": None}, width=width))
    for text in ("9007199254740993", "12345678901234567890.123456789", "2025-03-01", "true"):
        assert shown.count(text) == 2
    for text in ("2025-05-30T16:45:00+00:00", "2025-05-30T16:45:00.123456+00:00", "Scarlet runner"):
        assert shown.count(text) >= 2


@pytest.mark.parametrize("width", [60, 80, 100, 132])
def test_lines_fit_the_screen(width: int) -> None:
    for columns in range(1, 12):
        row = {f"{name} {number}": LONG for number in range(columns) for name in ("x",)}
        assert max(map(width_of, rows_shown({**UNCUT, **row}, width=width))) <= width
        assert max(map(width_of, rows_shown(row, row, width=width))) <= width


def test_columns_share_the_room_that_is_left() -> None:
    row = {"n": 1, "short": "abc", "long": LONG, "longer": LONG * 2}
    head, line = rows_shown(row, width=60)
    assert width_of(line) == 60
    assert head.index("longer") - head.index("long") > 20
    assert line.count("…") == 2


def test_each_row_of_a_table_that_does_not_fit_is_a_block() -> None:
    rows = [{"id": number, **{f"text {n}": LONG for n in range(5)}} for number in (1, 2)]
    shown = rows_shown(*rows, width=40)
    assert shown[0] == "id      1"
    assert shown[1].startswith("text 0  a long text that tells of")
    assert shown[2].startswith("        scarlet runners")
    assert shown.count("") == 1
    assert max(map(width_of, shown)) <= 40


def test_the_shipped_example_can_be_read_at_80_columns() -> None:
    shown = output_of("answer", "--width", "80", ANSWER).decode()
    table_lines = shown.partition("spring_loans: 2 rows\n")[2].partition("\n\nchart")[0]
    assert max(map(len, table_lines.splitlines())) <= 80
    for text in ("2025-03-01", "2025-05-30T16:45:00+00:00", "2025-03-04", "1204", "0.60", "12.5"):
        assert text in table_lines
    assert "…" not in table_lines


def result_of(count: int, name: str = "loans") -> bytes:
    return tw.to_json(analytics.result(name, *({"n": number} for number in range(count))))


@pytest.mark.parametrize(
    ("options", "shown", "left"),
    [
        ([], 60, None),
        (["--rows", "0"], 60, None),
        (["--rows", "2"], 2, 58),
        (["--rows", "59"], 59, 1),
    ],
)
def test_rows_that_are_left_out_are_counted(
    options: list[str], shown: int, left: int | None
) -> None:
    lines = output_of("answer", *options, "-", stdin=result_of(60)).decode().splitlines()
    assert lines[0] == "loans: 60 rows"
    width = 2 if shown > 10 else 1
    assert lines[2 : 2 + shown] == [f"  {number:{width}}" for number in range(shown)]
    more = [line for line in lines if "more row" in line]
    if left is None:
        assert more == []
    else:
        assert more == [f"  … {left} more row{'s' if left > 1 else ''} (--rows 0 shows all)"]


def test_one_result_as_csv() -> None:
    shown = output_of("answer", "--csv", ANSWER).decode()
    head, first, second = csv.reader(io.StringIO(shown))
    assert head[:3] == ["variety", "packets", "share"]
    assert first[:6] == ["Scarlet runner", "1204", "0.60", "12.5", "true", "2025-03-01"]
    assert first[7:] == ['{"place": "Tábor", "altitude_m": 437}', '["climbing", "red"]']
    assert second[6] == ""


def test_several_results_as_csv_have_to_be_named() -> None:
    body = result_of(2, "a") + result_of(3, "b")
    status, said = failure_of("answer", "--csv", "-", stdin=body)
    assert status == 1
    assert said == "turnwire: stdin: the answer has 2 results: say --result with one of a, b\n"
    assert output_of("answer", "--csv", "--result", "b", "-", stdin=body) == b"n\n0\n1\n2\n"
    status, said = failure_of("answer", "--csv", "--result", "c", "-", stdin=body)
    assert said == "turnwire: stdin: the answer has no result 'c'; it has a, b\n"
    status, said = failure_of("answer", "--csv", "-", stdin=b"{}")
    assert said == "turnwire: stdin: the answer has no result\n"
    status, said = failure_of("answer", "--csv", "-", stdin=result_of(2) * 2)
    assert status == 1


@pytest.mark.parametrize(
    "options",
    [
        ["--csv", "--json"],
        ["--csv", "--all"],
        ["--csv", "--indent"],
        ["--result", "a"],
        ["--rows", "-1"],
        ["--rows", "x"],
        ["--width", "19"],
        ["--width", "1e3"],
    ],
)
def test_options_that_do_not_go_together_or_have_no_sense(options: list[str]) -> None:
    status, said = failure_of("answer", *options, "-", stdin=b"{}")
    assert (status, said.count("\n")) == (2, 1)


@given(
    st.text(st.sampled_from("ab 横e\u0301-")),
    st.integers(min_value=2, max_value=12),
    st.integers(min_value=1, max_value=5),
)
def test_wrapped_texts_fit_and_lose_nothing_but_blanks(text: str, width: int, lines: int) -> None:
    shown = wrapped(text, width, lines)
    assert len(shown) <= lines
    assert all(width_of(line) <= width for line in shown)
    if not shown[-1].endswith("…"):
        assert "".join(shown).replace(" ", "") == text.replace(" ", "")
