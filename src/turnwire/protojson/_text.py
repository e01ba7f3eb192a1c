"""JSON text to Python values, strictly: what RFC 8259 does not allow is an error with its place.

Python's own reader does the work. What it does not check is checked here, or marked for others.
"""

from __future__ import annotations

import json
from typing import Any

from turnwire.errors import ParseError
from turnwire.protojson._deep_text import deep_value_of
from turnwire.protojson._json_decoders import EXACT, PLAIN
from turnwire.protojson._syntax import place, syntax_error


def text_of(data: str | bytes | bytearray | memoryview) -> str:
    """The text of JSON data, which is UTF-8 when it comes as bytes.

    Raises:
        ParseError: The bytes are not UTF-8 (kind ``"encoding"``).
    """
    if isinstance(data, str):
        return data
    if isinstance(data, memoryview):
        # Its elements may be no bytes, and need not lie one after another.
        data = data.tobytes()
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError as error:
        line, column = place(data[: error.start].decode("utf-8"), None)
        reason = f"invalid UTF-8: byte 0x{data[error.start]:02x}"
        raise ParseError(reason, kind="encoding", line=line, column=column) from None


def values_of(text: str, *, exact: bool = False) -> Any:
    """The value of a JSON text.

    Args:
        text: One JSON value, with blanks around it at most.
        exact: Whether numbers keep their text (`ExactNumber`) where a double could lose some.

    Raises:
        ParseError: The text is not JSON (kind ``"syntax"``, or ``"depth"``).
    """
    try:
        return (EXACT if exact else PLAIN).decode(text)
    except json.JSONDecodeError as error:
        raise syntax_error(error.msg, text, error.pos) from None
    except RecursionError:
        return deep_value_of(text, exact)
    except ValueError:
        # int() refuses numbers of thousands of digits; exact reading keeps those as text.
        return values_of(text, exact=True)
