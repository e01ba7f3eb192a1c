"""Draws a specification as SVG, as PNG, or as a page that draws it when it is opened."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Mapping
from string import Template
from typing import Any, Final

from turnwire._arguments import require
from turnwire.charts._grammar import dialect_of, spec_of
from turnwire.charts._ids import with_ids
from turnwire.charts._offline import Data, offline
from turnwire.charts._process import Limits, run
from turnwire.errors import MissingExtra

_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_SECONDS: Final = 30.0
_MAX_MEMORY: Final = 2**30
_IMAGE_MARK: Final = '"image"'
"""Stands in the JSON text of each specification that has a mark of images."""


def to_svg(
    spec: Mapping[str, Any] | str,
    *,
    data: Data | None = None,
    id_prefix: str | None = None,
    timeout: float = _SECONDS,
    max_memory: int = _MAX_MEMORY,
) -> str:
    """Draws a specification as SVG.

    The same specification gives the same text. Links are left out, times are shown in UTC, and
    nothing is fetched.

    Args:
        spec: A Vega 5 or 6 or Vega-Lite 4 to 6 specification, as a dict or as JSON text. Text that
            is encoded twice and wrappers such as ``{"vegaConfig": …}`` are taken off.
        data: The contents of what the specification names by a URL, by that URL: rows, the text or
            bytes of a JSON or CSV file, or the bytes of an image.
        id_prefix: The beginning of the ids in the SVG. The default is made of the content, so that
            different pictures can stand in one page.
        timeout: The seconds after which drawing is stopped.
        max_memory: The bytes of memory at which drawing is stopped. Some 100 MiB are needed.
            Windows does not measure it.

    Raises:
        TypeError: The specification is not a dict or a string.
        ValueError: The prefix or a limit makes no sense.
        ChartError: It is not a specification, names data that was not passed, cannot be drawn, or
            exceeds a limit.
        MissingExtra: vl-convert is not installed.

    >>> from turnwire import charts
    >>> rows = [{"variety": "Scarlet runner", "packets": 1204}]
    >>> encoding = {"x": {"field": "packets", "type": "quantitative"}, "y": {"field": "variety"}}
    >>> svg = charts.to_svg({"mark": "bar", "data": {"values": rows}, "encoding": encoding})
    >>> svg[:5], "Scarlet runner" in svg
    ('<svg ', True)
    """
    if id_prefix is not None and not _PREFIX.fullmatch(id_prefix):
        raise ValueError(f"id_prefix must be letters, digits, - and _, not {id_prefix!r}")
    job = _job("svg", spec, data)
    return with_ids(run(job, Limits(timeout, max_memory)).decode(), id_prefix)


def to_png(
    spec: Mapping[str, Any] | str,
    scale: float = 2,
    *,
    data: Data | None = None,
    timeout: float = _SECONDS,
    max_memory: int = _MAX_MEMORY,
) -> bytes:
    r"""Draws a specification as PNG.

    Text is drawn with the fonts of the machine: Chinese, Japanese and Korean need one that has
    them, such as Noto Sans CJK.

    Args:
        spec: As for `to_svg`.
        scale: The pixels per unit of the specification's width and height.
        data: As for `to_svg`.
        timeout: As for `to_svg`.
        max_memory: As for `to_svg`.

    Raises:
        TypeError: The specification is not a dict or a string, or the scale not a number.
        ValueError: The scale is not a positive number of at most 16.
        ChartError: As for `to_svg`.
        MissingExtra: vl-convert is not installed.

    >>> from turnwire import charts
    >>> charts.to_png({"mark": "point", "data": {"values": [{}]}}, scale=1)[:4]
    b'\x89PNG'
    """
    require(scale, int, float)
    if not 0 < scale <= _MAX_SCALE:
        raise ValueError(f"scale must be above 0 and at most {_MAX_SCALE}, not {scale!r}")
    job, limits = _job("png", spec, data), Limits(timeout, max_memory)
    if _IMAGE_MARK in job["spec"]:
        # Only the SVG shows which images it refers to; a PNG would lack them, or hold local ones.
        with_ids(run({**job, "form": "svg"}, limits).decode(), None)
    return run({**job, "scale": scale}, limits)


def to_html(
    spec: Mapping[str, Any] | str,
    *,
    data: Data | None = None,
    title: str = "Chart",
    timeout: float = _SECONDS,
    max_memory: int = _MAX_MEMORY,
) -> str:
    """Returns a page that draws a specification in a browser, with its tooltips and selections.

    It is self-contained: Vega's scripts, some 900 kB, stand in it, and it fetches nothing.

    Args:
        spec: As for `to_svg`.
        data: As for `to_svg`.
        title: The title of the page.
        timeout: As for `to_svg`, of which the scripts take a few the first time.
        max_memory: As for `to_svg`.

    Raises:
        TypeError: The specification is not a dict or a string.
        ChartError: As for `to_svg`.
        MissingExtra: vl-convert is not installed.

    >>> from turnwire import charts
    >>> page = charts.to_html({"mark": "point", "data": {"values": [{}]}}, title="Points")
    >>> page[:15], "<title>Points</title>" in page
    ('<!doctype html>', True)
    """
    limits = Limits(timeout, max_memory)
    job = _job("svg", spec, data)
    with_ids(run(job, limits).decode(), None)  # a page that cannot draw is an error here
    scripts = run({**job, "form": "scripts"}, limits).decode()
    mode = "vega" if job["lite_version"] is None else "vega-lite"
    return _PAGE.substitute(
        title=title.replace("&", "&amp;").replace("<", "&lt;"),
        scripts=scripts.replace("</script", "<\\/script"),
        # JSON in a script ends where `</script` stands, whatever it stands in.
        spec=job["spec"].replace("<", "\\u003c"),
        options=json.dumps({"actions": False, "mode": mode, "renderer": "svg"}),
    )


def _job(form: str, spec: Mapping[str, Any] | str, data: Data | None) -> dict[str, Any]:
    plain = spec_of(spec)
    dialect = dialect_of(plain)
    _require_renderer()
    lite_version = dialect.version if dialect.grammar == "vega-lite" else None
    if data is not None:
        require(data, Mapping)
    prepared = offline(plain, dialect, {} if data is None else data)
    return {"form": form, "spec": prepared, "lite_version": lite_version}


def _require_renderer() -> None:
    """Raises the error for a missing library here: the process that needs it is another."""
    try:
        found = importlib.util.find_spec("vl_convert")
    except ValueError:  # a program that took it out of its modules
        found = None
    if found is None:
        raise MissingExtra("charts", "vl_convert")


_MAX_SCALE: Final = 16
_PAGE: Final = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' \
'unsafe-eval'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<title>$title</title>
<script type="module">
$scripts
vegaEmbed("#chart", $spec, $options).catch((error) => {
  document.getElementById("chart").textContent = String(error);
});
</script>
</head>
<body>
<main id="chart"></main>
</body>
</html>
""")
