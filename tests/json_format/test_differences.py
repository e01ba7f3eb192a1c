"""The table of docs/json_format.md is true, row by row, and tells of every kind of difference."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from google.protobuf import (
    __version__,
    any_pb2,
    duration_pb2,
    field_mask_pb2,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf import json_format as google
from google.protobuf.message import Message
from support.cases import for_each
from support.everything import EVERYTHING3, GROUP

from turnwire import ces, json_format, schema

PAGE = Path(__file__).resolve().parents[2] / "docs" / "json_format.md"
REFUSED = "refused"


class Row(NamedTuple):
    """A row of the table."""

    class_name: str
    text: str
    theirs: str
    ours: str
    lenient: str

    @property
    def message_class(self) -> type[Message]:
        if "." in self.class_name:
            return schema.message_class(self.class_name)
        places = [any_pb2, duration_pb2, field_mask_pb2, timestamp_pb2, wrappers_pb2]
        name = self.class_name
        return next(getattr(place, name) for place in places if hasattr(place, name))


def rows() -> list[Row]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    cells = ([cell.strip().strip("`") for cell in line.split(" | ")] for line in lines)
    return [Row(first.removeprefix("| `"), *others[:4]) for first, *others in cells]


def printed(module: object, row: Row, **options: bool) -> str:
    try:
        message = module.Parse(row.text, row.message_class(), **options)  # type: ignore[attr-defined]
    except google.ParseError:
        return REFUSED
    return google.MessageToJson(message, indent=None, ensure_ascii=False)


def test_there_are_rows() -> None:
    assert len(rows()) > 40


@for_each("row", rows(), ids=lambda row: f"{row.class_name} {row.text}")
def test_a_row_is_true(row: Row) -> None:
    assert printed(google, row) == row.theirs
    assert printed(json_format, row) == row.ours
    lenient = printed(json_format, row, strict=False)
    if row.lenient == "yes":
        # Where ours is right and theirs is not, there is nothing to be lenient about.
        assert lenient == (row.theirs if row.ours == REFUSED else row.ours)
    else:
        assert lenient == REFUSED


@pytest.mark.parametrize(
    ("value", "is_accepted"),
    [
        ({"byInt32": {"1_0": {}}}, True),
        ({"byInt32": {"01": {}, "2": {}}}, True),
        ({"byInt32": {"1": {}, "01": {}}}, False),
        ({"byInt64": {"1": {}, "1.0": {}}}, False),
        ({"self": {"selves": [{"oneDouble": " 1"}]}}, True),
        ({"self": {"selves": [{"oneDouble": True}]}}, False),
        ({"byString": {"a": {"self": []}}}, True),
        ({"byString": {"a": {"manyBytes": ["AR=="]}}}, False),
        ({"either": "a", "orValue": None}, False),
        ({"self": [], "orValue": None, "either": None}, True),
        ({"self": [], "wktStruct": {"n": float("inf")}}, False),
        ({"wktAny": {"@type": "x/google.protobuf.Duration", "value": " 1s"}}, True),
        ({"wktAny": {"@type": "x/google.protobuf.Duration", "value": " 1s", "more": 1}}, False),
        ({"wktBytesvalue": "AQ\nID", "wktsBytesvalue": ["AQ="]}, True),
        ({"wktsBytesvalue": ["AR=="]}, False),
        ({"self": "", "novel": 1}, False),
        ({"self": "abc"}, False),
        ({"self": [], "oneInt64": "9007199254740993.0"}, False),
        ({"self": [], "oneInt64": 9007199254740992.0, "oneSint32": "1.0"}, True),
        ({"byInt64": {"9007199254740993.0": {}}}, False),
        ({"self": [], "colour": 2**32}, False),
        ({"colours": ["+1", str(2**32)]}, False),
        ({"colours": ["+1", "RED", 1.0, -1]}, True),
        ({"oneSint32": 1, "one_sint32": None}, False),
        ({"self": [], "oneString": None}, True),
        ({"wktDuration": "+1.0000000000s"}, True),
        ({"wktDuration": "+1.0000000001s"}, False),
        ({"wktsTimestamp": ["2025-1-2T03:04:05+-5:30"]}, False),
        ({"wktsTimestamp": ["2025-1-2T03:04:05-05:30"]}, True),
    ],
    ids=str,
)
def test_leniency_is_for_form_alone(value: object, is_accepted: bool) -> None:
    text = json.dumps(value)
    with pytest.raises(json_format.ParseError):
        json_format.Parse(text, EVERYTHING3())
    with pytest.raises(json_format.ParseError):
        json_format.ParseDict(value, EVERYTHING3())
    if is_accepted:
        theirs = google.Parse(text, EVERYTHING3())
        assert json_format.Parse(text, EVERYTHING3(), strict=False) == theirs
        assert json_format.ParseDict(value, EVERYTHING3(), strict=False) == theirs
        held = EVERYTHING3(one_int32=5)
        assert json_format.Parse(text, held, strict=False) is held
        assert held.one_int32 == 5
    else:
        with pytest.raises(json_format.ParseError):
            json_format.Parse(text, EVERYTHING3(), strict=False)
        with pytest.raises(json_format.ParseError):
            json_format.ParseDict(value, EVERYTHING3(), strict=False)


def test_leniency_knows_the_text_of_a_number() -> None:
    # In Python's values, the number is gone already.
    for text in ('{"self": [], "oneInt64": 9007199254740993.0}', '{"self": [], "colour": 1e-400}'):
        with pytest.raises(json_format.ParseError):
            json_format.Parse(text, EVERYTHING3(), strict=False)
    text = '{"self": [], "oneInt64": 9007199254740992.0, "oneDouble": 1e-400, "oneFloat": 0.1}'
    assert json_format.Parse(text, EVERYTHING3(), strict=False) == google.Parse(text, EVERYTHING3())


def test_leniency_cuts_no_fraction_off() -> None:
    for value, is_accepted in ((Decimal("1.5"), False), (Decimal("1"), True)):
        members = {"self": [], "oneInt32": value}
        if is_accepted:
            parsed = json_format.ParseDict(members, EVERYTHING3(), strict=False)
            assert parsed == google.ParseDict(members, EVERYTHING3())
        else:
            with pytest.raises(json_format.ParseError):
                json_format.ParseDict(members, EVERYTHING3(), strict=False)


def test_null_for_a_list_of_values_is_an_empty_list() -> None:
    for value in ({"wktsValue": None}, {"manyInt32": None, "wktsStruct": None}):
        assert json_format.ParseDict(value, EVERYTHING3()) == EVERYTHING3()
    # Theirs asks the list for a field.
    with pytest.raises(AttributeError):
        google.ParseDict({"wktsValue": None}, EVERYTHING3())


def test_an_any_of_a_type_in_the_pool_of_its_message_is_read() -> None:
    value = {"wktAny": {"@type": "x/three.Everything", "oneInt32": 1}}
    with pytest.raises(google.ParseError):
        google.ParseDict(value, EVERYTHING3())
    assert json_format.ParseDict(value, EVERYTHING3()).wkt_any.type_url == "x/three.Everything"


def test_compare() -> None:
    texts = [
        '{"role": "a"}',
        '{"role": 5}',
        '{"chunks": [{"image": ""}]}',
        b"{",
    ]
    found = json_format.compare(ces.Message, texts)
    assert [difference.index for difference in found] == [2]
    assert found[0].text == texts[2]
    assert json.loads(str(found[0].theirs)) == {"chunks": [{"image": {}}]}
    assert isinstance(found[0].ours, json_format.ParseError)
    assert found[0].is_lossless
    with pytest.raises(TypeError, match="message class"):
        json_format.compare(ces.Message(), [])  # type: ignore[arg-type]
    for text in ("{}", b"{}"):
        with pytest.raises(TypeError, match="expected an iterable of texts, got one"):
            json_format.compare(ces.Message, text)  # type: ignore[arg-type]


def test_compare_reports_what_would_be_lost() -> None:
    text = '{"displayName": "a", "display_name": "b"}'
    [found] = json_format.compare(ces.ToolCall, [text, '{"novel": 1}'])
    assert not found.is_lossless
    [found] = json_format.compare(ces.ToolCall, [text, '{"novel": 1}'], ignore_unknown_fields=True)
    assert found.index == 0


def test_paths_that_do_not_read_back_are_refused_when_printed() -> None:
    for path in ("é", "", "a__b", "A"):
        mask = field_mask_pb2.FieldMask(paths=[path])
        for function in (json_format.MessageToJson, json_format.MessageToDict):
            with pytest.raises(json_format.SerializeToJsonError):
                function(mask)
    assert google.MessageToDict(field_mask_pb2.FieldMask(paths=["é"])) == "é"


def test_any_of_a_type_in_the_pool_of_its_message_is_printed() -> None:
    message = EVERYTHING3()
    message.wkt_any.Pack(EVERYTHING3(one_int32=1))
    with pytest.raises(TypeError):
        google.MessageToDict(message)
    typed = {"@type": "type.googleapis.com/three.Everything", "oneInt32": 1}
    assert json_format.MessageToDict(message) == {"wktAny": typed}


def test_repeated_extensions_have_brackets_and_are_read() -> None:
    message = GROUP()
    message.Extensions[GROUP.DESCRIPTOR.file.extensions_by_name["ext_group"]].add().late.append(1)
    printed = json_format.MessageToDict(message)
    assert printed == {"[two.ext_group]": [{"late": [1]}]}
    if not __version__.startswith("6."):
        assert printed == google.MessageToDict(message)
    assert json_format.ParseDict(printed, GROUP()) == message
