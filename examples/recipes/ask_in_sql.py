"""Makes tables of recordings, and asks DuckDB questions about them.

    python examples/recipes/ask_in_sql.py

It needs duckdb and pyarrow. The questions are those of docs/tables.md.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import duckdb

EXAMPLES = Path(__file__).resolve().parents[1]

SESSIONS = {
    "Which tools are slow?": """\
select name, count(*) as calls, median(duration_ns) / 1e6 as median_ms,
  max(duration_ns) / 1e6 as max_ms
from tool_calls
where duration_ns is not null
group by name
order by max_ms desc, name
""",
    "Which tools fail, and how often?": """\
select name, count(*) filter (status = 'error') as failed, count(*) as calls,
  mode(error ->> '$.message') as usual_error
from tool_calls
group by name
having failed > 0
order by failed / calls desc
""",
    "How many conversations are handed over to a human?": """\
select app_version[-1:] as version, count(*) as conversations,
  round(100 * avg(coalesce(escalated, false)::int)) as percent
from conversations
where source = 'LIVE'
group by version
order by version
""",
    "How many tokens does each agent take?": """\
select attributes ->> '$.agent' as agent,
  sum((attributes ->> '$."input tokens"')::bigint)::bigint as input_tokens,
  sum((attributes ->> '$."output tokens"')::bigint)::bigint as output_tokens
from spans
where kind = 'llm'
group by agent
order by agent
""",
    "Where does the time of turns go?": """\
select kind, round(sum(self_ns) / 1e9, 3) as seconds, count(*) filter (critical) as on_critical_path
from spans
group by kind
order by seconds desc
""",
    "How long do users wait for a reply?": """\
select language_code as language, count(*) as turns,
  round(quantile_cont(duration_ns, 0.5) / 1e9, 2) as median_s,
  round(quantile_cont(duration_ns, 0.95) / 1e9, 2) as p95_s
from turns join conversations using (conversation)
group by language
order by language
""",
    "Which turns have no reply, and which calls no response?": """\
select split_part(conversation, '/', -1) as conversation, turn, 'no reply' as finding,
  user_text as detail
from turns where reply = ''
union all
select split_part(conversation, '/', -1), turn, 'no response', name || ' ' || args
from tool_calls where status = 'pending'
order by conversation
""",
    "What did the user say before a hand-over?": """\
select split_part(conversation, '/', -1) as conversation, max_by(text, position) as last_words
from messages join conversations using (conversation)
where role = 'user' and text <> '' and escalated
group by conversation
order by conversation
""",
}
"""Questions about sessions of CES."""

ANSWERS = {
    "Which questions have no answer?": """\
select question, clarifications
from answers
where answer is null
""",
    "Which SQL fails, and on what?": """\
select name, error, round(duration_ns / 1e9, 1) as seconds
from queries
where status = 'error'
""",
    "What do people ask for, and how large are the results?": """\
select question, string_agg(results.name, ', ') as results, max(rows) as most_rows,
  any_value(duration_ns) / 1e9 as seconds
from answers join results using (conversation, turn)
where for_display
group by question
""",
    "Which sources do the answers cite?": """\
select title, count(*) as times
from citations
group by title
order by times desc, title
""",
}
"""Questions about answers of Conversational Analytics."""


def tabulate(recordings: str, folder: str) -> None:
    """Makes a Parquet file of each table; a pattern such as logs/*.ndjson.gz names many files."""
    command = [sys.executable, "-m", "turnwire", "tabulate", recordings, "-o", folder]
    subprocess.run(command, check=True)


def answers_to(questions: dict[str, str]) -> Iterator[tuple[str, duckdb.DuckDBPyRelation]]:
    """Asks questions about the tables in the current folder."""
    with duckdb.connect() as connection:
        connection.execute(Path("views.sql").read_text(encoding="utf-8"))
        for question, sql in questions.items():
            yield question, connection.sql(sql)


def lines_of(answer: duckdb.DuckDBPyRelation) -> Iterator[str]:
    """Yields the rows of an answer as lines of text, below the names of the columns."""
    rows = [["" if cell is None else str(cell) for cell in row] for row in answer.fetchall()]
    cells = [answer.columns, *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(map(str.ljust, row, widths)).rstrip()


def main() -> int:
    """Asks about two recordings; 1 where a question has no answer."""
    answered = True
    asked = {"ces_conversations.ndjson": SESSIONS, "analytics_answer.json": ANSWERS}
    for recording, questions in asked.items():
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            tabulate(str(EXAMPLES / recording), ".")
            for question, answer in answers_to(questions):
                lines = list(lines_of(answer))
                print(question, "", *lines, "", sep="\n")
                answered = answered and len(lines) > 1
    return 0 if answered else 1


if __name__ == "__main__":
    sys.exit(main())
