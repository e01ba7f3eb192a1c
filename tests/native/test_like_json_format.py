"""The core prints as Google's json_format does, and seldom leaves it to pure Python."""

from __future__ import annotations

import gc
import os
import random
from typing import Any

import pytest
from google.protobuf import json_format as google
from hypothesis import given

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.test_native import CLASSES, printed, seeds

from native import samples
from turnwire import ces
from turnwire.protojson._accelerator import codec_of
from turnwire.protojson._options import Style


@given(seeds)
def test_text_and_values_are_those_of_json_format(seed: int) -> None:
    rng = random.Random(seed)
    message = samples.fill(rng, rng.choice(CLASSES)())
    # Google's module prints some messages that have no JSON form.
    if printed(message, Style()) is None:
        return
    names, numbers, defaults, ascii = (rng.random() < 0.5 for _ in range(4))
    options: dict[str, Any] = {
        "preserving_proto_field_name": names,
        "use_integers_for_enums": numbers,
        "always_print_fields_with_no_presence": defaults,
    }
    codec = codec_of(type(message))
    for indent in (None, 0, 2, 300):
        text = codec.print_like_json_format(message, indent, names, numbers, defaults, ascii)
        if text is not None:
            expected = google.MessageToJson(message, indent=indent, ensure_ascii=ascii, **options)
            assert text == expected
    values = codec.print_values(message, names, numbers, defaults, True)
    if values is not None:
        assert repr(values) == repr(google.MessageToDict(message, **options))


def test_the_core_prints_almost_everything() -> None:
    rng = random.Random(1)
    messages = [samples.fill(rng, rng.choice(CLASSES[-4:])()) for _ in range(200)]
    messages = [
        message for message in messages if b"@type" not in (printed(message, Style()) or b"@type")
    ]
    texts = [
        codec_of(type(message)).print_like_json_format(message, 2, False, False, False, True)
        for message in messages
    ]
    assert len(texts) > 100
    assert texts.count(None) < len(texts) / 20


@pytest.mark.parametrize("is_on", [True, False])
def test_the_collector_is_left_as_it_was(is_on: bool) -> None:
    call = ces.ToolCall(id="c1")
    was_on = gc.isenabled()
    try:
        (gc.enable if is_on else gc.disable)()
        for number in (1.0, float("nan")):
            call.args["n"] = number
            values = codec_of(ces.ToolCall).print_values(call, False, False, False, True)
            assert (values is None) == (number != number)
            assert gc.isenabled() == is_on
    finally:
        (gc.enable if was_on else gc.disable)()


def test_names_of_fields_are_those_of_the_style() -> None:
    call = ces.ToolCall(display_name="Find")
    call.args["displayName"] = "x"
    codec = codec_of(ces.ToolCall)
    for _ in range(2):
        for proto_names, name in ((False, "displayName"), (True, "display_name")):
            values = codec.print_values(call, proto_names, False, False, True)
            assert values == {name: "Find", "args": {"displayName": "x"}}
