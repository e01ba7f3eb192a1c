"""Logs errors and sessions without the words and numbers of the people who spoke.

python examples/recipes/log_safely.py
"""

from __future__ import annotations

import io
import logging
import re
import sys
from pathlib import Path

import turnwire
from turnwire import ces, report

RECORDING = Path(__file__).resolve().parents[1] / "ces_session.ndjson"
log = logging.getLogger("bot")

DIGITS = re.compile(r"\d{2,}")


def redact(path: turnwire.errors.Path, text: str) -> str:
    """Hides numbers of two digits and more, wherever they stand."""
    return DIGITS.sub("…", text)


def read_all(body: bytes) -> list[ces.Message]:
    """Reads messages and logs what is wrong with one; no value of the input reaches the log."""

    def on_error(error: turnwire.TurnwireError) -> None:
        log.error("bad message: %s", error.without_values())

    return list(turnwire.read(ces.Message, body, on_error=on_error))


def main() -> int:
    """Reads a bad recording, and makes a page of a good one."""
    written = io.StringIO()
    logging.basicConfig(stream=written, format="%(message)s")
    body = b'[{"eventTime": "4111 1111"}, {"chunks": [{"text": "Hello"}]}, {"role": 4111}]'
    messages = read_all(body)
    session = ces.Session.collect(turnwire.read(ces.RunSessionResponse, RECORDING))
    # The repr of a view holds counts and names alone.
    log.error("%r", session)
    print(written.getvalue(), end="")

    line = "- 18:40 Heron"
    shown = [line in report.markdown(session, redact=hook) for hook in (None, redact)]
    print(f"{len(messages)} message read; {line!r} is on the page: {shown}")
    return 0 if shown == [True, False] and "4111" not in written.getvalue() else 1


if __name__ == "__main__":
    sys.exit(main())
