"""Pure Python reads large texts in pieces, and as it reads them whole."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import ListValue
from hypothesis import given
from hypothesis import strategies as st
from support.analytics import gda
from support.cases import for_each
from support.messages import random_message

import turnwire
from turnwire import ces
from turnwire.protojson import _pure
from turnwire.protojson._pure import _large, _text

NAMES = ["a", "b", "id", "args", "chunks", "role", "text", "toolCall", "u1", "u2", "é", "@type"]
SCALARS = [0, -5, 1.5, 10**18, 2**64, "a", "b],c", "x},{", 'é\u2028"', "", None, True, {}, []]
SEPARATORS = [(",", ":"), (", ", ": "), (" ,\n ", " : ")]
TYPES = [ces.Message, ces.SessionOutput, gda.Message, ListValue]

values = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=40,
)
chunks = st.fixed_dictionaries({"text": st.text(max_size=3)}) | values
messages = st.fixed_dictionaries({"chunks": st.lists(chunks, max_size=20), "u3": values})
changes = st.sampled_from(["", *',:{}[]"\\ 1etn-'])


@given(
    value=messages | values,
    message_class=st.sampled_from(TYPES),
    separators=st.sampled_from(SEPARATORS),
    change=st.none() | st.tuples(st.floats(0, 1), st.integers(0, 1), changes),
    piece=st.sampled_from([4, 20, 100]),
)
def test_pieces_change_nothing(
    value: Any,
    message_class: type[Message],
    separators: tuple[str, str],
    change: tuple[float, int, str] | None,
    piece: int,
) -> None:
    text = json.dumps(value, ensure_ascii=False, separators=separators)
    if change is not None:  # mostly it is no JSON any more
        place, removed, put = round(change[0] * len(text)), change[1], change[2]
        text = text[:place] + put + text[place + removed :]
    for unknown in ("error", "ignore", "report"):
        whole = _read(message_class, text, unknown)
        assert _in_pieces(message_class, text, unknown, piece) == whole


@for_each("message_class", TYPES[:3])
def test_random_messages(message_class: type[Message]) -> None:
    for seed in range(30):
        message = random_message(message_class, seed)
        text = turnwire.to_json(message, indent=random.Random(seed).choice([None, 2])).decode()
        assert _in_pieces(message_class, text, "error", 50) == _read(message_class, text, "error")


MANY = 150_000
LARGE = {
    "rows": '{"systemMessage":{"data":{"result":{"data":['
    + ",".join(f'{{"n":{n},"s":"é{n}"}}' for n in range(30_000))
    + "]}}}}",
    "unknown members": "{" + ",".join(f'"u{n}":[]' for n in range(30_000)) + "}",
    "members of items": '{"systemMessage":{"citation":{"anchors":['
    + ",".join(f'{{"u{n}":{{}}}}' for n in range(30_000))
    + "]}}}",
    "arrays": '{"u":[' + "[]," * MANY + "[[]]]}",
    "numbers": '{"u":[' + "1," * MANY + '1], "messageId": "m"}',
    "a long text": '{"messageId":"' + "\\n" * MANY + '", "u": 1}',
    "a repeated key": '{"u":[' + "[]," * MANY + '{"a":1,"a":2}]}',
    "a wrong item": '{"u":[' + "{}," * MANY + "{]}",
    "a comma too many": '{"u":[' + "{}," * MANY + " ]}",
    "nothing after a key": '{"u":[' + "{}," * MANY + '{}], "a" }',
    "cut": '{"u":[' + "{}," * MANY,
    "more after it": '{"u":[' + "{}," * MANY + "1]} 2",
    "a constant": '{"u":[' + "1," * MANY + "NaN]}",
    "many digits": '{"u":[' + "1," * MANY + "9" * 10_000 + "]}",
    "deep": '{"u":' + '[[1],{"a":' * 400 + " " * MANY + "1" + "}]" * 400 + "}",
    "deeper than any": '{"u":' + "[[1]," * 2_000 + " " * MANY + "]" * 2_000 + "}",
}


@for_each("name", LARGE)
def test_large_texts(name: str) -> None:
    for unknown in ("error", "report"):
        found = _read(gda.Message, LARGE[name], unknown)
        assert found == _read(gda.Message, LARGE[name], unknown, min_length=1 << 40)


def test_from_json_of_bytes() -> None:
    message = turnwire.from_json(gda.Message, LARGE["rows"].encode())
    rows = message.system_message.data.result.data
    assert (len(rows), rows[29_999]["s"]) == (30_000, "é29999")


def _in_pieces(message_class: type[Message], text: str, unknown: str, piece: int) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_large, "_PIECE", piece)
        return _read(message_class, text, unknown, min_length=0)


def _read(
    message_class: type[Message], text: str, unknown: Any, min_length: int | None = None
) -> tuple[object, list[Any]]:
    """Returns the message or all of its error, and the paths that were left out."""
    left_out: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        if min_length is not None:
            patch.setattr(_text, "MIN_LENGTH", min_length)
        try:
            option = left_out.append if unknown == "report" else unknown
            message = _pure.parse(message_class, text, option)
        except turnwire.ParseError as error:
            place = error.path, error.line, error.column, error.field
            return (str(error), error.kind, *place), left_out
    return message.SerializePartialToString(deterministic=True), left_out
