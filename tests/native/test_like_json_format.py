"""The core prints as Google's json_format does, and seldom leaves it to pure Python."""

from __future__ import annotations

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
