"""Answers as services vary them, read whole and byte by byte; the facts are worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, time
from decimal import Decimal
from typing import Any

import pytest

from turnwire import geminidataanalytics as gda
from turnwire import read

Json = dict[str, Any]


def system(content: Json, **beside: Any) -> Json:
    return {"systemMessage": {**content, **beside}}


def text(text_type: str | int | None, *parts: str, **beside: Any) -> Json:
    return system({"text": {"parts": list(parts), "textType": text_type}}, **beside)


def result(name: str | None, fields: list[Json] | None, *rows: Json, **more: Any) -> Json:
    schema = None if fields is None else {"fields": fields}
    return system({"data": {"result": {"name": name, "schema": schema, "data": rows, **more}}})


def field(name: str, type_name: str = "STRING", mode: str = "", *subfields: Json) -> Json:
    return {"name": name, "type": type_name, "mode": mode, "subfields": subfields}


def anchor(*source_ids: str, **place: int) -> Json:
    return {"textMessageAnchor": {"sourceIds": source_ids, **place}}


CELLS: list[tuple[str, Any, Any]] = [
    ("BOOLEAN", "TRUE", True),
    ("bool", False, False),
    ("float", "1.50", 1.5),
    ("Float64", 2, 2.0),
    ("BIGNUMERIC", "99999999999999999999999999.5000", Decimal("99999999999999999999999999.5000")),
    ("numeric", 0.5, Decimal("0.5")),
    ("int64", "9007199254740993", 9007199254740993),
    ("INTEGER", 5, 5),
    ("INTEGER", "9223372036854775808", "9223372036854775808"),
    ("JSON", '{"a":[1,null]}', {"a": [1, None]}),
    ("JSON", "not json", "not json"),
    ("JSON", {"a": 1}, {"a": 1}),
    ("GEOGRAPHY", "POINT(1 2)", "POINT(1 2)"),
    ("INTERVAL", "0-0 1 0:0:0", "0-0 1 0:0:0"),
    ("RANGE", "[2025-01-01, UNBOUNDED)", "[2025-01-01, UNBOUNDED)"),
    ("date", "2025-05-04", date(2025, 5, 4)),
    ("DATE", "0000-00-00", "0000-00-00"),
    ("TIME", "10:00:00", time(10)),
    ("TIMESTAMP", "10000-01-01T00:00:00Z", "10000-01-01T00:00:00Z"),
    ("BYTES", "YWI=", b"ab"),
    ("", "7", "7"),
    ("STRING", "1e5", "1e5"),
]

CITED = text(
    "FINAL_RESPONSE",
    "aé",
    "",
    "ß!",
    citation={
        "sources": [{"id": "1", "title": "A"}, {"id": "1", "title": "B"}, {"title": "no id"}],
        "anchors": [
            anchor("1", "unknown", endOffsetBytes=99),
            anchor("1", partIndex=1, endOffsetBytes=1),
            anchor(partIndex=2, endOffsetBytes=2),
            anchor("1", partIndex=2, startOffsetBytes=1, endOffsetBytes=3),
            anchor("1", partIndex=9),
            anchor("", startOffsetBytes=3, endOffsetBytes=1),
        ],
    },
)

CASES: dict[str, tuple[list[Json], Json]] = {
    "several final responses, texts of other types between them": (
        [
            text("FINAL_RESPONSE", "a", "b"),
            text("FOLLOWUP_QUESTIONS", "One?", "Two?"),
            text(1, "c\n"),
            text(None, "z"),
            text(77, "y"),
            text("TEXT_TYPE_UNSPECIFIED", "x"),
            text("FOLLOWUP_QUESTIONS"),
            text("FOLLOWUP_QUESTIONS", "Three?"),
        ],
        {"text": "ab\n\nc\n", "follow_ups": ("One?", "Two?", "Three?"), "thoughts": ()},
    ),
    "a user message in the middle": (
        [text("FINAL_RESPONSE", "old"), {"userMessage": {"text": "q"}}, text("THOUGHT", "t", "u")],
        {"text": None, "question": "q", "thoughts": ("t\nu",), "groups": [(0,), (1,)]},
    ),
    "errors before and after the answer": (
        [system({"error": {}}), text("FINAL_RESPONSE", "ok"), system({"error": {"text": "late"}})],
        {"text": "ok", "errors": ("", "late")},
    ),
    "results of one name, samples, empty ones, one without a name": (
        [
            result("a", [field("x", "INT64")], {"x": "1"}),
            result("a", [field("x", "INT64")], {"x": "2", "extra": "3"}),
            result("a_sample_values", None, {"x": "1"}),
            result("schema only", [field("x")]),
            result("formats only", None, formattedData=[{"x": "1"}]),
            result(None, [], {"b": 1}, {"a": "2"}, {}),
        ],
        {
            "results": [
                ("a", ["x"], [[1]], []),
                ("a", ["x"], [[2]], []),
                ("", ["a", "b"], [[None, 1], ["2", None], [None, None]], []),
            ]
        },
    ),
    "fewer formats than rows": (
        [
            result(
                "a",
                [field("x", "INT64"), field("y")],
                {"x": "1", "y": "p"},
                {"x": "2"},
                formattedData=[{"x": "1!"}],
            )
        ],
        {"results": [("a", ["x", "y"], [[1, "p"], [2, None]], [["1!", None], [None, None]])]},
    ),
    "cells of every type": (
        [
            result(
                "c",
                [field(f"c{index}", cell[0]) for index, cell in enumerate(CELLS)],
                {f"c{index}": cell[1] for index, cell in enumerate(CELLS)},
            )
        ],
        {
            "results": [
                (
                    "c",
                    [f"c{index}" for index in range(len(CELLS))],
                    [[cell[2] for cell in CELLS]],
                    [],
                )
            ]
        },
    ),
    "records in lists in records": (
        [
            result(
                "n",
                [
                    field(
                        "o",
                        "record",
                        "repeated",
                        field("i", "STRUCT", "", field("n", "INTEGER", "REPEATED"), field("z")),
                        field("s"),
                    ),
                    field("free", "RECORD", "REPEATED"),
                ],
                {
                    "o": [{"s": "a", "i": {"n": ["1", None], "extra": 1}}, None, {}],
                    "free": [{"b": "1"}],
                },
                {"o": [], "free": None},
            )
        ],
        {
            "results": [
                (
                    "n",
                    ["o", "free"],
                    [
                        [
                            [
                                {"i": {"n": [1, None], "z": None}, "s": "a"},
                                None,
                                {"i": None, "s": None},
                            ],
                            [{"b": "1"}],
                        ],
                        [[], None],
                    ],
                    [],
                )
            ]
        },
    ),
    "anchors that fit badly, and one beside another content than text": (
        [CITED, system({"data": {"generatedSql": "s"}}, citation={"anchors": [anchor()]})],
        {
            "citations": [
                ("aé", ["A"]),
                ("", ["A"]),
                ("ß", []),
                ("ß!", ["A"]),
                ("", ["A"]),
                ("", ["no id"]),
            ]
        },
    ),
    "group ids that come back, 0, null and absent": (
        [
            text("THOUGHT", "a", groupId=0),
            text("THOUGHT", "a"),
            text("THOUGHT", "a", groupId=2),
            text("THOUGHT", "a", groupId=0),
            text("THOUGHT", "a", groupId=None),
            {},
        ],
        {"groups": [(0, 3), (1,), (2,), (4,), (5,)]},
    ),
    "specs that are empty, deep, large": (
        [
            system({"chart": {"result": {"vegaConfig": {}}}}),
            system({"chart": {"result": {"vegaConfig": {"a": [None, {"b": None}], "n": 0.5}}}}),
            system(
                {"analysis": {"progressEvent": {"resultVegaChartJson": f'{{"n": 1{"0" * 20}}}'}}}
            ),
        ],
        {"charts": [{}, {"a": [None, {"b": None}], "n": 0.5}, {"n": 10**20}]},
    ),
}


def found(answer: gda.Answer, name: str) -> Any:
    match name:
        case "results":
            return [
                (
                    table.name,
                    table.columns,
                    [list(row.values()) for row in table.rows],
                    [list(row.values()) for row in table.formatted_rows],
                )
                for table in answer.results_for_display
            ]
        case "citations":
            return [
                (cited.text, [source.title for source in cited.sources])
                for cited in answer.citations
            ]
        case "groups":
            return [group.indices for group in answer.groups]
        case "charts":
            return [chart.spec for chart in answer.charts]
        case _:
            return getattr(answer, name)


@pytest.mark.parametrize(("messages", "facts"), CASES.values(), ids=CASES)
def test_facts(messages: list[Json], facts: Json) -> None:
    body = json.dumps(messages, ensure_ascii=False).encode()

    def single_bytes() -> Iterator[bytes]:
        for at in range(len(body)):
            yield body[at : at + 1]

    answer = gda.Answer.collect(read(gda.Message, [body]))
    assert gda.Answer.collect(read(gda.Message, single_bytes())) == answer
    for name, stated in facts.items():
        assert found(answer, name) == stated
