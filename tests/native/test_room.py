"""The room that the core asks for is in proportion to what it writes."""

from __future__ import annotations

import os
import tracemalloc
from typing import Any

import pytest

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.classes import classes_by_name
from support.analytics import gda

from turnwire.protojson._accelerator import codec_of


def peak_of(function: Any, *args: Any) -> int:
    """The most memory in use at once while a function runs, in bytes."""
    tracemalloc.start()
    try:
        function(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("message_class", [gda.Field, *classes_by_name().values()])
def test_one_odd_message_does_not_make_later_ones_ask_for_more(message_class: Any) -> None:
    codec = codec_of(message_class)
    odd, text_field = message_class(), "name"
    if message_class is not gda.Field:
        odd_field, text_field = "children", "one_string"
    else:
        odd_field = "subfields"
    if odd_field not in message_class.DESCRIPTOR.fields_by_name:
        return
    for _ in range(1_000):
        getattr(odd, odd_field).add()
    text = codec.print(odd, False, False, True)
    assert len(text) > 20 * odd.ByteSize()
    assert codec.parse(text, "error", "round") == odd
    large = message_class(**{text_field: "x" * 1_000_000})
    # The serialized message, and the text with its room.
    assert peak_of(codec.print, large) < 8 * 1_000_000
    large_text = codec.print(large)
    assert peak_of(codec.parse, large_text, "error", "round") < 8 * 1_000_000


def test_a_growth_beyond_the_bound_is_still_written() -> None:
    codec = codec_of(gda.Field)
    odd = gda.Field()
    for _ in range(20_000):
        odd.subfields.add()
    for _ in range(2):
        text = codec.print(odd, False, False, True)
        assert text is not None
        assert codec.parse(text, "error", "round") == odd
