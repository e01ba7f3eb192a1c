"""Vega specifications and chart images."""

from __future__ import annotations

import json
from typing import Any

import pytest

from turnwire import charts
from turnwire import geminidataanalytics as gda
from turnwire.errors import ChartError, ParseError
from turnwire.protojson import from_dict

SPEC: dict[str, Any] = {
    "title": "Honey",
    "width": 420,
    "mark": {"type": "bar", "tooltip": None},
    "layer": [{"mark": None}, [], {}, [[1, 2.5, False, "x"]]],
}


def drawn(spec: dict[str, Any]) -> gda.Message:
    result = {"vegaConfig": spec}
    return from_dict(gda.Message, {"systemMessage": {"chart": {"result": result}}})


def analysed(spec_text: str) -> gda.Message:
    event = {"resultVegaChartJson": spec_text}
    return from_dict(gda.Message, {"systemMessage": {"analysis": {"progressEvent": event}}})


def test_a_spec_is_a_plain_deep_dict() -> None:
    spec = gda.vega_spec_of(drawn(SPEC))
    assert spec == SPEC
    assert json.loads(json.dumps(spec)) == SPEC
    assert type(spec["width"]) is int


def test_each_level_of_a_message_has_the_same_spec() -> None:
    message = drawn(SPEC)
    system = message.system_message
    for level in (message, system, system.chart, system.chart.result):
        assert gda.vega_spec_of(level) == SPEC
    message = analysed(json.dumps(SPEC))
    system = message.system_message
    for level in (message, system, system.analysis, system.analysis.progress_event):
        assert gda.vega_spec_of(level) == SPEC


def test_a_spec_in_a_string_keeps_its_integers_and_its_order() -> None:
    spec = gda.vega_spec_of(analysed('{"z": 9007199254740993, "a": 1e2}'))
    assert list((spec or {}).items()) == [("z", 9007199254740993), ("a", 100.0)]


def test_a_spec_is_the_callers_own() -> None:
    message = drawn(SPEC)
    first = gda.vega_spec_of(message)
    assert first is not None
    first["mark"]["type"] = "line"
    assert gda.vega_spec_of(message) == SPEC


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"chart": {"query": {"instructions": "Bars"}}},
        {"chart": {"result": {}}},
        {"analysis": {"progressEvent": {"resultNaturalLanguage": "June was wet."}}},
        {"text": {"parts": ["{}"]}},
    ],
)
def test_other_messages_have_no_spec(content: dict[str, Any]) -> None:
    message = from_dict(gda.Message, {"systemMessage": content})
    assert gda.vega_spec_of(message) is None
    assert gda.Answer.collect([message]).charts == ()


@pytest.mark.parametrize(
    "bad", ["", "{", "[1]", "null", '{"a": NaN}', '{"a": 1e400}', '{"a": 1,}', "[" * 10**5]
)
def test_a_string_without_vega_json_is_an_error_at_its_place(bad: str) -> None:
    message = analysed(bad)
    with pytest.raises(ParseError, match=r"resultVegaChartJson") as caught:
        gda.vega_spec_of(message)
    assert caught.value.path == ("resultVegaChartJson",)
    (chart,) = gda.Answer.collect([message]).charts  # the rest of the answer is not lost
    with pytest.raises(ParseError):
        _ = chart.spec


def test_an_image_is_a_chart_without_a_spec() -> None:
    result = {"image": {"mimeType": "image/png", "data": "iVBORw0K"}}
    message = from_dict(gda.Message, {"systemMessage": {"chart": {"result": result}}})
    (chart,) = gda.Answer.collect([message]).charts
    assert chart.spec is None
    assert chart.image is not None
    assert chart.image.data == b"\x89PNG\r\n"
    assert repr(chart) == "Chart(image/png of 6 bytes)"
    assert gda.Answer.collect([drawn(SPEC)]).charts[0].image is None


POINT: dict[str, Any] = {"data": {"values": [{}]}, "mark": "point", "width": None}


def test_a_chart_is_drawn_wherever_it_stands() -> None:
    for message in (drawn(POINT), analysed(json.dumps(json.dumps({"vegaConfig": POINT})))):
        [chart] = gda.Answer.collect([message]).charts
        assert chart.grammar == "vega-lite"
        assert chart.to_svg() == charts.to_svg(POINT)
        assert chart.to_png(1) == charts.to_png(POINT, 1)
        assert chart.to_html() == charts.to_html(POINT)


def test_data_that_a_chart_names_by_url_is_passed() -> None:
    [chart] = gda.Answer.collect([drawn({"mark": "point", "data": {"url": "rows"}})]).charts
    with pytest.raises(ChartError, match="pass its content"):
        chart.to_svg()
    rows = {"rows": [{}]}
    assert chart.to_svg(data=rows) == charts.to_svg(POINT)
    assert chart.to_png(data=rows) == charts.to_png(POINT)
    assert chart.to_html(data=rows)


def test_a_chart_that_is_an_image_has_no_grammar() -> None:
    result = gda.ChartResult(image=gda.Blob(mime_type="image/png", data=b"x"))
    chart = gda.Chart(result)
    assert chart.grammar is None
    with pytest.raises(ChartError, match="no specification; its image is of the type 'image/png'"):
        chart.to_svg()
