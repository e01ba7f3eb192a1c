"""Does everything that a release needs, short of uploading.

    .venv-release/bin/python scripts/release_check.py

`make release-check` runs it. It builds both distributions twice, compares and inspects them, and
installs them on every Python that pyproject.toml names, with the oldest and the newest versions of
the dependencies. All checks run; the closing lines say which failed. A check whose tool is missing
fails too.

The npm package and its contents are checked by `make interop`. The crate is not in the crates'
registry (`publish = false`): the core is published as a wheel.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from environment import ROOT, python_of
from release_licences import unknown_licences
from test_runtimes import find_python, project

BUILD = ROOT / "build" / "release"
FIRST, SECOND = BUILD / "first", BUILD / "second"
PACKAGING = ROOT / "tests" / "packaging"

MAX_SIZES = {
    "turnwire-*.whl": 900_000,
    "turnwire-*.tar.gz": 2_000_000,
    "turnwire_native-*.whl": 4_000_000,
    "turnwire_native-*.tar.gz": 500_000,
}
"""The largest size of each file that is uploaded, in bytes."""

CONTENTS = {
    "turnwire-*.whl": (
        *("turnwire/*.py", "turnwire/py.typed", "turnwire/_data/*", "turnwire/report/templates/*"),
        *("turnwire_schema/*.py", "turnwire_schema/*.pyi", "turnwire_schema/py.typed"),
    ),
    "turnwire_native-*.whl": (
        *("turnwire_native/__init__.py*", "turnwire_native/py.typed"),
        "turnwire_native/turnwire_native.abi3.so",
    ),
}
"""The files that a wheel may hold, besides its metadata."""

METADATA = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/*", "sboms/*.json")

OTHER_EXTRAS = ("spark", "beam")
"""The extras of users that are not part of `all`."""

RESOLUTIONS = ("lowest-direct", "highest")
"""The choices of uv among the allowed versions of a dependency."""


def run(*command: str | Path, **variables: str) -> None:
    """Runs a command that must succeed."""
    subprocess.run(list(map(str, command)), check=True, cwd=ROOT, env=os.environ | variables)


def one(folder: Path, pattern: str) -> Path:
    """Returns the only file of a folder that fits a pattern."""
    [path] = folder.glob(pattern)
    return path


def build() -> None:
    """Builds the sdists and wheels twice, in clean environments, as of the last commit's time."""
    shutil.rmtree(BUILD, ignore_errors=True)
    ask = ["git", "log", "-1", "--format=%ct"]
    when = subprocess.run(ask, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    for folder in (FIRST, SECOND):
        # Paths of the machine would stand in the core's panics, and differ from one to another.
        cleared = f"--remap-path-prefix={ROOT}=. --remap-path-prefix={Path.home()}=~"
        variables = {"SOURCE_DATE_EPOCH": when, "RUSTFLAGS": cleared}
        run(sys.executable, "-m", "build", "--outdir", folder, ROOT, **variables)
        # Not from the sdist: the bill of materials names the folder in which the core is built.
        for kind in ("--sdist", "--wheel"):
            native = (ROOT / "native", "--outdir", folder)
            run(sys.executable, "-m", "build", kind, *native, **variables)


def same_bytes() -> None:
    """Compares the two builds byte for byte."""
    for path in FIRST.iterdir():
        assert path.read_bytes() == (SECOND / path.name).read_bytes(), f"{path.name} differs"


def sizes() -> None:
    """Compares the sizes with their limits."""
    for pattern, limit in MAX_SIZES.items():
        path = one(FIRST, pattern)
        size = path.stat().st_size
        print(f"{path.name}: {size:,} of at most {limit:,} bytes")
        assert size <= limit, f"{path.name} is too large"


def contents() -> None:
    """Compares the names in the wheels with the patterns of what they may hold."""
    for pattern, allowed in CONTENTS.items():
        with zipfile.ZipFile(one(FIRST, pattern)) as wheel:
            others = [name for name in wheel.namelist() if not _is_allowed(name, allowed)]
        assert others == [], f"{pattern} holds {others}"


def _is_allowed(name: str, allowed: tuple[str, ...]) -> bool:
    folder, _, rest = name.partition("/")
    patterns, name = (METADATA, rest) if folder.endswith(".dist-info") else (allowed, name)
    return any(fnmatch(name, pattern) for pattern in patterns)


def descriptions() -> None:
    """Lets twine read the metadata and the pages that an index shows."""
    run(sys.executable, "-m", "twine", "check", "--strict", *FIRST.iterdir())
    for pattern in CONTENTS:
        with zipfile.ZipFile(one(FIRST, pattern)) as wheel:
            [name] = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            page = wheel.read(name).decode()
        assert "](docs/" not in page, f"the page of {pattern} links into the repository"


def materials() -> None:
    """Validates the bill of materials that each wheel holds."""
    for pattern in CONTENTS:
        with zipfile.ZipFile(one(FIRST, pattern)) as wheel:
            [name] = (name for name in wheel.namelist() if ".dist-info/sboms/" in name)
            text = wheel.read(name).decode()
        version = SchemaVersion.from_version(json.loads(text)["specVersion"])
        fault = JsonStrictValidator(version).validate_str(text)
        assert fault is None, f"{name}: {fault}"


def stable_abi() -> None:
    """Lets abi3audit look for symbols that are not part of the stable ABI of the oldest Python."""
    wheel = str(one(FIRST, "turnwire_native-*.whl"))
    done = subprocess.run(["abi3audit", "--report", wheel], stdout=subprocess.PIPE, text=True)
    [found] = json.loads(done.stdout)["specs"][wheel]["wheel"]
    assert found["result"]["is_abi3_baseline_compatible"], "an older Python lacks symbols"
    # The core says why it uses this one.
    others = set(found["result"]["non_abi3_symbols"]) - {"_PyBytes_Resize"}
    assert others == set(), f"not part of the stable ABI: {others}"


def every_python() -> None:
    """Installs the wheels on each Python, without the core and with it, and uses them."""
    versions = ["{}.{}".format(*sys.version_info[:2]), *_other_pythons()]
    for version in versions:
        interpreter = find_python(version)
        assert interpreter is not None, f"Python {version} is not on this machine"
        python = _environment(f"python-{version}", interpreter)
        _install(python, one(FIRST, "turnwire-*.whl"))
        run(python, "-I", "-W", "error", PACKAGING / "round_trip.py", TURNWIRE_REQUIRE_NATIVE="")
        _install(python, one(FIRST, "turnwire_native-*.whl"))
        run(python, "-I", "-W", "error", PACKAGING / "round_trip.py", TURNWIRE_REQUIRE_NATIVE="1")


def _other_pythons() -> Iterator[str]:
    for line in project()["classifiers"]:
        version = line.rpartition(" :: ")[2]
        if version.startswith("3.") and version != "{}.{}".format(*sys.version_info[:2]):
            yield version


def every_extra() -> None:
    """Installs the extras at their oldest and newest versions, and uses each once."""
    for resolution in RESOLUTIONS:
        for group, extras in _groups_of_extras().items():
            python = _environment(f"{group}-{resolution}", Path(sys.executable))
            pins = BUILD / f"{group}-{resolution}.txt"
            options = [option for extra in extras for option in ("--extra", extra)]
            options += ["--resolution", resolution, "--quiet"]
            sources = ("pip", "compile", "pyproject.toml", "--python", python)
            run("uv", *sources, *options, "--output-file", pins)
            _install(python, one(FIRST, "turnwire-*.whl"), "--requirements", pins)
            tries = PACKAGING / "every_extra.py"
            run(python, "-I", tries, *extras, TURNWIRE_REQUIRE_NATIVE="", TERM="dumb")


def _groups_of_extras() -> dict[str, list[str]]:
    """Returns the extras for users: those of `all`, and each other, which may not fit to them."""
    extras = project()["optional-dependencies"]
    [everything] = extras["all"]
    named = re.search(r"\[(.*)\]", everything)
    assert named is not None
    return {"all": named[1].split(",")} | {name: [name] for name in OTHER_EXTRAS}


def licences() -> None:
    """Looks at the licence of each package that the extras bring; cargo-deny knows the crates'."""
    for group in _groups_of_extras():
        unknown = unknown_licences(python_of(BUILD / f"{group}-{RESOLUTIONS[-1]}"))
        assert unknown == {}, f"not among the known licences: {unknown}"
    run("cargo", "deny", "--manifest-path", "native/Cargo.toml", "check", "licenses", "sources")


def _environment(name: str, interpreter: Path) -> Path:
    run("uv", "venv", "--quiet", "--clear", "--python", interpreter, BUILD / name)
    return python_of(BUILD / name)


def _install(python: Path, *requirements: str | Path) -> None:
    run("uv", "pip", "install", "--quiet", "--python", python, *requirements)


CHECKS: tuple[Callable[[], None], ...] = (
    *(build, same_bytes, sizes, contents, descriptions, materials, stable_abi),
    *(every_python, every_extra, licences),
)


def main() -> int:
    # The programs of this environment come first.
    tools = Path(sys.executable).parent
    os.environ["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"
    failed = []
    for check in CHECKS:
        print(f"== {(check.__doc__ or '').splitlines()[0]}", flush=True)
        try:
            check()
        except (AssertionError, OSError, subprocess.CalledProcessError, ValueError) as error:
            print(f"failed: {error}", file=sys.stderr)
            failed.append(check.__name__)
    print(f"failed checks: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
