"""Typed messages, strict fast JSON, streams and answers for CES and Conversational Analytics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwire import errors, protojson, schema, streams
from turnwire._backend import backend
from turnwire.errors import (
    ChartError,
    MissingExtra,
    ParseError,
    SerializeError,
    StreamError,
    TruncatedStream,
    TurnwireError,
    UnknownFieldWarning,
)
from turnwire.protojson import from_dict, from_json, merge_dict, merge_json, to_dict, to_json
from turnwire.streams import aread, read, write

if TYPE_CHECKING:
    from turnwire import arrow, bulk, ces, charts, check, geminidataanalytics, json_format, report

__version__ = "0.2.0"

__all__ = [
    "ChartError",
    "MissingExtra",
    "ParseError",
    "SerializeError",
    "StreamError",
    "TruncatedStream",
    "TurnwireError",
    "UnknownFieldWarning",
    "__version__",
    "aread",
    "arrow",
    "backend",
    "bulk",
    "ces",
    "charts",
    "check",
    "errors",
    "from_dict",
    "from_json",
    "geminidataanalytics",
    "json_format",
    "merge_dict",
    "merge_json",
    "protojson",
    "read",
    "report",
    "schema",
    "streams",
    "to_dict",
    "to_json",
    "write",
]


if not TYPE_CHECKING:  # A type checker would take every name for an attribute.

    def __getattr__(name: str) -> Any:
        # Importing them takes time, and most programs need one of them.
        if name in __all__:
            import importlib

            return importlib.import_module(f"turnwire.{name}")
        raise AttributeError(f"module 'turnwire' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
