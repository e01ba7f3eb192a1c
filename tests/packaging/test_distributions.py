"""Builds the wheel and the sdist, and checks their files and that each works when installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STUBS = ROOT / "generated" / "python"
SCHEMAS = ROOT / "generated" / "jsonschema"


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Returns the sdist, and the wheel that `build` made from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    [sdist], [wheel] = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def below(root: Path, pattern: str) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob(pattern)}


def test_the_wheel_holds_the_packages_and_the_schema(distributions: tuple[Path, Path]) -> None:
    names = set(zipfile.ZipFile(distributions[1]).namelist())
    code = {name for name in names if name.endswith((".py", ".pyi", ".typed"))}
    assert code == {
        *below(ROOT / "src", "*.py"),
        *below(STUBS, "*.py"),
        *below(STUBS, "*.pyi"),
        "turnwire/py.typed",
        "turnwire_schema/py.typed",
    }
    protos = {f"turnwire/_data/proto/{name}" for name in below(ROOT / "proto", "*.proto")}
    assert protos <= names
    assert "turnwire/_data/turnwire.binpb" in names
    schemas = {f"turnwire/_data/jsonschema/{name}" for name in below(SCHEMAS, "*.json")}
    assert len(schemas) == 4
    assert schemas <= names
    templates = {
        f"turnwire/report/templates/{path.name}"
        for path in (ROOT / "src" / "turnwire" / "report" / "templates").iterdir()
    }
    assert {Path(name).suffix for name in templates} == {".html", ".css"}
    assert templates <= names
    pages = below(ROOT / "docs", "*.md") - {"site/index.md"}
    assert {f"turnwire/_data/docs/{name}" for name in pages} <= names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_sdist_holds_all_tracked_files(
    distributions: tuple[Path, Path],
) -> None:
    with tarfile.open(distributions[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode == 0:
        assert set(tracked.stdout.splitlines()) <= names
    assert {"LICENSE", "README.md", "pyproject.toml", "generated/turnwire.binpb"} <= names
    assert {f"proto/{name}" for name in below(ROOT / "proto", "*.proto")} <= names


def clean_environment(folder: Path, *requirements: str | Path) -> Path:
    """Makes a virtual environment with requirements from an index; returns its programs."""
    venv.create(folder, with_pip=True, symlinks=True)
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    subprocess.run([folder / "bin" / "python", *install], check=True)
    return folder / "bin"


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_it_works_in_a_clean_environment(
    kind: str,
    distributions: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The core is a separate distribution, which is not installed here, whatever CI requires.
    monkeypatch.delenv("TURNWIRE_REQUIRE_NATIVE", raising=False)
    package = distributions[0] if kind == "sdist" else distributions[1]
    programs = clean_environment(tmp_path / "venv", package)
    script = shutil.copy(Path(__file__).parent / "round_trip.py", tmp_path)
    done = subprocess.run(
        [programs / "python", "-I", "-W", "error", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
    shown = subprocess.run(
        [programs / "turnwire", "schema", "show", "ces.Chunk"], capture_output=True
    )
    assert shown.returncode == 0


def test_an_own_proto_imports_the_installed_schema(
    distributions: tuple[Path, Path], tmp_path: Path
) -> None:
    """The recipe: its commands are run as the page has them, and mypy checks the program."""
    programs = clean_environment(tmp_path / "venv", distributions[1], "mypy")
    project = tmp_path / "project"
    shutil.copytree(ROOT / "examples" / "recipes" / "own_proto", project)
    page = (ROOT / "docs" / "recipes" / "own-proto.md").read_text(encoding="utf-8")
    [commands] = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    checks = [
        "python -W error rate.py",
        "echo '{}' | turnwire convert - --import rating_pb2 --type example.rating.Rating",
        "python -m mypy --strict rate.py",
    ]
    done = subprocess.run(
        ["bash", "-ec", "\n".join([commands, *checks])],
        cwd=project,
        env=os.environ | {"PATH": path, "TURNWIRE_REQUIRE_NATIVE": "", "PIP_QUIET": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "c-1: At 18:40. ★★★★★",
        "c-3: - No reply.",
        "element 1: expected string, got number at $.rated.chunks[0].text "
        "(turnwire_schema.ces.v1.Chunk.text)",
        '{"rated":{"role":"user"},"stars":4}',
        "{}",
        "Success: no issues found in 1 source file",
    ]
