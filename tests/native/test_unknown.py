"""The core reports the paths of what it leaves out as the pure backend does."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
from hypothesis import given

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.test_native import CLASSES, outcome, printed, seeds
from support.analytics import gda

from native import core_first, samples
from turnwire.protojson import _pure
from turnwire.protojson._accelerator import codec_of
from turnwire.protojson._options import Style

UNKNOWN_NAMES = ("zz", "", "é", 'q"uote', "back\\slash", "x" * 40, "日本", "\n")
UNKNOWN_ENUM = "MAUVE"


def with_unknown(rng: random.Random, value: Any) -> Any:
    """A copy of a JSON value with members and names that no message has."""
    if isinstance(value, list):
        return [with_unknown(rng, item) for item in value]
    if isinstance(value, str) and value.isupper() and rng.random() < 0.3:
        return UNKNOWN_ENUM
    if not isinstance(value, dict):
        return value
    items = [(key, with_unknown(rng, item)) for key, item in value.items()]
    if rng.random() < 0.5:
        unknown = rng.choice((1, "text", None, [], {"zz": [{"a": {}}]}, [1, {"b": "]"}]))
        items.insert(rng.randrange(len(items) + 1), (rng.choice(UNKNOWN_NAMES), unknown))
    return dict(items)


def told(parse: Any, message_class: Any, data: Any) -> Any:
    """The outcome of a reading and the paths that it reports."""
    paths: list[Any] = []
    return outcome(parse, message_class, data, paths.append, "round"), paths


@given(seeds)
def test_paths_are_those_of_the_pure_backend(seed: int) -> None:
    rng = random.Random(seed)
    message = samples.fill(rng, rng.choice(CLASSES)())
    text = printed(message, Style(enum_numbers=rng.random() < 0.1))
    if text is None:
        return
    value = with_unknown(rng, json.loads(text))
    encoded = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 2)))
    for data in (encoded, samples.damage(rng, encoded.encode())):
        assert told(core_first.parse, type(message), data) == told(_pure.parse, type(message), data)
    expected = told(_pure.read_value, type(message), value)
    assert told(core_first.read_value, type(message), value) == expected


def test_the_core_finds_them_itself() -> None:
    rows = ",".join(f'{{"n":{number},"more":[{{"}}":"]"}}]}}' for number in range(5_000))
    document = f'{{"new":{{}},"systemMessage":{{"data":{{"result":{{"data":[{rows}]}},"x":1}}}}}}'
    expected = [("new",), ("systemMessage", "data", "x")]
    codec = codec_of(gda.Message)
    for text in (document, document + " " * 2_500_000):
        paths: list[Any] = []
        message = codec.parse(text, paths.append, "round")
        assert paths == expected
        assert message == codec.parse(text, "ignore", "round")
    assert codec.parse_values(json.loads(document), paths.append, "round") == message
    assert paths == expected * 2


def test_errors_of_the_callable_pass_through() -> None:
    def refuse(path: Any) -> None:
        raise LookupError(path)

    codec = codec_of(gda.Message)
    with pytest.raises(LookupError, match=r"\('zz',\)"):
        codec.parse('{"zz":1,"yy":2}', refuse, "round")


def test_nothing_is_reported_of_a_text_that_is_refused() -> None:
    paths: list[Any] = []
    codec = codec_of(gda.Message)
    assert codec.parse('{"zz":1,"systemMessage":[]}', paths.append, "round") is None
    assert codec.parse('{"zz":1', paths.append, "round") is None
    assert not paths
