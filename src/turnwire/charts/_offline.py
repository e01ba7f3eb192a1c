"""Makes a specification fit for drawing without a network: data in place of URLs, no links."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from turnwire._plain_json import is_object
from turnwire.charts._grammar import Dialect, Grammar
from turnwire.errors import ChartError, excerpt

Data = Mapping[str, Any]
"""Contents by the URLs that stand for them in a specification."""

_NULLABLE: Final = frozenset(
    {
        *(
            "axis",
            "background",
            "bin",
            "color",
            "data",
            "datum",
            "domain",
            "equal",
            "field",
            "fill",
        ),
        *("header", "init", "invalid", "legend", "parse", "range", "scale", "sort", "stack"),
        *("stroke", "title", "tooltip", "update", "value"),
    }
)
"""Members in which null has a meaning that differs from absence, such as ``"axis": null``."""

_ROWS: Final = frozenset({"values", "datasets", "parse", "usermeta"})
"""Members that hold data or are by column, so that any name may stand in them."""

_MARKS: Final = frozenset(
    {
        *("arc", "area", "bar", "boxplot", "circle", "errorband", "errorbar", "geoshape", "image"),
        *("line", "point", "rect", "rule", "square", "text", "tick", "trail"),
    }
)

_FORMATS: Final = {".csv": "csv", ".tsv": "tsv", ".dsv": "dsv", ".json": "json"}
# Characters that XML cannot hold: the renderer crashes on them.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_IMAGES: Final = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)
_RELATIVE_WIDTH: Final = 480
_RELATIVE_HEIGHT: Final = 300


def offline(spec: dict[str, Any], dialect: Dialect, data: Data) -> str:
    """Returns a specification as JSON that draws the same without a network.

    Raises:
        ChartError: It names data by a URL that `data` does not have, nests too deeply, or holds
            values that JSON does not have.
    """
    try:
        whole = _Rewriting(dialect.grammar, data).spec(spec)
        return json.dumps(whole, ensure_ascii=False, allow_nan=False)
    except RecursionError:
        raise ChartError("the specification is nested too deeply", kind="depth") from None
    except ChartError:
        raise
    except (TypeError, ValueError) as error:
        raise ChartError(f"the specification is not JSON: {error}", kind="value") from None


class _Rewriting:
    def __init__(self, grammar: Grammar, data: Data) -> None:
        self._grammar = grammar
        self._data = data
        self._images = {url: _data_url(value) for url, value in data.items() if _is_image(value)}

    def spec(self, spec: dict[str, Any]) -> dict[str, Any]:
        whole: dict[str, Any] = self._value(spec, "", is_nullable=False)
        for name, length in (("width", _RELATIVE_WIDTH), ("height", _RELATIVE_HEIGHT)):
            if whole.get(name) == "container":  # a picture stands in none
                whole[name] = length
        return whole

    def _value(self, value: Any, name: str, *, is_nullable: bool) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list | tuple):
            if name == "data":
                return [self._source(item) if is_object(item) else item for item in value]
            return [self._value(item, name, is_nullable=is_nullable) for item in value]
        if not isinstance(value, Mapping):
            return value
        if name == "data" and self._grammar == "vega-lite":
            return self._source(value)
        made = {}
        # A null in a configuration or an encoding takes back what would hold otherwise.
        is_nullable = is_nullable or name in ("encoding", "encode")
        for key, inner in value.items():
            if key == "href":  # a picture has no links
                continue
            if key == "mark" and isinstance(inner, str) and self._grammar == "vega-lite":
                _check_mark(inner)
            if inner is None and not is_nullable and key not in _NULLABLE:
                continue
            if key in _ROWS:
                made[key] = self._rows(inner)
            else:
                below = name == "config" or (is_nullable and name not in ("encoding", "encode"))
                made[self._text(key)] = self._value(inner, key, is_nullable=below)
        return made

    def _source(self, source: Mapping[str, Any]) -> dict[str, Any]:
        """A source of data, with its content where it had a URL."""
        made: dict[str, Any] = self._value(dict(source), "", is_nullable=False)
        if "url" not in made:
            return made
        url = made.pop("url")
        content = self._data.get(source["url"]) if isinstance(url, str) else None
        if content is None:
            named = excerpt(url) if isinstance(url, str) else "a URL that is computed"
            advice = f"; pass its content: data={{{named}: …}}" if isinstance(url, str) else ""
            raise ChartError(f"the data is at {named}, which is not fetched{advice}", kind="url")
        if isinstance(content, bytes | str):
            form = made.get("format")
            kind = form.get("type") if is_object(form) else None
            kind = kind or _format_of(str(url))
            made["format"] = {**(form if is_object(form) else {}), "type": kind}
            content = _content_of(content, kind, excerpt(str(url)))
        made["values"] = self._rows(content)
        return made

    def _rows(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list | tuple):
            return [self._rows(item) for item in value]
        if isinstance(value, Mapping):
            return {self._text(key): self._rows(inner) for key, inner in value.items()}
        return value

    def _text(self, text: str) -> str:
        if found := self._images.get(text):
            return found
        return _NOT_XML.sub("\ufffd", text)


def _content_of(content: bytes | str, kind: str, url: str) -> Any:
    """Returns the content of a file of data: the text, or the value of a JSON text."""
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        return json.loads(text) if kind in ("json", "topojson") else text
    except ValueError as error:
        reason = f"the content for {url} is not {kind} in UTF-8: {error}"
        raise ChartError(reason, kind="value") from None


def _check_mark(mark: str) -> None:
    """Refuses a mark that does not exist, about which the renderer's error says nothing."""
    if mark not in _MARKS:
        known = ", ".join(sorted(_MARKS))
        raise ChartError(f"expected a mark of {known}; got {excerpt(mark)}", kind="invalid")


def _format_of(url: str) -> str:
    path = re.split(r"[?#]", url)[0].lower()
    return next((kind for suffix, kind in _FORMATS.items() if path.endswith(suffix)), "json")


def _is_image(content: Any) -> bool:
    return isinstance(content, bytes) and any(content.startswith(start) for start, _ in _IMAGES)


def _data_url(content: bytes) -> str:
    mime_type = next(name for start, name in _IMAGES if content.startswith(start))
    return f"data:{mime_type};base64,{base64.b64encode(content).decode()}"
