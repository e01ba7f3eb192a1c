"""Finds the Rust core: the module `turnwire_native` where one that fits is installed, else None.

In the environment, ``TURNWIRE_PURE=1`` does without it, and ``TURNWIRE_REQUIRE_NATIVE=1`` makes it
an error that it is missing or does not fit. Both are read at import.
"""

from __future__ import annotations

import importlib
import os
import struct
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from turnwire_native import Codec, ColumnBuilder, LineChecker

__all__ = ["Codec", "ColumnBuilder", "LineChecker", "backend", "native"]

_INTERFACE = 10
"""The number of the core's interface; it changes with the functions or their meaning."""


_ELF_OF_64_BITS = b"\x7fELF\x02\x01"
_ELF_HEADER = struct.Struct("<40xQ10x2H2x")

_ON = ("1", "true", "yes", "on")
_OFF = ("", "0", "false", "no", "off")


def _is_on(variable: str) -> bool:
    value = os.environ.get(variable, "").lower()
    if value not in _ON + _OFF:
        raise ValueError(f"the environment variable {variable} must be 1 or 0, not {value!r}")
    return value in _ON


def _check_whole() -> None:
    """Checks that the core's library was not cut off: loading it would kill the process.

    The table of sections is the last thing in a library of Linux.

    Raises:
        ImportError: The end is missing.
    """
    spec = PathFinder.find_spec("turnwire_native")
    folders = (spec.submodule_search_locations if spec is not None else None) or ()
    for path in (path for folder in folders for path in Path(folder).glob("*.so")):
        with path.open("rb") as library:
            start = library.read(_ELF_HEADER.size)
            size = os.fstat(library.fileno()).st_size
        if len(start) == _ELF_HEADER.size and start.startswith(_ELF_OF_64_BITS):
            table, section_size, section_count = _ELF_HEADER.unpack(start)
            if size < table + section_size * section_count:
                raise ImportError(f"{path} ends too early")


def _find_native() -> ModuleType | None:
    if _is_on("TURNWIRE_PURE"):
        return None
    required = _is_on("TURNWIRE_REQUIRE_NATIVE")
    try:
        _check_whole()
        module = importlib.import_module("turnwire_native")
    except Exception as error:
        if not isinstance(error, ModuleNotFoundError) or error.name != "turnwire_native":
            # It is installed: going on without it would only be slow, and nobody would know why.
            raise ImportError(
                f"turnwire-native is installed but cannot be loaded ({error}): install it again "
                "(pip install --force-reinstall turnwire-native), uninstall it, or set "
                "TURNWIRE_PURE=1 to do without it",
                name="turnwire_native",
            ) from error
        if required:
            raise
        return None
    # A folder of that name on the path is a module too, an empty one.
    if getattr(module, "INTERFACE", None) == _INTERFACE:
        return module
    if required:
        version = getattr(module, "__version__", "without a version")
        raise ImportError(f"turnwire-native {version} does not fit this Turnwire")
    return None


native: ModuleType | None = _find_native()
backend: Literal["pure", "native"] = "pure" if native is None else "native"
