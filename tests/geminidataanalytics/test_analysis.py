"""Python analyses, chosen data sources, links to Looker, and specifications in wrappers."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwire import from_dict
from turnwire import geminidataanalytics as gda
from turnwire.errors import ParseError
from turnwire.geminidataanalytics._csv import result_of_csv


def system(content: dict[str, Any]) -> gda.Message:
    return from_dict(gda.Message, {"systemMessage": content})


def event(**kind: str) -> gda.Message:
    return system({"analysis": {"progressEvent": kind}})


def test_the_results_of_an_analysis_are_in_the_answer() -> None:
    builder = gda.AnswerBuilder()
    updates = [
        builder.add(message)
        for message in (
            event(plannerReasoning="Compare the months."),
            event(coderInstruction="Group by month."),
            event(code="print(1)"),
            event(executionError="KeyError: 'month'"),
            event(executionOutput="1"),
            event(resultCsvData="month,cups\n5,1204\n6,\n"),
            event(resultNaturalLanguage="May leads."),
            event(error="Took too long."),
            event(resultReferenceData="cups"),
        )
    ]
    answer = builder.answer
    assert answer.plans == ("Compare the months.", "Group by month.")
    assert (answer.code, answer.code_outputs) == (("print(1)",), ("1",))
    assert (answer.findings, answer.text) == (("May leads.",), None)
    assert answer.analysis_errors == ("KeyError: 'month'", "Took too long.")
    assert answer.errors == ()
    (table,) = answer.results_for_display
    assert table.columns == ["month", "cups"]
    assert table.rows == [{"month": "5", "cups": "1204"}, {"month": "6", "cups": ""}]
    assert [len(update.results) for update in updates] == [0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert len(answer.analyses) == 9


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("\ufeffa,b\r\n1,2\r\n", ["a", "b"], [["1", "2"]]),
        ('a\n"x, ""y""\nz"\n', ["a"], [['x, "y"\nz']]),
        ("a,a,a_2\n1,2,3\n", ["a", "a_2", "a_2_2"], [["1", "2", "3"]]),
        (",n\n0,5\n", ["", "n"], [["0", "5"]]),
        ("a\n1,2,3\n4\n", ["a", "", "_2"], [["1", "2", "3"], ["4", None, None]]),
        ("a,b\n\n1\n", ["a", "b"], [["1", None]]),
        ("a", ["a"], []),
    ],
)
def test_csv_of_all_sorts(text: str, columns: list[str], rows: list[list[Any]]) -> None:
    result = result_of_csv(text)
    assert result is not None
    assert gda.columns_of(result) == columns
    assert [list(row.values()) for row in gda.rows_of(result, strict=True)] == rows


def test_csv_without_a_header_is_left_out_and_a_field_beyond_the_limit_is_one_cell() -> None:
    assert result_of_csv("") is None
    assert result_of_csv("\n\n") is None
    long = "x" * (csv.field_size_limit() + 1)
    table = gda.Answer.collect(event(resultCsvData=long)).results[0]
    assert table.rows == [{"resultCsvData": long}]


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), min_size=1))
def test_every_csv_that_python_writes_comes_back(rows: list[list[str]]) -> None:
    written = io.StringIO()
    csv.writer(written).writerows([["first", "second"], *rows])
    result = result_of_csv(written.getvalue())
    assert result is not None
    assert [list(row.values()) for row in gda.rows_of(result)] == rows


EXPLORE = {"lookerInstanceUri": "https://cafe.example", "lookmlModel": "cafe", "explore": "sales"}
TABLE = {"projectId": "p", "datasetId": "shop", "tableId": "loans"}
DATABASE = {"projectId": "p", "instanceId": "i", "databaseId": "d", "tableIds": ["a"]}


def test_each_data_source_is_there_once() -> None:
    fields = {"fields": [{"name": "n"}]}
    table = {"bigqueryTableReference": TABLE}
    messages = [
        system({"schema": {"result": {"datasources": [{**table, "schema": fields}]}}}),
        system(
            {
                "data": {
                    "query": {
                        "datasources": [
                            table,
                            {"bigqueryTableReference": {**TABLE, "schema": fields}},
                            {"lookerExploreReference": EXPLORE},
                            {"lookerExploreReference": EXPLORE},
                            {"studioDatasourceId": "s-1"},
                        ]
                    }
                }
            }
        ),
        system({"data": {"query": {"datasources": [{"studioDatasourceId": "s-1"}, {}]}}}),
    ]
    builder = gda.AnswerBuilder()
    updates = [builder.add(message) for message in messages]
    answer = builder.answer
    assert [(each.kind, each.name) for each in answer.datasources] == [
        ("bigquery_table_reference", "p.shop.loans"),
        ("looker_explore_reference", "cafe.sales"),
        ("studio_datasource_id", "s-1"),
        ("", ""),
    ]
    assert answer.datasources[0].message.schema.fields[0].name == "n"
    assert [len(update.datasources) for update in updates] == [1, 2, 1]
    builder.add(gda.user_message("?"))
    assert [len(builder.add(message).datasources) for message in messages] == [1, 2, 1]


def test_every_kind_of_data_source_has_a_name_and_its_tables() -> None:
    listed = {"databaseTableReferences": [{"tableId": "b"}, {"tableId": "a"}]}
    places: dict[str, tuple[dict[str, Any], str, tuple[str, ...]]] = {
        "bigqueryTableReference": (TABLE, "p.shop.loans", ("p.shop.loans",)),
        "bigqueryPropertyGraphReference": (
            {"projectId": "p", "datasetId": "d", "propertyGraphId": "g"},
            "p.d.g",
            (),
        ),
        "lookerExploreReference": (EXPLORE, "cafe.sales", ()),
        "alloyDbReference": (
            {"databaseReference": {**DATABASE, "region": "eu", "clusterId": "c", **listed}},
            "p.c.i.d",
            ("a", "b"),
        ),
        "spannerReference": ({"databaseReference": {**DATABASE, **listed}}, "p.i.d", ("a", "b")),
        "cloudSqlReference": ({"databaseReference": DATABASE}, "p.i.d", ("a",)),
        "bigtableReference": (
            {"databaseReference": {"projectId": "p", "instanceId": "i", **listed}},
            "p.i",
            ("b", "a"),
        ),
        "firestoreReference": (
            {"databaseReference": {"projectId": "p", "databaseId": "d", "collectionIds": ["c"]}},
            "p.d",
            ("c",),
        ),
    }
    for member, (reference, name, tables) in places.items():
        chosen = gda.ChosenDatasource(from_dict(gda.Datasource, {member: reference}))
        assert (chosen.name, chosen.tables) == (name, tables), member
        assert repr(name) in repr(chosen)
    studio = gda.ChosenDatasource(gda.Datasource(studio_datasource_id="s"))
    assert (studio.name, studio.tables) == ("s", ())
    members = gda.Datasource.DESCRIPTOR.oneofs_by_name["reference"].fields
    assert {field.json_name for field in members} == {*places, "studioDatasourceId"}


def looker(**query: Any) -> gda.LookerQuery:
    return from_dict(gda.LookerQuery, {"model": "cafe", "explore": "sales", **query})


def explores(**reference: Any) -> list[gda.Datasource]:
    return [from_dict(gda.Datasource, {"lookerExploreReference": {**EXPLORE, **reference}})]


def test_a_looker_query_has_a_link() -> None:
    query = looker(
        fields=["sales.day", "sales.cups"],
        filters=[
            {"field": "sales.product", "value": "tea & cake"},
            {"field": "sales.day", "value": ""},
            {"field": "sales.shop"},
        ],
        sorts=["sales.cups desc"],
        limit="500",
    )
    url = gda.looker_url_of(query, explores())
    assert url is not None
    parts = urlsplit(url)
    assert (parts.netloc, parts.path) == ("cafe.example", "/explore/cafe/sales")
    assert parse_qsl(parts.query, keep_blank_values=True) == [
        ("fields", "sales.day,sales.cups"),
        ("f[sales.product]", "tea & cake"),
        ("f[sales.day]", ""),
        ("sorts", "sales.cups desc"),
        ("limit", "500"),
    ]
    kept = gda.looker_url_of(looker(clientId="Ab3", limit="5"), explores())
    assert kept == "https://cafe.example/explore/cafe/sales?qid=Ab3"
    calculated = looker(dynamicFields=[{"category": "measure", "basedOn": "sales.cups"}])
    url = gda.looker_url_of(calculated, explores())
    ((_, value),) = parse_qsl(urlsplit(str(url)).query)
    assert json.loads(value) == [{"category": "measure", "based_on": "sales.cups"}]


def test_both_kinds_of_looker_queries_have_links_in_the_answer() -> None:
    query = {"model": "cafe", "explore": "sales"}
    source = {"lookerExploreReference": EXPLORE}
    answer = gda.Answer.collect(
        [
            system({"data": {"query": {"looker": query, "datasources": [source]}}}),
            system({"data": {"generatedLookerQuery": {**query, "explore": "other"}}}),
        ]
    )
    assert answer.looker_urls == (
        "https://cafe.example/explore/cafe/sales",
        "https://cafe.example/explore/cafe/other",
    )


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("cafe.example/", "https://cafe.example/explore/cafe/sales"),
        ("http://cafe.example:9999", "http://cafe.example:9999/explore/cafe/sales"),
        ("", None),
        ("javascript://cafe.example/%0aalert(1)", None),
        ("https://", None),
        ("https://[", None),
        ("https://cafe.example/?a=", None),
        ("https://cafe.example/#", None),
        ('https://cafe.example/"><script>', None),
        ("https://cafe.example/\u202e", None),
    ],
)
def test_only_pages_are_linked(uri: str, expected: str | None) -> None:
    assert gda.looker_url_of(looker(), explores(lookerInstanceUri=uri)) == expected


def test_without_one_known_instance_there_is_no_link() -> None:
    assert gda.looker_url_of(looker()) is None
    assert gda.looker_url_of(gda.LookerQuery(model="cafe"), explores()) is None
    two = [*explores(), *explores(lookerInstanceUri="https://other.example", explore="x")]
    assert gda.looker_url_of(looker(explore="third"), two) is None
    assert gda.looker_url_of(looker(explore="x"), two) == "https://other.example/explore/cafe/x"
    strange = gda.looker_url_of(looker(model="a/b", explore="?c"), explores())
    assert strange == "https://cafe.example/explore/a%2Fb/%3Fc"
    with pytest.raises(TypeError, match="LookerQuery"):
        gda.looker_url_of(gda.Message())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Datasource"):
        gda.looker_url_of(looker(), [gda.Message()])  # type: ignore[list-item]


SPEC = {"mark": "bar", "title": "Cups"}
WRAPPED = [
    SPEC,
    {"vegaConfig": SPEC},
    {"vegaConfig": json.dumps(SPEC)},
    {"vegaConfig": {"vegaConfig": SPEC}},
    {"vegaConfig": SPEC, "note": "x"},
]


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_a_spec_comes_out_of_strings_and_wrappers(wrapped: dict[str, Any]) -> None:
    once = json.dumps(wrapped)
    for text in (once, json.dumps(once), json.dumps({"vegaConfig": once})):
        assert gda.vega_spec_of(event(resultVegaChartJson=text)) == SPEC
    assert gda.vega_spec_of(system({"chart": {"result": {"vegaConfig": wrapped}}})) == SPEC


def test_a_wrapper_without_a_spec_is_an_error_or_a_spec() -> None:
    for text in ('"x"', '{"vegaConfig": "{"}', '"[1]"', json.dumps("{" * 9)):
        with pytest.raises(ParseError, match="resultVegaChartJson"):
            gda.vega_spec_of(event(resultVegaChartJson=text))
    for odd in ({"vegaConfig": None}, {"vegaConfig": [1]}, {"vegaConfig": 5.5}):
        assert gda.vega_spec_of(system({"chart": {"result": {"vegaConfig": odd}}})) == odd
    with pytest.raises(ParseError, match="vegaConfig"):
        gda.vega_spec_of(system({"chart": {"result": {"vegaConfig": {"vegaConfig": "no"}}}}))
