"""Makes generated/ from proto/ with the pinned toolchain, or checks that it is up to date.

    python scripts/generate.py            write generated/python and generated/turnwire.binpb
    python scripts/generate.py --check    generate elsewhere and compare; exit 1 on any difference

Standard library only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from committed_tree import bring_up_to_date, contents
from environment import ROOT
from toolchain import PROTOS, tool, toolchain

PROTO = ROOT / "proto"
GENERATED = ROOT / "generated"

# What this script writes below generated/; whatever else stands there belongs to another script.
PYTHON_TREE = "python/turnwire_schema"
DESCRIPTOR_SET = "turnwire.binpb"
PARTS = (PYTHON_TREE, DESCRIPTOR_SET)


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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        fresh = contents(Path(folder), PARTS)
    return bring_up_to_date(GENERATED, PARTS, fresh, command="make generate", check=check)


if __name__ == "__main__":
    sys.exit(main())
