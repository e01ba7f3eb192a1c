"""A child that is forked beside reading threads can go on reading."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os, signal, sys, threading
import turnwire
from support.analytics import gda

from turnwire import ces

chunk = '{"@type":"x/turnwire_schema.ces.v1.Chunk","text":"a"}'
many = '{"context":[' + ",".join([chunk] * 3000) + "]}"
rows = '{"systemMessage":{"data":{"result":{"data":[' + ",".join(['{"n":1}'] * 3000) + "]}}}}"
table = turnwire.from_json(gda.Message, rows)

def read_types():
    while True:
        turnwire.from_json(ces.SessionOutput, many)

def read_rows():
    while True:
        turnwire.from_json(gda.Message, rows, unknown=print)
        turnwire.to_json(table)

for read in (read_types, read_types, read_types, read_types, read_rows):
    threading.Thread(target=read, daemon=True).start()
hung = 0
for _ in range(40):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        # Types and classes that were never used before, and outputs of a new size.
        turnwire.from_json(
            ces.SessionOutput, '{"context":[{"@type":"x/turnwire_schema.ces.v1.Blob"}]}'
        )
        turnwire.to_json(turnwire.from_json(gda.ChatRequest, '{"parent":"' + "x" * 9000 + '"}'))
        os._exit(0)
    hung += os.waitpid(child, 0)[1] != 0
print(turnwire.backend, hung, flush=True)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
@pytest.mark.parametrize("pure", ["0", "1"])
def test_a_forked_child_reads_on(pure: str) -> None:
    if pure == "0" and os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
        pytest.importorskip("turnwire_native")
    tests = str(Path(__file__).resolve().parents[1])
    environment = os.environ | {"TURNWIRE_PURE": pure, "PYTHONPATH": tests}
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
    assert run.stdout.split() == ["native" if pure == "0" else "pure", "0"], run.stderr
