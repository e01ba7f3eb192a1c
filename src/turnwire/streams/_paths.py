"""Checks of paths: a str is the name of a file, never the data itself."""

from __future__ import annotations

import os
import re

from turnwire.errors import excerpt

_MAX_PATH = 4096
_DATA = re.compile(
    r"""
    .*[\x00\n\r]                              # no sane name of a file has these
    | [\ufeff\s]*+ (?:
        [\[{] (?: .*["] | .*[\]}] \s*+ \Z | \s*+ \Z )  # JSON, perhaps cut
        | (?:data|event|id|retry): | :\s          # an event stream
        | <[!?a-zA-Z]                             # a page of HTML
    )
    """,
    re.VERBOSE | re.DOTALL,
)


def check_path(path: str | os.PathLike[str]) -> None:
    """Raises a ValueError, with advice, for a str that looks like data.

    >>> check_path("logs/today.ndjson")
    >>> check_path("[{}, {}]")
    Traceback (most recent call last):
      ...
    ValueError: expected a path, got text that looks like data, "[{}, {}]"; pass data as bytes: \
text.encode()
    """
    if not isinstance(path, str):
        return
    if not path:
        raise ValueError('expected a path, got an empty str; an empty stream is b""')
    if len(path) > _MAX_PATH or _DATA.match(path):
        raise ValueError(
            f"expected a path, got text that looks like data, {excerpt(path)}; "
            "pass data as bytes: text.encode()"
        )
