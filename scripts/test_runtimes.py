"""Runs the tests of the runtime in other environments than .venv, without the core and with it.

    python scripts/test_runtimes.py oldest     on the oldest protobuf that pyproject.toml allows
    python scripts/test_runtimes.py pythons    on the other Pythons that pyproject.toml names
    python scripts/test_runtimes.py columns    tests/columns alone, with the data libraries
    python scripts/test_runtimes.py engines    tests/engines alone, with Spark, Beam, DuckDB, Polars

.venv holds one Python and the newest protobuf that the index offers. Each environment here is made
again. The suite first runs without the core, as for a user who did not install it. Then the wheel
that `make` built is installed, and the tests that it can change run again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from build_native import install_native
from environment import ROOT, make_environment
from run_tests import ANY_BACKEND, SEPARATE, passes

WITHOUT_CORE = (*SEPARATE, "native")
WITH_CORE = ANY_BACKEND
"""Folders of tests that are left out before and after the core is installed."""

_CLASSIFIER = "Programming Language :: Python :: "


def project() -> dict[str, Any]:
    """Returns the table `project` of pyproject.toml."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(table, dict)
    return table


def oldest_protobuf() -> str:
    """Returns the lower bound of the dependency on protobuf, such as ``6.31.1``."""
    bounds = [re.fullmatch(r"protobuf>=([\d.]+),.*", line) for line in project()["dependencies"]]
    [version] = [bound[1] for bound in bounds if bound]
    return version


def other_pythons() -> list[str]:
    """Returns the versions that the classifiers name, such as ``3.12``, except the running one."""
    lines = [line for line in project()["classifiers"] if line.startswith(_CLASSIFIER + "3.")]
    running = "{}.{}".format(*sys.version_info[:2])
    return [version for line in lines if (version := line.removeprefix(_CLASSIFIER)) != running]


def find_python(version: str) -> Path | None:
    """Returns the interpreter of a version, on the path or pyenv's; None where it is missing."""
    for candidate in _candidates(version):
        # A program of pyenv on the path fails when its version is not selected.
        ask = [str(candidate), "-c", "import sys; print('{}.{}'.format(*sys.version_info))"]
        done = subprocess.run(ask, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode == 0 and done.stdout.strip() == version:
            return candidate
    return None


def _candidates(version: str) -> Iterator[Path]:
    if on_path := shutil.which(f"python{version}"):
        yield Path(on_path)
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from sorted(versions.glob(f"{version}.*/bin/python"))


@dataclass(frozen=True)
class Runtime:
    """An environment to run tests in."""

    name: str
    """The environment is .venv-NAME."""
    requirements: tuple[str, ...] = (".[test]",)
    interpreter: Path = Path(sys.executable)
    tests: tuple[str, ...] = ()
    """The folders of tests that are run; all where none is named."""


def passes_in(runtime: Runtime) -> bool:
    """Makes an environment and runs the tests in it, without the core and then with it."""
    environment = ROOT / f".venv-{runtime.name}"
    requirements = ("--editable", *runtime.requirements)
    python = make_environment(environment, *requirements, interpreter=runtime.interpreter)
    print(f"tests on {_versions(python)}, without the core", flush=True)
    # CI may require the core (TURNWIRE_REQUIRE_NATIVE), which this run is without on purpose.
    without = {key: value for key, value in os.environ.items() if not key.startswith("TURNWIRE_")}
    if not passes(python, without, WITHOUT_CORE, *runtime.tests):
        return False
    if not install_native(environment):
        print("no tests over the core: it was not built", file=sys.stderr)
        return os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1"
    print(f"tests on {_versions(python)}, with the core", flush=True)
    return passes(python, os.environ | {"TURNWIRE_PURE": "0"}, WITH_CORE, *runtime.tests)


def _versions(python: Path) -> str:
    """Returns the versions that an environment holds: ``Python 3.12.1 and protobuf 7.36.2``."""
    ask = "import google.protobuf as p, platform as o; print(o.python_version(), p.__version__)"
    done = subprocess.run([str(python), "-c", ask], check=True, stdout=subprocess.PIPE, text=True)
    return "Python {} and protobuf {}".format(*done.stdout.split())


def test_oldest() -> bool:
    """Runs the tests on the oldest protobuf."""
    version = oldest_protobuf()
    return passes_in(Runtime(f"protobuf-{version}", (".[test]", f"protobuf=={version}")))


def test_pythons() -> bool:
    """Runs the tests on each other Python; one that is not on this machine is named and skipped."""
    good = True
    for version in other_pythons():
        python = find_python(version)
        if python is None:
            print(f"no tests on Python {version}: it is not on this machine", file=sys.stderr)
            good = good and os.environ.get("TURNWIRE_REQUIRE_PYTHONS") != "1"
        else:
            good = passes_in(Runtime(f"python-{version}", interpreter=python)) and good
    return good


def test_columns() -> bool:
    """Runs the tests of tests/columns, with the data libraries."""
    return passes_in(Runtime("columns", (".[columns]",), tests=("tests/columns",)))


def test_engines() -> bool:
    """Runs the tests of tests/engines, once: with the core, where it was built."""
    environment = ROOT / ".venv-engines"
    python = make_environment(environment, "--editable", ".[engines]")
    if not install_native(environment) and os.environ.get("TURNWIRE_REQUIRE_NATIVE") == "1":
        return False
    # The tests of one file share a session of Spark.
    return passes(python, os.environ, (), "--dist=loadfile", "--durations=3", "tests/engines")


CHOICES = {
    "oldest": test_oldest,
    "pythons": test_pythons,
    "columns": test_columns,
    "engines": test_engines,
}

if __name__ == "__main__":
    sys.exit(not CHOICES[sys.argv[1]]())
