"""The libraries that unpack gzip, one after the other."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest


@pytest.fixture(params=["zlib", "zlib_ng.zlib_ng"])
def gzip_library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that unpacks gzip in this test."""
    if request.param == "zlib":
        monkeypatch.setitem(sys.modules, "zlib_ng.zlib_ng", None)
        return importlib.import_module("zlib")
    return pytest.importorskip(request.param)
