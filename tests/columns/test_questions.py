"""The questions of ``docs/tables.md``, asked of DuckDB, give the answers that the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from turnwire import bulk
from turnwire._cli import run

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
QUESTION = re.compile(
    r"^(?P<title>\S.*?)\n\n```sql\n(?P<sql>.*?)```\n\n```text\n(?P<answer>.*?)\n```$",
    re.MULTILINE | re.DOTALL,
)


def questions() -> Iterator[Any]:
    """Yields the input, the SQL and the answer of each question."""
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE):
        command = re.search(r"^turnwire tabulate (examples/\S+) -o out/$", section, re.MULTILINE)
        if command is not None:
            body = section[command.end() :].removeprefix("\n```\n\n")
            for found in QUESTION.finditer(body):
                yield pytest.param(command[1], found["sql"], found["answer"], id=found["title"])


@pytest.mark.parametrize(("source", "sql", "answer"), list(questions()))
def test_the_answer_is_the_one_of_the_page(
    source: str, sql: str, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duckdb = pytest.importorskip("duckdb")
    assert run(["tabulate", str(ROOT / source), "-o", str(tmp_path)]) == 0
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        connection.execute((tmp_path / "views.sql").read_text())
        result = connection.sql(sql)
        names, rows = result.columns, result.fetchall()
    cells = [names, *([("" if cell is None else str(cell)) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    assert "\n".join(lines) == answer
    assert rows


def test_there_are_questions() -> None:
    assert len(list(questions())) == PAGE.count("```sql") >= 10


@pytest.mark.parametrize("name", bulk.TABLES)
def test_the_page_has_the_columns(name: str) -> None:
    table = bulk.TABLES[name]
    keys = ", ".join(f"`{column}`" for column in table.key)
    lines = [
        f"### `{name}`",
        "",
        f"Each row is {table.row}. Key: {keys}.",
        "",
        "| column | type | content |",
        "| --- | --- | --- |",
        *(f"| `{each.name}` | {each.type} | {each.description} |" for each in table.columns),
    ]
    assert "\n".join([*lines, ""]) in PAGE
