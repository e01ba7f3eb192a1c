"""Makes generated/ from proto/ with an exactly pinned toolchain, or checks that it is up to date.

    python scripts/generate.py            write generated/python and generated/turnwire.binpb
    python scripts/generate.py --check    generate elsewhere and compare; exit 1 on any difference

The toolchain lives in a virtual environment of its own (`.toolchain`), because the generator and
the runtime that the tests use are two versions on purpose. Standard library only.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
GENERATED = ROOT / "generated"
TOOLCHAIN = ROOT / ".toolchain"
REQUIREMENTS = ROOT / "scripts" / "toolchain.txt"

# What this script writes below generated/; whatever else stands there belongs to another script.
PYTHON_TREE = "python/turnwire_schema"
DESCRIPTOR_SET = "turnwire.binpb"


def toolchain_python() -> Path:
    """The interpreter of the pinned toolchain; installs it when it is missing or out of date."""
    python = TOOLCHAIN / ("Scripts" if os.name == "nt" else "bin") / "python"
    installed = TOOLCHAIN / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    if not (python.exists() and installed.exists() and installed.read_text() == wanted):
        venv.create(TOOLCHAIN, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--requirement", str(REQUIREMENTS)], check=True)
        installed.write_text(wanted)
    return python


def common_protos(python: Path) -> Path:
    """The folder that holds google/api/*.proto in the toolchain."""
    code = "import google.api, pathlib; print(pathlib.Path(google.api.__path__[0]).parents[1])"
    found = subprocess.run([str(python), "-c", code], check=True, text=True, capture_output=True)
    return Path(found.stdout.strip())


def generate(target: Path) -> None:
    """Runs protoc over every .proto file and writes the stubs and the descriptor set to target."""
    python = toolchain_python()
    sources = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.rglob("*.proto"))
    stubs = target / "python"
    stubs.mkdir(parents=True)
    plugin = python.parent / ("protoc-gen-mypy.exe" if os.name == "nt" else "protoc-gen-mypy")
    command = [
        str(python),
        "-m",
        "grpc_tools.protoc",
        f"--proto_path={PROTO}",
        f"--proto_path={common_protos(python)}",
        f"--plugin=protoc-gen-mypy={plugin}",
        f"--python_out={stubs}",
        f"--mypy_out=quiet:{stubs}",
        f"--descriptor_set_out={target / DESCRIPTOR_SET}",
        "--include_imports",
        "--include_source_info",
        *sources,
    ]
    subprocess.run(command, check=True, cwd=ROOT)
    packages = {path.parent for path in stubs.rglob("*_pb2.py")}
    for package in packages | {parent for path in packages for parent in path.parents}:
        if stubs in package.parents:
            (package / "__init__.py").touch()
    (stubs / "turnwire_schema" / "py.typed").touch()


def files_below(folder: Path) -> Iterator[Path]:
    """Every file below a folder as a relative path, without what Python caches there."""
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder)


def differences(fresh: Path) -> list[str]:
    """How generated/ differs from a fresh tree: one line a file, empty when they are the same."""
    lines = []
    new, old = (set(files_below(root / PYTHON_TREE)) for root in (fresh, GENERATED))
    lines += [f"missing: {path}" for path in sorted(new - old)]
    lines += [f"left over: {path}" for path in sorted(old - new)]
    for path in sorted(new & old):
        if not filecmp.cmp(fresh / PYTHON_TREE / path, GENERATED / PYTHON_TREE / path, False):
            lines.append(f"different: {path}")
    committed = GENERATED / DESCRIPTOR_SET
    if not committed.exists():
        lines.append(f"missing: {DESCRIPTOR_SET}")
    elif committed.read_bytes() != (fresh / DESCRIPTOR_SET).read_bytes():
        lines.append(f"different: {DESCRIPTOR_SET}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        if check:
            lines = differences(fresh)
            for line in lines:
                print(f"generated/ is not what proto/ gives: {line}", file=sys.stderr)
            if lines:
                print("run `make generate` and commit the result", file=sys.stderr)
            return 1 if lines else 0
        shutil.rmtree(GENERATED / PYTHON_TREE, ignore_errors=True)
        shutil.copytree(fresh / PYTHON_TREE, GENERATED / PYTHON_TREE)
        shutil.copyfile(fresh / DESCRIPTOR_SET, GENERATED / DESCRIPTOR_SET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
