"""Makes any text fit to show: nothing in it steers the terminal or turns the direction of writing.

Texts from services and files go through here on their way to stdout and stderr.
"""

from __future__ import annotations

import re

_FIRST_CONTROLS = r"\x00-\x08\x0b-\x1f"
# Some terminals obey U+0080 to U+009F too. The others are Unicode's bidirectional controls, which
# can make a line look like another one.
_OTHER_CONTROLS = r"\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_STEERING = re.compile(f"[{_FIRST_CONTROLS}{_OTHER_CONTROLS}]")
_STEERING_IN_JSON = re.compile(f"[{_OTHER_CONTROLS}]")
_STEERING_IN_UTF8 = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)
_LINE_BREAKS = re.compile(r"[\t\n\x85\u2028\u2029]")


def printable(text: str) -> str:
    r"""Returns a text of any number of lines with its control characters escaped.

    >>> printable("red:\x1b[31m\r\n"), printable("\u202egpj.exe")
    ('red:\\x1b[31m\n', '\\u202egpj.exe')
    """
    return _STEERING.sub(_escape, text.replace("\r\n", "\n"))


def on_one_line(text: str) -> str:
    r"""Returns a text on one line: tabs and line ends are escaped too.

    >>> on_one_line("a\nb")
    'a\\nb'
    """
    return _LINE_BREAKS.sub(_escape, printable(text))


def printable_json(text: str) -> str:
    r"""Returns a JSON text that is fit to show and means the same.

    JSON text itself can hold the characters from U+007F on as they are, in strings alone.

    >>> printable_json('"\x9b31m"')
    '"\\u009b31m"'
    """
    return _STEERING_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def printable_json_bytes(data: bytes) -> bytes:
    r"""Does the same for JSON text in UTF-8.

    >>> printable_json_bytes('"\x9b31m"'.encode())
    b'"\\u009b31m"'
    """
    if data.isascii() and b"\x7f" not in data:
        return data
    return _STEERING_IN_UTF8.sub(lambda match: rb"\u%04x" % ord(match[0].decode()), data)


def printable_text_format(data: bytes) -> bytes:
    r"""Does the same for protobuf's text format, whose strings take bytes as octal numbers.

    >>> printable_text_format('role: "\x9b31m"'.encode())
    b'role: "\\302\\23331m"'
    """
    return _STEERING_IN_UTF8.sub(_octal, data)


def _octal(match: re.Match[bytes]) -> bytes:
    return b"".join(rb"\%03o" % byte for byte in match[0])


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()
