"""Which of Turnwire's messages mirror a message of Google's own packages."""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

_UPSTREAM = re.compile(r"google\.cloud\.(ces|geminidataanalytics)\.v1(?:alpha|beta)?\.(.+)")


def mirror_name_of(name: str) -> str | None:
    """The full name of Turnwire's mirror of a Google message, or None for any other name.

    The stubs are imported, so that the name can be found in the default descriptor pool.

    >>> mirror_name_of("google.cloud.ces.v1.ToolCall")
    'turnwire_schema.ces.v1.ToolCall'
    """
    match = _UPSTREAM.fullmatch(name)
    if match is None:
        return None
    package = f"turnwire_schema.{match[1]}.v1"
    _import_all_of(package)
    return f"{package}.{match[2]}"


@cache
def _import_all_of(package: str) -> None:
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")
