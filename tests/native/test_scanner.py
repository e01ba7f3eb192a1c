"""The native scanner finds the same as the pure one, in whatever chunks the text arrives."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

import turnwire_native

from turnwire.errors import TurnwireError
from turnwire.streams import Framer, _events, _lines, _objects, _values
from turnwire.streams import _pure_scan as pure

MARKS = (b"{", b"}", b"[", b"]", b'"', b"\\", b",", b" ", b"x", b'\\"', b'{"a":1}', b'["]"]')
LAYOUT = (b"\n", b"\r\n", b"\r", b"\n\n", b"\t", b",\n", b"1", b":", b'{"b":"\\\\"}', b"\xff")
EVENTS = (b"data:", b"data: ", b"event: x\n", b"id", b"retry:", b":", b'data: {"c":[]}\n\n')
LONG = (b"abc" * 9, b"z" * 64, b"\\" * 31, b"[" * 12, b"]" * 12, b" " * 20)

texts = st.lists(st.sampled_from((*MARKS, *LONG)), max_size=60).map(b"".join)
near_streams = st.tuples(
    st.sampled_from((b"", b"[", b"[{}", b"{}\n", b"{", b'{"a":1}\n{}\n', b"data: {}\n\n")),
    st.lists(st.sampled_from((*MARKS, *LAYOUT, *EVENTS, *LONG)), max_size=40).map(b"".join),
).map(b"".join)
sizes_of_chunks = st.lists(st.sampled_from((1, 2, 3, 20, 64, 70, 500)), min_size=1, max_size=9)


def cut(text: bytes, sizes: list[int]) -> Iterator[bytes]:
    at = turn = 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        yield text[at : at + size]
        at, turn = at + size, turn + 1


@given(texts, sizes_of_chunks)
def test_same_ends(text: bytes, sizes: list[int]) -> None:
    one, other = pure.Scanner(), turnwire_native.Scanner()
    for chunk in cut(text, sizes):
        one.load(chunk)
        other.load(chunk)
        position = 0
        while position < len(chunk):
            # Between values no machine lets a backslash pass and then a value begin.
            if not one.inside and chunk[position] not in b'{["':
                if chunk[position] == ord("\\"):
                    return
                position += 1
                continue
            start, position = position, one.resume(position)
            assert other.resume(start) == position
            assert (other.inside, other.in_string) == (one.inside, one.in_string)
            if position < 0:
                break


Taking = Callable[[bytes, int, int, list[bytes]], int]


def values(scanner: type[pure.Scanner | turnwire_native.Scanner], separator: bytes) -> Taking:
    def take(chunk: bytes, position: int, limit: int, out: list[bytes]) -> int:
        loaded = scanner()
        loaded.load(chunk)
        return loaded.take_values(position, separator, limit, out)

    return take


def object_lines(scanner: type[pure.Scanner | turnwire_native.Scanner]) -> Taking:
    def take(chunk: bytes, position: int, limit: int, out: list[bytes]) -> int:
        loaded = scanner()
        loaded.load(chunk)
        return loaded.take_object_lines(position, limit, out)

    return take


@pytest.mark.parametrize(
    ("one", "other", "is_exact"),
    [
        # The pure one may stop before a value that nests deep.
        (values(pure.Scanner, b","), values(turnwire_native.Scanner, b","), False),
        (values(pure.Scanner, b""), values(turnwire_native.Scanner, b""), False),
        (object_lines(pure.Scanner), object_lines(turnwire_native.Scanner), False),
        (pure.take_lines, turnwire_native.take_lines, True),
        # And before an event with a carriage return that ends a line alone.
        (pure.take_events, turnwire_native.take_events, False),
    ],
    ids=["array", "concatenated", "object lines", "lines", "events"],
)
@given(
    text=st.lists(st.sampled_from((*MARKS, *LAYOUT, *EVENTS, *LONG)), max_size=40).map(b"".join),
    limit=st.sampled_from([3, 8, 20, 1000]),
    data=st.data(),
)
def test_same_elements(
    one: Taking, other: Taking, is_exact: bool, text: bytes, limit: int, data: st.DataObject
) -> None:
    starts = [at for at in range(len(text) + 1) if text[max(at - 1, 0) : at] != b"\\"]
    position = data.draw(st.sampled_from(starts))
    expected: list[bytes] = [b"kept"]
    found: list[bytes] = [b"kept"]
    end = one(text, position, limit, expected)
    reached = other(text, position, limit, found)
    assert found[: len(expected)] == expected
    assert position <= end <= reached <= len(text)
    if is_exact:
        assert (found, reached) == (expected, end)
    assert all(0 < len(element) <= limit for element in found[1:])


@contextmanager
def framing_by(scan: object) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (_values, _objects, _lines, _events):
            for name in {"Scanner", "take_lines", "take_events"} & vars(module).keys():
                patch.setattr(module, name, getattr(scan, name))
        yield


def framed(chunks: list[bytes], format: str, limit: int) -> tuple[list[list[bytes]], str]:
    """The elements of each chunk, and the error after it."""
    framer = Framer(format, max_element_bytes=limit)  # type: ignore[arg-type]
    given: list[list[bytes]] = []
    try:
        for chunk in chunks:
            given.append(framer.feed(chunk))
        given.append(framer.close())
    except TurnwireError as error:
        return given, repr(error)
    return given, repr(framer.error)


@pytest.mark.parametrize("format", ["auto", "array", "ndjson", "concatenated", "object", "sse"])
@given(
    text=near_streams,
    sizes=sizes_of_chunks,
    limit=st.sampled_from([3, 8, 20, 70, 1000]),
)
def test_same_framing(format: str, text: bytes, sizes: list[int], limit: int) -> None:
    chunks = list(cut(text, sizes))
    with framing_by(pure):
        expected = framed(chunks, format, limit)
    with framing_by(turnwire_native):
        assert framed(chunks, format, limit) == expected
        given, error = framed([text], format, limit)
    assert list(chain(*given)) == list(chain(*expected[0]))
    # Of text in no format, the error shows as much as had come.
    assert error.partition("(")[0] == expected[1].partition("(")[0]


def test_arguments_of_the_wrong_type_are_refused() -> None:
    scanner = turnwire_native.Scanner()
    with pytest.raises(TypeError):
        scanner.load(bytearray(b"{}"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        turnwire_native.take_lines(b"{}\n", 0, 9, ())  # type: ignore[arg-type]
    out: list[bytes] = []
    assert turnwire_native.take_lines(b"{}\n", 9, 9, out) == 9
    assert turnwire_native.take_events(b"{}\n", 9, 9, out) == 9
    assert scanner.take_values(9, b",", 9, out) == 9
    assert scanner.take_object_lines(9, 9, out) == 9
    assert scanner.resume(9) == -1
    assert out == []
