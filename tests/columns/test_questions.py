"""The recipe asks the questions of ``docs/tables.md``, and DuckDB answers as the page shows."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from turnwire import bulk

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "examples" / "recipes" / "ask_in_sql.py"
PAGE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
QUESTION = re.compile(
    r"^(?P<question>\S.*?\?).*\n\n```sql\n(?P<sql>(?s:.*?))```\n\n```text\n(?P<answer>(?s:.*?))```$",
    re.MULTILINE,
)


def test_the_program_asks_the_questions_of_the_page() -> None:
    pytest.importorskip("duckdb")
    program = runpy.run_path(str(PROGRAM))
    asked = {found["question"]: found["sql"] for found in QUESTION.finditer(PAGE)}
    assert program["SESSIONS"] | program["ANSWERS"] == asked
    assert len(asked) == PAGE.count("```sql") >= 10


def test_the_answers_are_those_of_the_page() -> None:
    pytest.importorskip("duckdb")
    command = [sys.executable, "-W", "error", str(PROGRAM)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    questions = list(QUESTION.finditer(PAGE))
    assert done.stdout == "".join(f"{each['question']}\n\n{each['answer']}\n" for each in questions)


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
