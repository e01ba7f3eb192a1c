"""Says which backend does the work: the Rust core where it is installed, else pure Python.

``TURNWIRE_PURE=1`` in the environment forces the pure one; ``TURNWIRE_REQUIRE_NATIVE=1`` makes it
an error that the core is missing or of another version. Both are read at import.
"""

from __future__ import annotations

import os
from typing import Literal

_FITTING_VERSIONS = ("0.1.",)


def _has_native() -> bool:
    if os.environ.get("TURNWIRE_PURE") == "1":
        return False
    required = os.environ.get("TURNWIRE_REQUIRE_NATIVE") == "1"
    try:
        import turnwire_native
    except ModuleNotFoundError as error:
        # Any other error is that of an installation that is broken, not absent.
        if error.name != "turnwire_native" or required:
            raise
        return False
    if turnwire_native.__version__.startswith(_FITTING_VERSIONS):
        return True
    if required:
        version = turnwire_native.__version__
        raise ImportError(f"turnwire-native {version} does not fit this Turnwire")
    return False


backend: Literal["pure", "native"] = "native" if _has_native() else "pure"
