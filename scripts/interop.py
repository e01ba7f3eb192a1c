"""Runs the programs in interop/: they prove that other languages read and write the same messages.

    python scripts/interop.py              every language whose tools are on this machine
    python scripts/interop.py go rust      these only

Each program is built from `proto/`, reads and writes every test vector, and changes a live stream.
`interop/differences.json` lists the known differences of each language. A difference that is not
listed fails, and so does a listed one that no longer occurs.
With INTEROP_REQUIRE_ALL=1 a language that would be skipped fails too.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from environment import ROOT
from interop_legs import fact_problems, image_problems, live_problems, package_problems
from interop_vectors import BadReport, Verdict, judge, read_differences
from toolchain import tool
from vector_files import VECTORS

import turnwire

_BUFFA = "0.9.2"


@dataclass(frozen=True)
class Language:
    """A program in another language.

    Attributes:
        name: The name of its folder in interop/.
        needs: The tools that must be on the PATH.
        build: The commands that build it, run in its folder.
        call: The command that runs it.
    """

    name: str
    needs: tuple[str, ...]
    build: tuple[str, ...]
    call: str

    @property
    def folder(self) -> Path:
        """The folder of the program, in which its commands run."""
        return ROOT / "interop" / self.name


LANGUAGES = (
    Language(
        "typescript",
        needs=("node", "npm"),
        build=("npm ci --silent", "npm run --silent build", "npm test --silent"),
        call="node build/programs/main.js",
    ),
    Language(
        "go",
        needs=("go",),
        build=("buf generate", "go vet ./...", "go build -o bin/interop ./cmd/interop"),
        call="bin/interop",
    ),
    Language(
        "java",
        needs=("javac", "mvn"),
        build=("mvn --batch-mode --quiet package",),
        call="java -jar target/interop.jar",
    ),
    Language(
        "rust",
        needs=("cargo",),
        build=(
            "cargo install --quiet --locked --debug --root target/tools --target-dir target/plugins"
            f" protoc-gen-buffa@{_BUFFA} protoc-gen-buffa-packaging@{_BUFFA}",
            "buf generate",
            "cargo build --quiet --locked",
        ),
        call="target/debug/interop",
    ),
)


class Failed(Exception):
    """A command of a language's build, or its program, failed; the text has its output."""


@dataclass(frozen=True)
class Outcome:
    """The result of one language."""

    verdict: Verdict | None
    problems: list[str]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether everything is as listed."""
        verdict = self.verdict
        return not (self.problems or verdict is None or verdict.unexpected or verdict.gone)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = [language.name for language in LANGUAGES]
    parser.add_argument("language", nargs="*", help=f"{', '.join(names)}; all by default")
    wanted = parser.parse_args().language or names
    if unknown := set(wanted) - set(names):
        parser.error(f"expected languages of {names}, got {sorted(unknown)}")

    outcomes: dict[str, Outcome | None] = {}
    for language in LANGUAGES:
        if language.name not in wanted:
            continue
        missing = [need for need in language.needs if shutil.which(need) is None]
        if missing:
            print(f"{language.name}: skipped, {' and '.join(missing)} not on the PATH", flush=True)
            outcomes[language.name] = None
            continue
        print(f"{language.name}: building and running", flush=True)
        outcomes[language.name] = outcome = try_language(language)
        for line in complaints(language, outcome):
            print(line, flush=True)
    return summary(outcomes)


def try_language(language: Language) -> Outcome:
    """Builds a program and runs every check; its failures are in the outcome."""
    began = time.monotonic()
    verdict, problems = None, []
    program, command = partial(call, language), partial(run, language)
    try:
        for line in language.build:
            command(line.split())
        reports = program(["check", str(VECTORS)]).splitlines()
        verdict = judge(list(map(json.loads, reports)), read_differences(language.name))
        problems += live_problems(language.name, program)
        problems += image_problems(command, language.folder)
        if language.name == "typescript":
            problems += fact_problems(program)
            listing = command(["npm", "pack", "--dry-run", "--json", "--silent"])
            problems += package_problems(listing, language.folder)
    except (Failed, BadReport, turnwire.TurnwireError, json.JSONDecodeError) as error:
        problems.append(str(error))
    return Outcome(verdict, problems, time.monotonic() - began)


def call(language: Language, arguments: list[str], data: bytes = b"") -> bytes:
    """Runs a language's program and returns its stdout."""
    return run(language, [*language.call.split(), *arguments], data)


def run(language: Language, command: list[str], data: bytes = b"") -> bytes:
    """Runs a command in a language's folder, with the pinned buf first on the PATH."""
    path = os.pathsep.join([str(tool("buf").parent), os.environ["PATH"]])
    program = shutil.which(command[0], path=path) or str(language.folder / command[0])
    done = subprocess.run(
        [program, *command[1:]],
        cwd=language.folder,
        env={**os.environ, "PATH": path},
        input=data,
        capture_output=True,
    )
    if done.returncode != 0:
        said = (done.stdout[-4000:] + done.stderr[-4000:]).decode(errors="replace").strip()
        raise Failed(f"{' '.join(command)} exited {done.returncode}:\n{said}")
    return done.stdout


def complaints(language: Language, outcome: Outcome) -> list[str]:
    """Returns everything that makes a language fail, one line each."""
    lines = [f"{language.name}: {problem}" for problem in outcome.problems]
    if outcome.verdict is not None:
        for (path, kind), detail in sorted(outcome.verdict.unexpected.items()):
            lines.append(f"{language.name}: unexpected: {kind} {path}: {detail[:200]}")
        for path, kind in sorted(outcome.verdict.gone):
            lines.append(
                f"{language.name}: no longer {kind} {path}; remove it from differences.json"
            )
    return lines


def summary(outcomes: dict[str, Outcome | None]) -> int:
    """Prints the table and the closing line, and returns the exit code."""
    row = "{:<12}{:>8}{:>14}{:>13}{:>7}{:>9}  {}".format
    print(row("language", "inputs", "as expected", "differences", "new", "seconds", ""))
    for name, outcome in outcomes.items():
        if outcome is None:
            print(row(name, "-", "-", "-", "-", "-", "skipped"))
            continue
        word = "passed" if outcome.passed else "FAILED"
        seconds = f"{outcome.seconds:.0f}"
        if (verdict := outcome.verdict) is None:
            print(row(name, "-", "-", "-", "-", seconds, word))
            continue
        differing = len({path for path, _ in verdict.found})
        known, new = len(verdict.expected), len(verdict.unexpected)
        print(row(name, verdict.inputs, verdict.inputs - differing, known, new, seconds, word))
    passed = sum(outcome is not None and outcome.passed for outcome in outcomes.values())
    skipped = sum(outcome is None for outcome in outcomes.values())
    failed = len(outcomes) - passed - skipped
    if skipped and os.environ.get("INTEROP_REQUIRE_ALL") == "1":
        print("INTEROP_REQUIRE_ALL=1: every language must run")
        failed, skipped = failed + skipped, 0
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
