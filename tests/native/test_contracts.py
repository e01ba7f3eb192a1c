"""Contracts that the core and pure Python share: each names the same things by the same names."""

from __future__ import annotations

import json
import os
from functools import partial
from typing import Any

import pytest
from support.analytics import gda
from support.cases import for_each
from support.everything import EVERYTHING2, EVERYTHING3
from support.made import made

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.test_native import outcome

import turnwire
from turnwire import _backend
from turnwire.protojson import _accelerator, _face, _pure
from turnwire.protojson._accelerator import codec_of
from turnwire.protojson._columns import Column
from turnwire.protojson._options import Style

RESULT = gda.DataResult()
RESULT.formatted_data.add().update({"a": "1"})
RESULT.data.add().update({"b": 2})
PAGE = made(
    'name: "page.proto" package: "page" syntax: "proto3"'
    ' dependency: "google/protobuf/struct.proto" message_type { name: "Page"'
    ' field { name: "rows" number: 1 label: LABEL_REPEATED type: TYPE_MESSAGE'
    ' type_name: ".google.protobuf.Struct" json_name: "data" }'
    ' field { name: "data" number: 2 label: LABEL_REPEATED type: TYPE_MESSAGE'
    ' type_name: ".google.protobuf.Struct" json_name: "more" } }'
)["page.Page"]
CLASHING = turnwire.from_dict(PAGE, {"data": [{"a": "rows"}], "more": [{"a": "data"}]})


@for_each("columns", [[Column("a")], [Column("z"), Column("b")], []])
@for_each(
    ("message", "name"),
    [
        *((RESULT, name) for name in ("formatted_data", "formattedData", "data", "no_such", "")),
        *((CLASHING, name) for name in ("rows", "data", "more")),
    ],
)
def test_rows_by_either_name(message: Any, name: str, columns: Any) -> None:
    expected = _pure.print_rows(message, name, columns)
    core = codec_of(type(message)).print_rows(message, name, columns)
    assert core in (None, expected)
    assert core is not None or message is CLASHING or name in ("no_such", "")
    if columns == [Column("a")]:
        known = {"data": "rows", "rows": "rows", "more": "data"}
        if message is CLASHING:
            assert expected == [{"a": known[name]}]
        else:
            assert expected == {"f": [{"a": "1"}], "d": [{"a": None}]}.get(name[:1], [])


@for_each("absent", [None, "absent", []])
@for_each(
    ("message", "name"),
    [
        *((RESULT, name) for name in ("formatted_data", "formattedData", "name", "no_such", "")),
        *((CLASHING, name) for name in ("rows", "data", "more")),
        (gda.Message(timestamp={"seconds": 1}), "timestamp"),
    ],
)
def test_fields_by_either_name(message: Any, name: str, absent: Any) -> None:
    core = codec_of(type(message)).print_field(message, name, absent)
    assert core in (None, _pure.print_field(message, name, absent))


# Bounds and odd forms: the core gives the same or None, and accepts at least these.
ACCEPTED = [
    {"wktDuration": "315576000000.5s"},
    {"wktDuration": "-315576000000.999999999s"},
    {"wktTimestamp": "9999-12-31T23:59:59.999999999Z"},
    {"wktTimestamp": "0001-01-01T00:00:00Z"},
    {"wktFieldmask": "*"},
    {"wktFieldmask": "a.*.bC,d"},
    {"nothing": None},
    {"nothing": "NULL_VALUE"},
    {"nothing": 5},
    {"nothing": "1"},
    {"byInt32": {"-2147483648": {}}},
    {"colour": "1"},
    {"colour": 1.0},
]
REFUSED = [
    {"wktDuration": "315576000001s"},
    {"wktDuration": "-315576000000.9999999999s"},
    {"wktTimestamp": "9999-12-31T23:59:59-00:01"},
    {"wktFieldmask": "a..b"},
    {"wktFieldmask": ".a"},
    {"wktFieldmask": "a."},
    {"wktFieldmask": "a,"},
    {"wktFieldmask": "**"},
    {"wktFieldmask": "a*"},
    {"wktFieldmask": "a_b"},
    {"nothing": "null"},
    {"nothing": "1.0"},
    {"byInt32": {"1.0": {}}},
    {"byInt32": {"1e2": {}}},
    {"colour": "1.0"},
    {"colour": "1e2"},
]


@for_each("value", ACCEPTED, ids=str)
@for_each("everything", [EVERYTHING2, EVERYTHING3])
def test_accepted_by_both(everything: Any, value: Any) -> None:
    text = json.dumps(value)
    message = _pure.parse(everything, text)
    codec = codec_of(everything)
    must_accept = "wktDuration" in value or "wktTimestamp" in value
    accepted = (message,) if must_accept else (message, None)
    assert codec.parse(text, "error", "round") in accepted
    assert codec.parse_values(value, "error", "round") in accepted
    for style in (Style(), Style(proto_names=True), Style(enum_numbers=True), Style(defaults=True)):
        printed = _pure.print_text(message, style)
        assert codec.print(message, *style[:3]) in (None, printed)
        values = codec.print_values(message, *style[:3])
        assert values in (None, _pure.print_value(message, style))
        assert _pure.parse(everything, printed) == message


@for_each("value", REFUSED, ids=str)
@for_each("everything", [EVERYTHING2, EVERYTHING3])
def test_refused_by_both(everything: Any, value: Any) -> None:
    text = json.dumps(value)
    assert codec_of(everything).parse(text, "error", "round") is None
    assert codec_of(everything).parse_values(value, "error", "round") is None
    with pytest.raises(turnwire.ParseError):
        _pure.parse(everything, text)


class Counting:
    """A codec that counts the documents that it is asked for, and hands them to another."""

    def __init__(self, codec: Any) -> None:
        self.calls = 0
        self._codec = codec

    def __getattr__(self, name: str) -> Any:
        self.calls += 1
        return getattr(self._codec, name)


DOCUMENTS = (
    *(
        '{"id":"a"}',
        '{"id":5}',
        '{"zz":1}',
        "{",
        '{"id":"a","id":"b"}',
        "[]",
        '{"args":{"a":1e400}}',
    ),
)


@for_each("unknown", ["error", "ignore", "warn", lambda path: None])
@for_each("text", DOCUMENTS)
@pytest.mark.filterwarnings("ignore::turnwire.UnknownFieldWarning")
def test_the_core_is_asked_once(monkeypatch: pytest.MonkeyPatch, text: str, unknown: Any) -> None:
    from turnwire import ces

    for function, data in (
        (turnwire.from_json, text),
        (turnwire.from_json, text.encode()),
        (turnwire.from_json, bytearray(text.encode())),
        (turnwire.from_dict, {"zz": text}),
    ):
        counting: Any = Counting(codec_of(ces.ToolCall))
        monkeypatch.setitem(_accelerator.codecs, ces.ToolCall, counting)
        outcome(partial(function, ces.ToolCall, data, unknown=unknown))
        # For these, a first call returns without a look at the document.
        twice = function is turnwire.from_json and (
            isinstance(data, bytearray) or unknown == "warn"
        )
        assert counting.calls == (2 if twice else 1)
        monkeypatch.undo()


@pytest.mark.parametrize("message", [RESULT, CLASHING], ids=["accepted", "clashing names"])
def test_the_core_is_asked_once_for_a_text(monkeypatch: pytest.MonkeyPatch, message: Any) -> None:
    for function, options in (
        (turnwire.to_json, {}),
        (turnwire.to_json, {"proto_names": True}),
        (turnwire.to_json, {"indent": 2}),
        (turnwire.to_json, {"ascii": True}),
        (turnwire.to_dict, {"defaults": True}),
    ):
        counting: Any = Counting(codec_of(type(message)))
        monkeypatch.setitem(_accelerator.codecs, type(message), counting)
        outcome(partial(function, message, **options))
        assert counting.calls == 1
        monkeypatch.undo()


def test_an_error_in_the_core_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        """A codec with a fault."""

        @staticmethod
        def parse(*args: object) -> None:
            raise TypeError("a fault in the core")

        print = parse_values = print_values = parse

    broken: Any = Broken
    monkeypatch.setitem(_accelerator.codecs, gda.Message, broken)
    for call in (
        lambda: turnwire.from_json(gda.Message, "{}"),
        lambda: turnwire.from_dict(gda.Message, {}),
        lambda: turnwire.to_json(gda.Message()),
        lambda: turnwire.to_dict(gda.Message()),
    ):
        with pytest.raises(TypeError, match="a fault in the core"):
            call()


def test_a_callable_for_unknown_things_raises_its_own_error() -> None:
    def refuse(path: object) -> None:
        raise TypeError(f"no {path}")

    for function, data in ((turnwire.from_json, '{"zz":1}'), (turnwire.from_dict, {"zz": 1})):
        with pytest.raises(TypeError, match=r"no \('zz',\)"):
            function(gda.Message, data, unknown=refuse)


def test_codecs_of_classes_made_at_run_time_are_bounded() -> None:
    file = 'name: "made.proto" package: "made" syntax: "proto3" message_type { name: "Made" }'
    for _ in range(300):
        turnwire.from_json(made(file)["made.Made"], "{}")
    assert len(_accelerator.codecs) == 256
    # One that was dropped is made again.
    assert turnwire.from_json(gda.Message, '{"messageId":"a"}') == gda.Message(message_id="a")


def test_the_face_knows_one_backend() -> None:
    assert _face.codecs is _accelerator.codecs
    assert _backend.native is not None
    assert turnwire.backend == "native"
