"""Large documents, which protobuf gets in pieces, are read as the pure backend reads them."""

from __future__ import annotations

import gc
import json
import os
import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from google.protobuf.message import Message

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

import turnwire_native
from support.analytics import gda

from turnwire import ces, from_dict, from_json
from turnwire.errors import ParseError
from turnwire.protojson import _pure
from turnwire.protojson._accelerator import codec_of, file_set_of

ROWS = [{"id": index, "name": f"customer {index}", "note": "prüfen"} for index in range(45_000)]
MESSAGES = [
    {"role": "user", "chunks": [{"text": "hello " * 10}, {"payload": {"n": index}}]}
    for index in range(20_000)
]
IMAGE = "A" * 1_600_000


def _answer(**result: Any) -> dict[str, Any]:
    system = {"data": {"result": {"name": "first", **result}}, "groupId": 7}
    return {"timestamp": "2025-11-05T10:15:30Z", "systemMessage": system, "messageId": "last"}


# Documents that are cut: one list or two below single messages, a list at the root, nested lists.
DOCUMENTS: dict[str, tuple[type[Message], Any]] = {
    "rows": (gda.Message, _answer(data=ROWS)),
    "two lists of rows": (gda.Message, _answer(data=ROWS[:20_000], formattedData=ROWS[20_000:])),
    "a list at the root": (
        gda.ListMessagesResponse,
        {
            "messages": [
                {"message": _answer(data=ROWS[at : at + 100])} for at in range(0, 45_000, 100)
            ]
        },
    ),
    "lists in a list": (
        ces.RunSessionResponse,
        {"outputs": [{"text": "Done.", "diagnosticInfo": {"messages": MESSAGES}}]},
    ),
    "an element that is larger than any piece": (
        ces.RunSessionResponse,
        {"outputs": [{"text": "Look."}, {"text": IMAGE}, {"text": IMAGE}]},
    ),
}


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _pure_parse(message_class: type[Message], text: bytes) -> Message:
    message: Message = _pure.parse(message_class, text, "error", "round")
    return message


@pytest.mark.parametrize("name", DOCUMENTS)
def test_large_documents(name: str) -> None:
    message_class, value = DOCUMENTS[name]
    text = _text(value)
    assert len(text) > 2**21
    native = codec_of(message_class).parse(text, "error", "round")
    assert native == _pure_parse(message_class, text)
    assert native == from_json(message_class, text.decode())
    for _ in range(2):
        # From the second time on, the core knows which messages are long, and cuts them.
        assert codec_of(message_class).parse_values(value, "error", "round") == native


def test_a_dict_that_fails_after_pieces_leaves_no_trace() -> None:
    message_class, value = DOCUMENTS["rows"]
    codec = codec_of(message_class)
    for _ in range(2):
        assert codec.parse_values(value, "error", "round")
    message = message_class()
    wrong = {**value, "messageId": 5}
    assert codec.parse_values_into(message, wrong, "error", "round") is None
    assert message == message_class()
    with pytest.raises(ParseError, match="expected string, got number"):
        from_dict(message_class, wrong)


def _cut_off(text: bytes) -> bytes:
    return text[:-1]


def _twice(text: bytes) -> bytes:
    return text[:-1] + b',"messageId":"again"}'


def _no_utf8(text: bytes) -> bytes:
    return text[:-2].replace(b"customer 44999", b"customer \xff") + text[-2:]


def _unknown(text: bytes) -> bytes:
    return text.replace(b'"id":44999', b'"id":44999}],"colour":[{"id":1')


@pytest.mark.parametrize("spoil", [_cut_off, _twice, _no_utf8, _unknown])
def test_errors_after_pieces_are_those_of_the_pure_backend(spoil: Callable[[bytes], bytes]) -> None:
    message_class, value = DOCUMENTS["rows"]
    text = spoil(_text(value))
    with pytest.raises(ParseError) as expected:
        _pure_parse(message_class, text)
    with pytest.raises(ParseError) as caught:
        from_json(message_class, text)
    assert str(caught.value) == str(expected.value)
    assert caught.value.__dict__ == expected.value.__dict__


def test_python_may_read_another_text_while_a_piece_is_merged() -> None:
    message_class, value = DOCUMENTS["rows"]
    text = _text(value)
    small: list[Message] = []

    def read_another(phase: str, info: dict[str, int]) -> None:
        small.append(from_json(ces.ToolCall, '{"id": "c1", "args": {"n": 1}}'))

    threshold = gc.get_threshold()
    # A collection then looks only at objects that are made from here on.
    gc.freeze()
    gc.callbacks.append(read_another)
    gc.set_threshold(1)
    try:
        parsed = [from_json(message_class, text)]
        threads = [
            threading.Thread(target=lambda: parsed.append(from_json(message_class, text)))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(read_another)
        gc.unfreeze()
    assert small
    expected = _pure_parse(message_class, text)
    assert len(parsed) == 4
    assert all(message == expected for message in parsed)


@pytest.mark.parametrize("blanks", [0, 2**21])
def test_errors_of_protobufs_reader_are_left_to_pure_python_but_not_interrupts(blanks: int) -> None:
    error: BaseException = ValueError("refused")

    class Reader:
        """The part of a message class that a codec uses."""

        @staticmethod
        def FromString(wire: bytes) -> Reader:
            raise error

        def MergeFromString(self, wire: bytes) -> None:
            raise error

        SerializePartialToString = None

    descriptor = gda.DataResult.DESCRIPTOR
    files = file_set_of(descriptor)
    codec: Any = turnwire_native.Codec(cast("Any", Reader), files, descriptor.full_name)
    text = '{"name": "first"}' + " " * blanks
    assert codec.parse(text, "error", "round") is None
    error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        codec.parse(text, "error", "round")
