"""Keeps a session in a database between requests, which any worker may answer.

    python examples/recipes/keep_a_session.py

Each response is stored as its wire format, in order. A worker that answers the next request reads
them back: what was collected again equals what was collected as it arrived.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import turnwire
from turnwire import ces

RECORDING = Path(__file__).resolve().parents[1] / "ces_session.ndjson"


class Sessions:
    """The responses of all sessions, in one table."""

    def __init__(self, path: Path) -> None:
        self.database = sqlite3.connect(path)
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS responses"
            " (number INTEGER PRIMARY KEY, session TEXT NOT NULL, wire BLOB NOT NULL)"
        )

    def append(self, session: str, responses: Iterable[ces.RunSessionResponse]) -> None:
        """Stores the responses to one request, all or none."""
        rows = [(session, response.SerializeToString()) for response in responses]
        with self.database:
            insert = "INSERT INTO responses (session, wire) VALUES (?, ?)"
            self.database.executemany(insert, rows)

    def builder(self, session: str) -> ces.SessionBuilder:
        """Returns a builder that knows everything so far and takes what comes next."""
        builder = ces.SessionBuilder()
        select = "SELECT wire FROM responses WHERE session = ? ORDER BY number"
        for (wire,) in self.database.execute(select, [session]):
            builder.add(ces.RunSessionResponse.FromString(wire))
        return builder


def answer_one_request(path: Path, responses: list[ces.RunSessionResponse]) -> ces.Session:
    """Does the work of one worker: restore, go on, persist."""
    sessions = Sessions(path)
    with closing(sessions.database):
        builder = sessions.builder("s1")
        for response in responses:
            builder.add(response)
        sessions.append("s1", responses)
        return builder.session


def main() -> int:
    """Answers three requests, each as a worker that knows nothing but the database."""
    recorded = list(turnwire.read(ces.RunSessionResponse, RECORDING))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sessions.db"
        for part in (recorded[:5], recorded[5:14], recorded[14:]):
            session = answer_one_request(path, part)
            print(f"{len(session.turns)} turns, {len(session.tool_exchanges)} tool calls")
    return 0 if session == ces.Session.collect(recorded) else 1


if __name__ == "__main__":
    sys.exit(main())
