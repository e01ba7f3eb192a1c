"""Writes JSON values as text with indents, as ``json.dumps`` does, in a fraction of its time.

``json.dumps`` leaves its C code where an ``indent`` is given, and then asks a chain of generators
for each token.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from turnwire.protojson._options import Base64


def json_text(value: Any, indent: int | str | None, sort_keys: bool, ensure_ascii: bool) -> str:
    """Returns what ``json.dumps`` returns for the same JSON value and options.

    >>> print(json_text({"a": [1, 2.0]}, 1, False, True))
    {
     "a": [
      1,
      2.0
     ]
    }
    """
    if indent is None or sort_keys:
        return json.dumps(value, indent=indent, sort_keys=sort_keys, ensure_ascii=ensure_ascii)
    return _indented(value, indent if isinstance(indent, str) else " " * indent, ensure_ascii)


def _indented(value: Any, indent: str, ensure_ascii: bool) -> str:
    # Closures, since most of the time goes into calls and look-ups of attributes.
    escape = encode_basestring_ascii if ensure_ascii else encode_basestring
    # The names of members come again and again: each escaped, with its colon.
    names: dict[str, str] = {}

    def text_of(value: Any, line: str) -> str:
        """Returns the text of a value; `line` is the line end and the indent of its line."""
        kind = type(value)
        if kind is str:
            return escape(value)
        if kind is dict:
            if not value:
                return "{}"
            inner = line + indent
            written: list[str] = []
            append = written.append
            for key, member in value.items():
                name = names.get(key)
                if name is None:
                    name = names[key] = escape(key) + ": "
                append(name + (escape(member) if type(member) is str else text_of(member, inner)))
            return f"{{{inner}{f',{inner}'.join(written)}{line}}}"
        if kind is list:
            if not value:
                return "[]"
            inner = line + indent
            elements = f",{inner}".join([text_of(element, inner) for element in value])
            return f"[{inner}{elements}{line}]"
        if kind is int or kind is float:
            # A number that is rounded to few digits may become an infinity.
            return str(value) if value - value == 0 else json.dumps(value)
        if value is None:
            return "null"
        if kind is Base64:
            return f'"{value}"'
        return "true" if value else "false"

    return text_of(value, "\n")
