"""Runs work over many inputs, in this process or several, so that a kill loses nothing."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import signal
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from turnwire._cli import standard
from turnwire._cli.failure import InputError, UsageError
from turnwire._cli.files import STANDARD, is_same, sink_of
from turnwire._cli.inputs import PART_BYTES, Part, inputs_of, parts_of
from turnwire._cli.manifest import Manifest
from turnwire._cli.many import Allowed
from turnwire._cli.own_types import OwnTypes, own_types_of
from turnwire._cli.problems import Groups, problem_of
from turnwire._cli.progress import shown_progress
from turnwire._cli.report import Counter, Report
from turnwire.errors import MissingExtra, TurnwireError

STATE = ".turnwire"
"""The folder in the output folder with the manifest and what is not finished."""

_MANIFEST = "manifest.ndjson"
_LOCK = "lock"
_REJECTS = "rejects"
_OUTPUT = "output"
_MAX_SHOWN = 20


class Work(Protocol):
    """The work on one part: a callable that can be pickled, as a frozen dataclass can."""

    def __call__(self, part: Part, folder: Path, report: Report) -> None:
        """Reads a part and writes any files below an empty folder.

        They are moved to the same places in the output folder when it returns. An error that it
        raises rejects the part as a whole.
        """

    def makes(self, name: str) -> bool:
        """Reports whether a file in the output folder is of the kind that the work makes.

        Those that an earlier run made of the same inputs are removed if this one does not.
        """
        ...


@dataclass
class Totals:
    """The sums of a run.

    Attributes:
        elements: The number of elements that were read.
        rejected: The number of rejects.
        groups: The problems of the rejects.
        files: The outputs of each part, in the order of the parts.
    """

    elements: int = 0
    rejected: int = 0
    groups: Groups = field(default_factory=Groups)
    files: list[list[Path]] = field(default_factory=list)


def run_many(
    work: Work,
    arguments: argparse.Namespace,
    folder: Path,
    options: object,
    *,
    cut: bool = True,
) -> Totals:
    """Runs work over all inputs; its files appear in a folder as their parts are finished.

    Args:
        work: The work on one part.
        arguments: The arguments that `add_many` adds.
        folder: The output folder, which is made if it is missing.
        options: Everything that decides about the outputs; its repr must be the same in each run.
        cut: Whether a large file of lines is cut into parts.

    Raises:
        InputError: More was rejected than is allowed, or an output would replace an input.
        UsageError: The file of rejects would replace an input.
        OSError: An output cannot be written.
    """
    part_bytes = PART_BYTES if cut else sys.maxsize
    inputs = inputs_of(arguments.inputs)
    check_not_input(arguments.rejects, inputs)
    parts = parts_of(inputs, arguments.source, part_bytes=part_bytes)
    run = _Run(work, arguments, folder, options)
    with _only_one(folder):
        return run.all(parts)


def check_not_input(output: str | None, inputs: Sequence[str]) -> None:
    """Raises a UsageError if an output would replace an input, from which things are left out."""
    if output is None:
        return
    for name in inputs:
        if name != STANDARD and is_same(name, output):
            raise UsageError(f"{output}: it is an input, which the output would replace")


def check_allowed(totals: Totals, allowed: Allowed) -> None:
    """Reports the rejects of a run in groups.

    Raises:
        InputError: There are more than are allowed.
    """
    groups = totals.groups.all()
    for group in groups[:_MAX_SHOWN]:
        times = f"{group.count:,} times " if group.count > 1 else ""
        standard.warn(f"{group.places[0]}: {times}{group.problem}; left out")
    if len(groups) > _MAX_SHOWN:
        standard.warn(f"{len(groups) - _MAX_SHOWN} more kinds of problems")
    if not allowed.covers(totals.rejected, totals.elements):
        of = f"{totals.rejected:,} of {totals.elements:,} elements"
        raise InputError("left out", f"{of}; --allow-rejects accepts some")


class _Run:
    def __init__(
        self, work: Work, arguments: argparse.Namespace, folder: Path, options: object
    ) -> None:
        self._arguments = arguments
        self._folder = folder
        self._state = folder / STATE
        self._keeps_rejects = arguments.rejects is not None
        self._manifest = Manifest(self._state / _MANIFEST, (options, self._keeps_rejects))
        self._work = work
        self._failed: set[str] = set()
        self._task = _Task(work, own_types_of(arguments), self._keeps_rejects)
        self._inputs: set[str] = set()
        self._context = multiprocessing.get_context("fork" if _can_fork() else "spawn")
        counters = self._context.Value("q", 0), self._context.Value("q", 0)
        self._counters: tuple[Counter, Counter] = counters

    def all(self, parts: Sequence[Part]) -> Totals:
        """Runs the work over the parts that are not finished."""
        self._manifest.load()
        if not self._arguments.resume:
            self._manifest.forget()
            shutil.rmtree(self._state / _REJECTS, ignore_errors=True)
        _clear_unfinished(self._state)
        self._inputs = {os.path.realpath(part.name) for part in parts}
        keys = {part: self._manifest.key_of(part) for part in parts}
        entries = {part: self._finished(part) for part in parts}
        waiting = [part for part, entry in entries.items() if entry is None]
        size = sum(part.size for part in waiting)
        # The processes come first: a process with threads must not be copied.
        with self._pool(waiting) as pool, shown_progress(size, self._counters):
            for part, done in self._done(waiting, pool):
                entries[part] = self._commit(part, keys[part], done)
        totals = Totals()
        for part in parts:
            entry = entries[part] or {}
            totals.elements += entry["elements"]
            totals.rejected += entry["rejected"]
            totals.files.append([self._folder / name for name in entry["files"]])
            totals.groups.merge(Groups.from_plain(entry["groups"]))
        self._remove_old(totals)
        if self._keeps_rejects:
            self._write_rejects(parts)
        return totals

    def _finished(self, part: Part) -> dict[str, Any] | None:
        """Returns what an earlier run noted about a part, if its outputs are still there."""
        entry = self._manifest.entry_of(part)
        if entry is None or not all((self._folder / name).exists() for name in entry["files"]):
            return None
        return entry

    def _remove_old(self, totals: Totals) -> None:
        """Removes what earlier runs made of these inputs and this one did not.

        An input may have had rows for another table, or other parts.
        """
        made = {path for files in totals.files for path in files}
        for name in self._manifest.files_of(self._inputs - self._failed):
            path = self._folder / name
            if path not in made and self._work.makes(name):
                path.unlink(missing_ok=True)

    @contextmanager
    def _pool(self, parts: Sequence[Part]) -> Generator[ProcessPoolExecutor | None]:
        """Yields a pool whose processes run already; None where one process does the work."""
        jobs = min(self._arguments.jobs, len(_others(parts)))
        if jobs <= 1:
            yield None
            return
        pool = ProcessPoolExecutor(
            jobs,
            mp_context=self._context,
            initializer=_begin_worker,
            initargs=(self._counters, self._task),
        )
        try:
            for _ in range(jobs):
                pool.submit(int)
            yield pool
        except BrokenProcessPool:
            reason = "a process was killed; finished inputs are kept, --resume goes on"
            raise InputError(str(self._folder), reason) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _done(
        self, parts: Sequence[Part], pool: ProcessPoolExecutor | None
    ) -> Iterator[tuple[Part, _Done]]:
        for part in parts:
            if pool is None or part.name == STANDARD:
                yield part, self._task(part, self._staging(part), self._counters)
        if pool is not None:
            yield from self._of_pool(pool, list(reversed(_others(parts))), 2 * self._arguments.jobs)

    def _of_pool(
        self, pool: ProcessPoolExecutor, waiting: list[Part], most: int
    ) -> Iterator[tuple[Part, _Done]]:
        running: dict[Future[_Done], Part] = {}
        while waiting or running:
            while waiting and len(running) < most:
                part = waiting.pop()
                running[pool.submit(_work, part, self._staging(part))] = part
            for finished in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(finished), finished.result()

    def _staging(self, part: Part) -> Path:
        folder = self._state / f"part-{part.stem}"
        (folder / _OUTPUT).mkdir(parents=True)
        return folder

    def _commit(self, part: Part, key: str, done: _Done) -> dict[str, Any]:
        """Moves the files of a part to their places, then notes that it is finished."""
        staging = self._state / f"part-{part.stem}"
        self._rejects_of(part).unlink(missing_ok=True)  # of an input that was another one
        if (staging / _REJECTS).exists():
            (self._state / _REJECTS).mkdir(exist_ok=True)
            (staging / _REJECTS).replace(self._rejects_of(part))
        for name in done.files:
            target = self._folder / name
            if self._keeps_rejects and is_same(str(target), self._arguments.rejects):
                raise InputError(str(target), "it is the file of rejects too")
            if os.path.realpath(target) in self._inputs:
                raise InputError(str(target), "it is an input, which the output would replace")
            target.parent.mkdir(parents=True, exist_ok=True)
            (staging / _OUTPUT / name).replace(target)
        shutil.rmtree(staging)
        facts = {
            "elements": done.elements,
            "rejected": done.rejected,
            "files": done.files,
            "groups": done.groups.plain(),
        }
        if done.is_failed:  # it is tried again when the run goes on
            self._failed.add(os.path.realpath(part.name))
        else:
            self._manifest.add(part, key, facts)
        return facts

    def _rejects_of(self, part: Part) -> Path:
        return self._state / _REJECTS / part.stem

    def _write_rejects(self, parts: Sequence[Part]) -> None:
        with sink_of(self._arguments.rejects, owner=self._folder) as file:
            for part in parts:
                path = self._rejects_of(part)
                if path.exists():
                    with path.open("rb") as kept:
                        shutil.copyfileobj(kept, file)


@dataclass
class _Done:
    """The result of the work on a part."""

    elements: int
    rejected: int
    groups: Groups
    files: list[str]
    is_failed: bool


@dataclass(frozen=True)
class _Task:
    """Does the work on one part, in whatever process."""

    work: Work
    types: OwnTypes
    keeps_rejects: bool

    def __call__(self, part: Part, staging: Path, counters: tuple[Counter, Counter]) -> _Done:
        output = staging / _OUTPUT
        report = Report(part, staging / _REJECTS if self.keeps_rejects else None, counters)
        is_failed = False
        try:
            self.work(part, output, report)
        except MissingExtra:
            raise
        except (TurnwireError, OSError) as error:
            if isinstance(error, OSError) and error.filename != part.name:
                raise  # an output cannot be written
            report.reject(problem_of(error), None)
            is_failed = True
            shutil.rmtree(output)
        finally:
            report.close()
        files = sorted(
            path.relative_to(output).as_posix() for path in output.rglob("*") if path.is_file()
        )
        for name in files:
            _sync(output / name)
        return _Done(report.elements, report.rejected, report.groups, files, is_failed)


_worker: list[Any] = []

_locks: list[int] = []
"""The open files of locks. A copy of this process holds them as well, until it closes them."""


def _can_fork() -> bool:
    """Reports whether this process may be copied, which saves the start of an interpreter.

    Other systems than Linux do not count their threads here, and some do not allow it.
    """
    with suppress(OSError):
        return len(os.listdir("/proc/self/task")) == 1
    return False


def _others(parts: Sequence[Part]) -> list[Part]:
    """Returns the parts that another process can read: it has another stdin."""
    return [part for part in parts if part.name != STANDARD]


def _begin_worker(counters: tuple[Counter, Counter], task: _Task) -> None:
    while _locks:
        os.close(_locks.pop())
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _worker[:] = [counters, task]
    task.types.load()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    """Ends this process when its parent was killed: it would wait for work forever."""
    parent.join()
    os._exit(1)


def _work(part: Part, staging: Path) -> _Done:
    counters, task = _worker
    done: _Done = task(part, staging, counters)
    return done


@contextmanager
def _only_one(folder: Path) -> Generator[None]:
    """Keeps other runs out of the output folder meanwhile, where the system can do that."""
    (folder / STATE).mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (folder / STATE / _LOCK).open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(str(folder), "another turnwire writes there") from None
        _locks.append(file.fileno())
        try:
            yield
        finally:
            _locks.remove(file.fileno())


def _clear_unfinished(state: Path) -> None:
    for path in state.glob("part-*"):
        shutil.rmtree(path)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
