"""The JSON Schemas of protobuf's own types, by the rules of the JSON mapping."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import FieldDescriptor

Schema = dict[str, Any]

BASE = "https://turnwire.dev/schema/"
"""What all identifiers begin with. They are names; nothing needs to be found there."""

_NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"

_STANDARD, _URL_SAFE = "[A-Za-z0-9+/]", "[A-Za-z0-9_-]"
_BASE64 = (
    f"^({_STANDARD}{{4}})*({_STANDARD}[AQgw](==)?|{_STANDARD}{{2}}[AEIMQUYcgkosw048]=?)?$"
    # The URL-safe alphabet, where one of its own letters is there.
    f"|^(?=.*[_-])({_URL_SAFE}{{4}})*"
    f"({_URL_SAFE}[AQgw]==|{_URL_SAFE}{{2}}[AEIMQUYcgkosw048]=|{_URL_SAFE}{{2,3}})?$"
)
_TIMESTAMP = (
    "^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?"
    "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
)
# Between the largest float and this, numbers are still rounded to the largest float.
_FLOAT_LIMIT = 3.4028235677973366e38


def _shared(name: str, description: str, **keywords: Any) -> Schema:
    return {"$id": f"{BASE}protobuf/{name}.json", "description": description, **keywords}


def _integer(bits: int) -> Schema:
    return {"type": "integer", "minimum": -(2 ** (bits - 1)), "maximum": 2 ** (bits - 1) - 1}


def _quoted_number() -> Schema:
    return {"type": "string", "pattern": _NUMBER}


PROTOBUF_TYPES: dict[str, Schema] = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "int32": _shared(
        "int32",
        "An integer of 32 bits, bare or quoted.",
        anyOf=[_integer(32), _quoted_number()],
    ),
    "int64": _shared(
        "int64",
        "An integer of 64 bits, quoted or bare; a quoted one is exact in every language.",
        anyOf=[_quoted_number(), _integer(64)],
    ),
    "float": _shared(
        "float",
        "A number of 32 bits, bare or quoted.",
        anyOf=[
            {
                "type": "number",
                "exclusiveMinimum": -_FLOAT_LIMIT,
                "exclusiveMaximum": _FLOAT_LIMIT,
            },
            {"enum": ["NaN", "Infinity", "-Infinity"]},
            _quoted_number(),
        ],
    ),
    "bytes": _shared(
        "bytes",
        "Bytes in base64: the standard or the URL-safe alphabet, with or without padding.",
        type="string",
        contentEncoding="base64",
        pattern=_BASE64,
    ),
    "Timestamp": _shared(
        "Timestamp",
        "A point in time (RFC 3339) with Z or an offset, and up to nine digits of a fraction.",
        type="string",
        format="date-time",
        pattern=_TIMESTAMP,
    ),
    "Duration": _shared(
        "Duration",
        'Seconds, with up to nine digits of a fraction, and an s: "1.5s".',
        type="string",
        pattern=r"^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,9})?s$",
    ),
    "Struct": {"type": "object"},
    "Any": _shared(
        "Any",
        "A message of any type: its type URL in @type, and its members beside it.",
        type="object",
        properties={"@type": {"type": "string", "pattern": "/[^/]+$"}},
        anyOf=[{"required": ["@type"]}, {"maxProperties": 0}],
    ),
}
"""The schemas by a name; those with an ``$id`` are referred to."""

SCALARS = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_FLOAT: "float",
}
"""The scalar types that the schema uses; another one that comes in needs a line here."""

WELL_KNOWN = {
    "google.protobuf.Timestamp": "Timestamp",
    "google.protobuf.Duration": "Duration",
    "google.protobuf.Struct": "Struct",
    "google.protobuf.Any": "Any",
    "google.protobuf.Int64Value": "int64",
}
"""The well-known types that the schema uses."""
