"""Lines that the core rewrites are those that parsing and printing each of them give."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turnwire import ces, from_json, to_json
from turnwire.errors import TurnwireError

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

from native.classes import classes_by_name

from native import samples
from turnwire.protojson._accelerator import line_converter_of

CLASSES = (*classes_by_name().values(), ces.Message, ces.RunSessionResponse)
LIMIT = 10**6


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same JSON with the members of all objects in another order."""
    if isinstance(value, list):
        return [shuffled(each, rng) for each in value]
    if not isinstance(value, dict):
        return value
    members = [(name, shuffled(each, rng)) for name, each in value.items()]
    rng.shuffle(members)
    return dict(members)


def changed(line: bytes, rng: random.Random) -> bytes:
    """A line with one byte replaced, or cut, or as it is."""
    place = rng.randrange(len(line) + 1)
    byte = rng.choice(b'{}[]":,0 \\nul')
    return rng.choice([line, line[:place], line[:place] + bytes([byte]) + line[place + 1 :]])


def lines_of(message_class: Any, rng: random.Random) -> list[bytes]:
    """Lines of such messages in several spellings, some of them damaged."""
    lines = [b"", b" \t", b'{"text":', b"[]", b"{}"]
    for _ in range(5):
        message = samples.fill(rng, message_class())
        options = {name: rng.random() < 0.3 for name in ("proto_names", "enum_numbers", "defaults")}
        try:
            text = to_json(message, **options)
        except TurnwireError:
            continue
        if rng.random() < 0.5:
            text = json.dumps(shuffled(json.loads(text), rng)).encode()
        lines.append(changed(text, rng).replace(b"\n", b" ") + rng.choice([b"", b" ", b"\r"]))
    rng.shuffle(lines)
    return lines


def rewritten(message_class: Any, line: bytes) -> bytes | None:
    """The line of one message; None where it is not one."""
    try:
        return to_json(from_json(message_class, line)) + b"\n"
    except TurnwireError:
        return None


@example(3, None)
@given(st.integers(0, 2**32), st.sampled_from([None, 40]))
def test_rewritten_lines(seed: int, limit: int | None) -> None:
    rng = random.Random(seed)
    message_class = rng.choice(CLASSES)
    convert = line_converter_of(message_class)
    assert convert is not None
    lines = lines_of(message_class, rng)
    text = b"\n".join(lines)
    made, count, doubtful = convert(text, limit or LIMIT)
    with_content = [line for line in lines if line.strip()]
    assert count == len(with_content)
    expected, places = b"", {}
    rest = list(doubtful)
    for number, line in enumerate(with_content):
        if rest and rest[0][3] == number:
            start, end, at_line, _, place = rest.pop(0)
            assert text[start:end] == line.strip() == lines[at_line].strip()
            places[place] = len(expected)
            continue
        rewrite = rewritten(message_class, line)
        assert rewrite is not None
        expected += rewrite
    assert made == expected
    assert not rest
    assert all(place == at for place, at in places.items())


def test_only_what_only_python_decides_is_left() -> None:
    convert = line_converter_of(ces.Message)
    assert convert is not None
    good = b'{"role": "user", "chunks": [{"text": "a\\u00fc"}, {"text": ""}], "eventTime": null}'
    text = b"\n\n".join([good, b'{"role": 5}', good, b'{"mood": 1}'])
    line = '{"role":"user","chunks":[{"text":"aü"},{"text":""}]}\n'.encode()
    first, second = text.index(b'{"role": 5'), text.index(b'{"mood')
    assert convert(text, LIMIT) == (
        2 * line,
        4,
        [(first, first + 11, 2, 1, len(line)), (second, second + 11, 6, 3, 2 * len(line))],
    )
    assert convert(text, 10)[:2] == (b"", 4)
    assert convert(b"", LIMIT) == (b"", 0, [])
