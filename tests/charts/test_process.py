"""The process that draws: limits, crashes, forks and its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from turnwire import charts
from turnwire.charts import _process, _worker
from turnwire.errors import ChartError

POINT = {"mark": "point", "data": {"values": [{}]}}
ENDLESS = {
    "mark": "bar",
    "data": {"sequence": {"start": 0, "stop": 20_000_000}},
    "encoding": {"x": {"field": "data", "type": "nominal"}},
}


def worker_pid() -> int:
    worker = _process._KEEPER._worker
    assert worker is not None
    return worker._process.pid


def test_time_is_limited() -> None:
    charts.to_svg(POINT)
    before = worker_pid()
    with pytest.raises(ChartError, match=r"longer than 0\.5 seconds and was stopped") as caught:
        charts.to_svg(ENDLESS, timeout=0.5, max_memory=2**40)
    assert caught.value.kind == "time"
    charts.to_svg(POINT)
    assert worker_pid() != before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_memory_is_limited() -> None:
    charts.to_svg(POINT)
    held = _process.memory_of(worker_pid())
    assert held > 2**20
    with pytest.raises(ChartError, match="of memory and was stopped") as caught:
        charts.to_svg(ENDLESS, max_memory=held + 2**26)
    assert caught.value.kind == "memory"
    charts.to_svg(POINT)


def test_both_ways_to_measure_agree() -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("needs /proc")
    try:
        by_ps = _process._resident_by_ps(os.getpid())
    except FileNotFoundError:
        pytest.skip("needs ps")
    assert by_ps == pytest.approx(_process._resident_on_linux(os.getpid()), rel=0.5)


def test_a_refused_specification_keeps_the_process() -> None:
    charts.to_svg(POINT)
    before = worker_pid()
    with pytest.raises(ChartError):
        charts.to_svg({"marks": [{"type": "rect", "from": {"data": "z"}}]})
    charts.to_svg(POINT)
    assert worker_pid() == before


def test_a_process_that_ended_is_replaced() -> None:
    first = charts.to_svg(POINT)
    worker = _process._KEEPER._worker
    assert worker is not None
    os.kill(worker._process.pid, signal.SIGTERM)
    worker._process.wait()
    assert charts.to_svg(POINT) == first


def test_a_crash_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "worker.py"
    broken.write_text("import os; os.abort()\n")
    _process._KEEPER.end()
    monkeypatch.setattr(_process, "_WORKER", broken)
    with pytest.raises(ChartError, match="drawing crashed") as caught:
        charts.to_svg(POINT)
    assert caught.value.kind == "crash"


def test_a_worker_without_jobs_ends(tmp_path: Path) -> None:
    code = Path(_worker.__file__).read_text().replace("IDLE_SECONDS = 60", "IDLE_SECONDS = 0.1")
    program = tmp_path / "worker.py"
    program.write_text(code)
    process = subprocess.Popen(
        [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.wait(60) == 0


def test_threads_share_one_process() -> None:
    drawn: list[str] = []
    threads = [
        threading.Thread(target=lambda: drawn.append(charts.to_svg(POINT))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert drawn == [charts.to_svg(POINT)] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_draws_with_another_process() -> None:
    program = """
import os, sys
from turnwire import charts
spec = {"mark": "point", "data": {"values": [{}]}}
first = charts.to_svg(spec)
if (pid := os.fork()) == 0:
    os._exit(0 if charts.to_svg(spec) == first else 1)
assert os.waitpid(pid, 0)[1] == 0
assert charts.to_svg(spec) == first
"""
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
