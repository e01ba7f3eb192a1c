"""The JSON form of FieldMask, in both directions."""

from __future__ import annotations

import re
from string import ascii_uppercase

from turnwire.errors import excerpt
from turnwire.protojson._pure._problem import Problem
from turnwire.protojson._pure._values import wrong_type

# AIP-161 has "*" for all fields, or for all elements of a list or map.
_SEGMENT = r"(?:[A-Za-z0-9]++|\*)"
_PATH = rf"{_SEGMENT}(?:\.{_SEGMENT})*+"
_path = re.compile(_PATH).fullmatch
_paths = re.compile(rf"(?:{_PATH}(?:,{_PATH})*+)?").fullmatch
_snake_case = str.maketrans({capital: "_" + capital.lower() for capital in ascii_uppercase})


def field_mask_of(value: object) -> list[str]:
    """Returns the paths of a FieldMask, in proto names."""
    if not isinstance(value, str):
        raise wrong_type("string of field paths", value)
    if not _paths(value):
        reason = f"expected lowerCamelCase paths with commas between, got {excerpt(value)}"
        raise Problem("value", reason)
    return value.translate(_snake_case).split(",") if value else []


def field_mask_text(paths: list[str]) -> str:
    """Returns the text of a FieldMask; a path that would not read back as itself is a problem."""
    names = []
    for path in paths:
        name = re.sub("_([a-z])", lambda match: match.group(1).upper(), path)
        if not _path(name) or name.translate(_snake_case) != path:
            raise Problem("value", f"the path {excerpt(path)} has no JSON form that reads back")
        names.append(name)
    return ",".join(names)
