"""Pictures of specifications: grammars, wrappers, ids, links, nulls, data and errors."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import pytest

from turnwire import charts
from turnwire.errors import ChartError, MissingExtra

ROWS = [{"a": "Otter", "b": 3, "u": "javascript:alert(1)"}, {"a": "Heron", "b": 5, "u": "x"}]
ENCODING: dict[str, Any] = {"x": {"field": "a"}, "y": {"field": "b", "type": "quantitative"}}
BAR: dict[str, Any] = {"mark": "bar", "data": {"values": ROWS}, "encoding": ENCODING}
STOPS = [{"offset": 0, "color": "red"}, {"offset": 1, "color": "blue"}]
RECT: dict[str, Any] = {
    "$schema": "https://vega.github.io/schema/vega/v5.json",
    "width": 40,
    "height": 40,
    "data": [{"name": "t", "values": [10, 20]}],
    "marks": [
        {
            "type": "rect",
            "from": {"data": "t"},
            "clip": True,
            "encode": {
                "enter": {
                    "width": {"value": 9},
                    "height": {"field": "data"},
                    "fill": {"value": {"gradient": "linear", "stops": STOPS}},
                }
            },
        }
    ],
}
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c63606060f80f0001040100"
    "5fe5c34b0000000049454e44ae426082"
)


def schema(name: str) -> dict[str, str]:
    return {"$schema": f"https://vega.github.io/schema/{name}.json"}


def texts(svg: str) -> list[str]:
    """The words in an SVG, which must be XML."""
    root = ElementTree.fromstring(svg)
    return [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("version", ["v4", "v4.17.0", "v5", "v5.20.1", "v6", "v6.1.0"])
def test_vega_lite_is_drawn(version: str) -> None:
    svg = charts.to_svg({**schema(f"vega-lite/{version}"), **BAR})
    assert {"Otter", "Heron"} <= set(texts(svg))


@pytest.mark.parametrize("version", ["v5", "v5.33.0", "v6"])
def test_vega_is_drawn(version: str) -> None:
    svg = charts.to_svg({**RECT, **schema(f"vega/{version}")})
    assert svg.count("M0,0h9v") == 2


@pytest.mark.parametrize(
    "wrapped",
    [
        BAR,
        json.dumps(BAR),
        json.dumps(json.dumps(BAR)),
        {"vegaConfig": BAR},
        {"vegaConfig": json.dumps(BAR)},
        json.dumps({"vegaConfig": {"vegaConfig": BAR}}),
    ],
)
def test_wrappers_are_taken_off(wrapped: Any) -> None:
    assert charts.grammar_of(wrapped) == "vega-lite"
    assert charts.to_svg(wrapped) == charts.to_svg(BAR)


@pytest.mark.parametrize(
    ("spec", "grammar"),
    [
        (BAR, "vega-lite"),
        (RECT, "vega"),
        ({"marks": []}, "vega"),
        ({"hconcat": [BAR]}, "vega-lite"),
        ({**schema("vega/v5"), **BAR}, "vega-lite"),
        ({**RECT, **schema("vega-lite/v5")}, "vega"),
        ({"$schema": None, "mark": "bar"}, "vega-lite"),
        ({"$schema": "https://example.org/mine.json", "mark": "bar"}, "vega-lite"),
        ({"marks": [], "layer": [], **schema("vega/v6")}, "vega"),
    ],
)
def test_the_schema_or_the_shape_tells_the_grammar(spec: dict[str, Any], grammar: str) -> None:
    assert charts.grammar_of(spec) == grammar


@pytest.mark.parametrize(
    ("spec", "kind", "words"),
    [
        ({}, "grammar", "got no members"),
        ({"title": "x"}, "grammar", "expected a $schema, marks or a mark; got title"),
        ({**schema("vega/v4"), "marks": []}, "version", "vega version from 5 to 6"),
        ({**schema("vega-lite/v3"), "mark": "bar"}, "version", "vega-lite version from 4 to 6"),
        ({**schema("vega-lite/v7"), "mark": "bar"}, "version", "from 4 to 6"),
        ("[1]", "type", "expected a Vega object"),
        ("{", "syntax", "not JSON"),
        ({**BAR, "mark": "nonsense"}, "invalid", 'text, tick, trail; got "nonsense"'),
        ({"layer": [{**BAR, "mark": "x"}]}, "invalid", 'got "x"'),
        ({"marks": [{"type": "rect", "from": {"data": "z"}}]}, "invalid", 'data set name: "z"'),
        ({**BAR, "height": float("nan")}, "value", "not JSON"),
        ({**BAR, "height": {1, 2}}, "value", "not JSON"),
        ({**BAR, "data": {"url": "https://e.org/x.json"}}, "url", 'data={"https://e.org/x.json"'),
        ({**BAR, "data": {"url": "/etc/passwd"}}, "url", "not fetched"),
        ({**BAR, "data": {"url": "file:///etc/passwd"}}, "url", "not fetched"),
        ({"marks": [], "data": [{"name": "t", "url": {"signal": "'x'"}}]}, "url", "is computed"),
        ({**BAR, "transform": [{"lookup": "a", "from": {"data": {"url": "y"}}}]}, "url", '"y"'),
    ],
)
def test_a_chart_that_cannot_be_drawn_is_a_short_error(spec: Any, kind: str, words: str) -> None:
    with pytest.raises(ChartError) as caught:
        charts.to_svg(spec)
    assert caught.value.kind == kind
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "jsdelivr" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_deep_nesting_is_an_error() -> None:
    spec: dict[str, Any] = {"mark": "bar"}
    for _ in range(5000):
        spec = {"layer": [spec]}
    with pytest.raises(ChartError, match="nested too deeply"):
        charts.to_svg(spec)


def test_other_arguments_are_type_errors() -> None:
    with pytest.raises(TypeError, match="as a dict or as JSON text, got int"):
        charts.to_svg(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="timeout"):
        charts.to_svg(BAR, timeout=float("inf"))
    for name, value in {"timeout": 0, "max_memory": -1, "id_prefix": 'a"b'}.items():
        with pytest.raises(ValueError, match=name):
            charts.to_svg(BAR, **{name: value})  # type: ignore[arg-type]
    for scale in (0, -1, 17, float("nan")):
        with pytest.raises(ValueError, match="scale must be"):
            charts.to_png(BAR, scale)
    with pytest.raises(TypeError, match="expected an int or float, got str"):
        charts.to_png(BAR, "2")  # type: ignore[arg-type]
    for draw in (charts.to_svg, charts.to_png, charts.to_html):
        with pytest.raises(TypeError, match="expected a Mapping, got list"):
            draw(BAR, data=[])  # type: ignore[arg-type]


def ids_in(svg: str) -> set[str]:
    found = set(re.findall(r'\sid="([^"]*)"', svg))
    assert set(re.findall(r"url\(#([^)]*)\)", svg)) == found
    return found


def test_ids_are_the_same_each_time_and_different_in_each_picture() -> None:
    other = {**RECT, "width": 50}
    first, second = charts.to_svg(RECT), charts.to_svg(other)
    assert charts.to_svg(RECT) == first
    assert len(ids_in(first)) == 3
    assert not ids_in(first) & ids_in(second)
    assert ids_in(charts.to_svg(RECT, id_prefix="c2-")) == {"c2-0", "c2-1", "c2-2"}


def test_a_new_process_draws_the_same() -> None:
    program = "import sys, json; from turnwire import charts; spec = json.load(sys.stdin)\n"
    program += "print(charts.to_svg(spec), end='')"
    command = [sys.executable, "-X", "utf8", "-c", program]
    done = subprocess.run(command, input=json.dumps(RECT).encode(), capture_output=True, check=True)
    assert (done.stdout.decode(), done.stderr) == (charts.to_svg(RECT), b"")


def test_links_are_left_out() -> None:
    linked = {**BAR, "encoding": {**ENCODING, "href": {"field": "u"}}}
    assert charts.to_svg(linked) == charts.to_svg(BAR)
    marked = {**BAR, "mark": {"type": "bar", "href": "https://e.org"}}
    assert charts.to_svg(marked) == charts.to_svg(BAR)
    column = {"values": [{"href": 1, "b": 2}], "format": {"parse": {"href": "number"}}}
    assert "href" in texts(
        charts.to_svg({"mark": "point", "data": column, "encoding": {"x": {"field": "href"}}})
    )


def image(url: object, data: object = None) -> dict[str, Any]:
    mark = {"type": "image", "width": 9, "height": 9}
    rows = [{"a": "x", "b": 1, "logo": data}]
    return {"mark": mark, "data": {"values": rows}, "encoding": {**ENCODING, "url": url}}


@pytest.mark.parametrize("url", ["https://e.org/a.png", "/etc/a.png", "file:///etc/a.png"])
def test_images_come_from_data_alone(url: str) -> None:
    by_value, by_field = image({"value": url}), image({"field": "logo"}, url)
    for spec in (by_value, by_field):
        for draw in (charts.to_svg, charts.to_png, charts.to_html):
            with pytest.raises(ChartError, match="not fetched; pass its content") as caught:
                draw(spec)
            assert caught.value.kind == "url"
        svg = charts.to_svg(spec, data={url: PNG})
        assert svg.count('xlink:href="data:image/png;base64,') == 1
        assert charts.to_png(spec, data={url: PNG})[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("url", "content"),
    [
        ("https://e.org/rides.csv", b"a,b\nOtter,3\nHeron,5\n"),
        ("rides.TSV?x=1", "a\tb\nOtter\t3\nHeron\t5\n"),
        ("https://e.org/rides", json.dumps(ROWS)),
        ("https://e.org/rides.json", b"\xef\xbb\xbf" + json.dumps(ROWS).encode()),
        ("rows", ROWS),
    ],
)
def test_data_takes_the_place_of_a_url(url: str, content: object) -> None:
    assert {"Otter", "Heron"} <= set(
        texts(charts.to_svg({**BAR, "data": {"url": url}}, data={url: content}))
    )
    table = {"name": "t", "url": url, "format": {"parse": {"b": "number"}}}
    scale = {"name": "s", "type": "band", "domain": {"data": "t", "field": "a"}, "range": "width"}
    axis = {"scale": "s", "orient": "bottom"}
    vega = {"width": 99, "data": [table], "scales": [scale], "axes": [axis], "marks": []}
    assert {"Otter", "Heron"} <= set(texts(charts.to_svg(vega, data={url: content})))


@pytest.mark.parametrize("content", [b"\xff", "{", b"[1"])
def test_bad_content_is_named(content: bytes | str) -> None:
    with pytest.raises(ChartError, match=r'the content for "x\.json" is not json in UTF-8'):
        charts.to_svg({**BAR, "data": {"url": "x.json"}}, data={"x.json": content})


def test_tuples_are_lists() -> None:
    rows = {"values": tuple(ROWS)}
    assert charts.to_svg({"hconcat": ({**BAR, "data": rows},)}) == charts.to_svg({"hconcat": [BAR]})
    with pytest.raises(ChartError, match="not fetched"):
        charts.to_svg({"marks": (), "scales": [], "data": ({"name": "t", "url": "file:///x"},)})


def test_maps_are_drawn_from_data() -> None:
    ring = [[0, 0], [0, 9], [9, 9], [0, 0]]
    shape = {"type": "Polygon", "coordinates": [ring]}
    world = {
        "type": "Topology",
        "arcs": [ring],
        "objects": {
            "land": {
                "type": "GeometryCollection",
                "geometries": [{"type": "Polygon", "arcs": [[0]]}],
            }
        },
    }
    topo = {"url": "world.json", "format": {"type": "topojson", "feature": "land"}}
    svg = charts.to_svg({"mark": "geoshape", "data": topo}, data={"world.json": world})
    assert 'class="mark-shape role-mark marks"' in svg
    assert svg.count('fill="#4c78a8"') == 1
    geo = {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": shape}]}
    named = {"url": "land", "format": {"property": "features"}}
    svg = charts.to_svg({"mark": "geoshape", "data": named}, data={"land": geo})
    assert svg.count('fill="#4c78a8"') == 1


@pytest.mark.parametrize(
    "nulls",
    [
        {"width": None, "height": None, "config": None, "$schema": None, "transform": None},
        {"title": None},
        {"encoding": {**ENCODING, "color": None}},
        {"config": {"axis": None}},
    ],
)
def test_nulls_that_mean_nothing_are_left_out(nulls: dict[str, Any]) -> None:
    assert charts.to_svg({**BAR, **nulls}) == charts.to_svg(BAR)


def test_nulls_that_mean_something_stay() -> None:
    bare = {"x": {"field": "a", "axis": None}, "y": {"field": "b", "axis": None}}
    assert texts(charts.to_svg({**BAR, "encoding": bare})) == []
    no_frame = charts.to_svg({**BAR, "config": {"view": {"stroke": None}}})
    assert charts.to_svg(BAR).count('h40v300h-40Z" stroke="#ddd"') == 1
    assert 'h40v300h-40Z"' in no_frame
    assert 'h40v300h-40Z" stroke="#ddd"' not in no_frame


def test_a_null_in_the_data_stays() -> None:
    rows = [{"a": None, "b": 1}]
    assert "null" in texts(charts.to_svg({**BAR, "data": {"values": rows}}))


def test_the_width_of_a_container_becomes_a_number() -> None:
    svg = charts.to_svg({**BAR, "width": "container"})
    assert re.search(r' width="(\d+)', svg)[1] > "480"  # type: ignore[index]


@pytest.mark.parametrize(
    "text", ["\0", "\x1b[31m", "\ud800", "]]>", "<script>alert(1)</script>", "\"'&"]
)
def test_foreign_text_is_text(text: str) -> None:
    svg = charts.to_svg({**BAR, "title": f"x{text}y", "description": text})
    ElementTree.fromstring(svg)
    assert "<script" not in svg
    assert charts.to_png({**BAR, "title": f"x{text}y"})[:4] == b"\x89PNG"


def test_references_to_elsewhere_are_refused() -> None:
    spec = {**BAR, "mark": {"type": "bar", "fill": "url(https://e.org/a.svg#b)"}}
    with pytest.raises(ChartError, match="refers to"):
        charts.to_svg(spec)


def test_times_are_in_utc() -> None:
    spec = {
        "mark": "text",
        "data": {"values": [{"t": "2025-03-01T23:30:00Z"}]},
        "encoding": {"text": {"field": "t", "type": "temporal", "format": "%H:%M %d"}},
    }
    assert texts(charts.to_svg(spec)) == ["23:30 01"]


def test_a_png_has_pixels_by_its_scale() -> None:
    sizes = []
    for scale in (1, 2, 0.5):
        picture = charts.to_png({**BAR, "width": 200, "height": 100}, scale)
        sizes.append(struct.unpack(">II", picture[16:24])[0])
    assert sizes[1] == pytest.approx(2 * sizes[0], abs=2)
    assert sizes[2] == pytest.approx(sizes[0] / 2, abs=2)
    assert charts.to_png(BAR) == charts.to_png(BAR, 2)


def test_a_page_holds_everything_and_ends_no_script() -> None:
    page = charts.to_html({**BAR, "title": "</script><script>alert(1)"}, title="<b>&")
    assert page.count("</script") == 1
    assert "<title>&lt;b>&amp;</title>" in page
    assert "connect-src" not in page
    assert "default-src 'none'" in page
    assert '"mode": "vega"' in charts.to_html(RECT)
    with pytest.raises(ChartError):
        charts.to_html({**BAR, "data": {"url": "x"}})
    with pytest.raises(ChartError, match="not fetched"):
        charts.to_html(image({"value": "https://e.org/a.png"}))


def test_the_argument_stays_as_it_is() -> None:
    spec = {**BAR, "title": None, "data": {"url": "x.csv"}}
    before = json.dumps(spec)
    charts.to_svg(spec, data={"x.csv": "a,b\n"})
    assert json.dumps(spec) == before


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtra, match=r'pip install "turnwire\[charts\]"'):
        charts.to_svg(BAR)
    assert charts.grammar_of(BAR) == "vega-lite"
