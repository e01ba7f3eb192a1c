"""The choice of the backend, and the parts of the package that an import brings along."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from google._upb import _message  # type: ignore[attr-defined]

import turnwire
from turnwire.errors import MissingExtra, UnknownFieldWarning

TELL = "import turnwire; print(turnwire.backend)"


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in a separate process, with no variables of ours but these."""
    kept = {name: value for name, value in os.environ.items() if "TURNWIRE" not in name}
    return subprocess.run(
        [sys.executable, "-c", program], env=kept | environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("value", ["1", "true", "TRUE", "yes", "on"])
def test_the_pure_backend_can_be_asked_for(value: str) -> None:
    assert run(TELL, TURNWIRE_PURE=value).stdout == "pure\n"


def test_other_values_are_off_or_an_error() -> None:
    default = run(TELL).stdout
    assert default in ("native\n", "pure\n")
    for value in ("", "0", "False", "no"):
        assert run(TELL, TURNWIRE_PURE=value, TURNWIRE_REQUIRE_NATIVE=value).stdout == default
    result = run(TELL, TURNWIRE_PURE="maybe")
    assert "ValueError: the environment variable TURNWIRE_PURE must be 1 or 0" in result.stderr


@pytest.mark.parametrize("content", ["", "__version__ = '0.1.0'\n", "INTERFACE = 1\n"])
def test_another_module_of_that_name_is_not_the_core(tmp_path: Path, content: str) -> None:
    (tmp_path / "turnwire_native.py").write_text(content)
    assert run(TELL, PYTHONPATH=str(tmp_path)).stdout == "pure\n"
    result = run(TELL, PYTHONPATH=str(tmp_path), TURNWIRE_REQUIRE_NATIVE="1")
    assert "does not fit this Turnwire" in result.stderr


@pytest.mark.parametrize(
    ("damage", "reason"),
    [("cut", "file too short"), ("other", "PyInit_turnwire_native"), ("needs", "no_such_module")],
)
def test_a_damaged_core_is_an_error(tmp_path: Path, damage: str, reason: str) -> None:
    if damage == "needs":
        (tmp_path / "turnwire_native.py").write_text("import no_such_module\n")
    else:
        library = Path(_message.__file__)  # a real one, of another module
        content = library.read_bytes()
        damaged = tmp_path / f"turnwire_native{library.suffix}"
        damaged.write_bytes(content[:10] if damage == "cut" else content)
    result = run(TELL, PYTHONPATH=str(tmp_path))
    assert "ImportError: turnwire-native is installed but cannot be loaded (" in result.stderr
    assert "pip install --force-reinstall turnwire-native" in result.stderr
    if sys.platform == "linux" or damage == "needs":
        assert reason in result.stderr
    assert run(TELL, PYTHONPATH=str(tmp_path), TURNWIRE_PURE="1").stdout == "pure\n"


@pytest.mark.skipif(sys.platform != "linux", reason="libraries have another form")
@pytest.mark.parametrize("share", [0.3, 0.5, 0.99])
def test_a_core_that_was_cut_off_does_not_kill_the_process(tmp_path: Path, share: float) -> None:
    package = tmp_path / "turnwire_native"
    package.mkdir()
    (package / "__init__.py").write_text("from .turnwire_native import *\n")
    content = Path(_message.__file__).read_bytes()  # a real library, of another module
    library = package / "turnwire_native.abi3.so"
    library.write_bytes(content[: int(len(content) * share)])
    result = run(TELL, PYTHONPATH=str(tmp_path))
    assert result.returncode == 1
    assert f"cannot be loaded ({library} ends too early)" in result.stderr
    assert run(TELL, PYTHONPATH=str(tmp_path), TURNWIRE_PURE="1").stdout == "pure\n"
    library.write_bytes(content)
    result = run(TELL, PYTHONPATH=str(tmp_path))
    assert "ends too early" not in result.stderr


def test_one_import_brings_everything_along() -> None:
    program = (
        "import turnwire, sys\n"
        "from turnwire._apis import APIS\n"
        "assert not {api.views for api in APIS} & set(sys.modules)\n"
        "assert {'errors', *(api.name for api in APIS)} <= set(dir(turnwire))\n"
        "turnwire.errors.ParseError, turnwire.streams.read, turnwire.protojson.from_json\n"
        "for api in APIS: getattr(turnwire, api.name).Message\n"
        "for name in turnwire.__all__: getattr(turnwire, name)\n"
        "try: turnwire.nonsense\n"
        "except AttributeError as error: print(error)\n"
    )
    assert run(program).stdout == "module 'turnwire' has no attribute 'nonsense'\n"


def test_the_runtime_of_protobuf_in_python_raises_our_errors_only() -> None:
    program = """
from google.protobuf import any_pb2
from google.protobuf.internal import api_implementation
import turnwire, turnwire.ces
held = any_pb2.Any(type_url="x/turnwire_schema.ces.v1.Message", value=b"\\x0a\\x01\\xf1")
for function in (turnwire.to_json, turnwire.to_dict):
    try:
        function(held)
    except turnwire.SerializeError as error:
        print(api_implementation.Type(), error.kind)
"""
    result = run(program, PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION="python")
    assert result.stdout == "python value\n" * 2, result.stderr


def test_a_missing_extra_says_what_to_install() -> None:
    error = MissingExtra("arrow", "pyarrow")
    assert str(error) == 'pyarrow is not installed; install it with: pip install "turnwire[arrow]"'
    assert isinstance(error, ImportError)
    assert isinstance(error, turnwire.TurnwireError)
    for each in (error, pickle.loads(pickle.dumps(error))):
        assert (each.kind, each.extra, each.name) == ("missing_extra", "arrow", "pyarrow")


def test_a_warning_travels() -> None:
    warning = pickle.loads(pickle.dumps(UnknownFieldWarning(("a", "b"), "package.Message")))
    assert (warning.place, warning.message_name) == (("a", "b"), "package.Message")
    assert str(warning) == "left out the unknown $.a.b of package.Message"
