"""Makes generated/ from proto/ with the pinned toolchain, or checks that it is up to date.

    python scripts/generate.py            write generated/python and generated/turnwire.binpb
    python scripts/generate.py --check    generate elsewhere and compare; exit 1 on any difference

Standard library only.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import ROOT
from toolchain import PROTOS, tool, toolchain

PROTO = ROOT / "proto"
GENERATED = ROOT / "generated"

# What this script writes below generated/; whatever else stands there belongs to another script.
PYTHON_TREE = "python/turnwire_schema"
DESCRIPTOR_SET = "turnwire.binpb"


def generate(target: Path) -> None:
    """Runs protoc over every .proto file and writes the stubs and the descriptor set to target."""
    stubs = target / "python"
    stubs.mkdir(parents=True)
    # The order of the sources is the order of the files in the descriptor set.
    sources = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.rglob("*.proto"))
    command = [
        str(toolchain()),
        "-m",
        "grpc_tools.protoc",
        f"--proto_path={PROTO}",
        f"--proto_path={PROTOS}",
        f"--plugin=protoc-gen-mypy={tool('protoc-gen-mypy')}",
        f"--python_out={stubs}",
        f"--mypy_out=quiet:{stubs}",
        f"--descriptor_set_out={target / DESCRIPTOR_SET}",
        "--include_imports",
        "--include_source_info",
        *sources,
    ]
    subprocess.run(command, check=True, cwd=ROOT)
    # protoc writes modules only; these two make them typed packages.
    for folder in [target / PYTHON_TREE, *(target / PYTHON_TREE).rglob("*/")]:
        (folder / "__init__.py").touch()
    (target / PYTHON_TREE / "py.typed").touch()


def contents(root: Path) -> dict[str, bytes]:
    """Every file that this script makes below a root, without what Python caches there."""
    paths = [root / DESCRIPTOR_SET, *(root / PYTHON_TREE).rglob("*")]
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }


def differences(fresh: Path) -> list[str]:
    """How generated/ differs from a fresh tree: one line a file, empty when they are the same."""
    new, old = contents(fresh), contents(GENERATED)
    lines = [f"missing: {path}" for path in sorted(new.keys() - old.keys())]
    lines += [f"left over: {path}" for path in sorted(old.keys() - new.keys())]
    lines += [f"different: {path}" for path in sorted(new.keys() & old) if new[path] != old[path]]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
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
                return 1
            print(f"generated/ is what proto/ gives: {len(contents(fresh))} files compared")
            return 0
        shutil.rmtree(GENERATED / PYTHON_TREE, ignore_errors=True)
        shutil.copytree(fresh / PYTHON_TREE, GENERATED / PYTHON_TREE)
        shutil.copyfile(fresh / DESCRIPTOR_SET, GENERATED / DESCRIPTOR_SET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
