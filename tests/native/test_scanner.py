"""The native scanner finds the same ends as the pure one, in whatever chunks the text arrives."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

if os.environ.get("TURNWIRE_REQUIRE_NATIVE") != "1":
    pytest.importorskip("turnwire_native")

import turnwire_native

from turnwire.streams import _pure_scan as pure

PIECES = (b"{", b"}", b"[", b"]", b'"', b"\\", b",", b" ", b"x", b'\\"', b'{"a":1}', b'["]"]')
texts = st.lists(st.sampled_from((*PIECES, b"abc" * 9, b"z" * 64)), max_size=60).map(b"".join)


@settings(max_examples=500, deadline=None)
@given(texts, st.lists(st.sampled_from((1, 2, 3, 20, 64, 70, 500)), min_size=1))
def test_same_ends(text: bytes, sizes: list[int]) -> None:
    one, other = pure.Scanner(), turnwire_native.Scanner()
    at = turn = 0
    while at < len(text):
        chunk = text[at : at + sizes[turn % len(sizes)]]
        at, turn = at + len(chunk), turn + 1
        one.load(chunk)
        other.load(chunk)
        position = 0
        while position < len(chunk):
            if not one.inside:
                spans, found = list(one.spans(position)), other.spans(position)
                # The pure one may stop before a value that nests deep.
                assert found[: len(spans)] == spans
                position = spans[-1][1] if spans else position
                if position == len(chunk) or chunk[position] not in b'{["':
                    position += 1
                    continue
            start, position = position, one.resume(position)
            assert other.resume(start) == position
            assert (other.inside, other.in_string) == (one.inside, one.in_string)
            if position < 0:
                break
