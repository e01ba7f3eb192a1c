"""Cited words, their ranges and their sources."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwire import geminidataanalytics as gda
from turnwire.errors import ParseError
from turnwire.protojson import from_dict

PARTS = ["naïve 🍐", "", "naïve tarts – 3 €"]


def cited(*anchors: dict[str, Any], parts: list[str] = PARTS) -> gda.SystemMessage:
    return from_dict(
        gda.SystemMessage,
        {
            "text": {"parts": parts, "textType": "FINAL_RESPONSE"},
            "citation": {
                "sources": [{"id": "a", "title": "Menu"}, {"id": "b", "title": "Till"}],
                "anchors": [{"textMessageAnchor": anchor} for anchor in anchors],
            },
        },
    )


def test_offsets_are_bytes_within_one_part() -> None:
    message = cited(
        {"endOffsetBytes": 6, "sourceIds": ["b", "a"]},
        {"startOffsetBytes": 7, "endOffsetBytes": 11, "sourceIds": ["a"]},
        {"partIndex": 2, "startOffsetBytes": 13, "endOffsetBytes": 22},
    )
    first, pear, price = gda.citations_of(message, strict=True)
    assert (first.text, pear.text, price.text) == ("naïve", "🍐", "– 3 €")
    assert [source.title for source in first.sources] == ["Till", "Menu"]
    assert (pear.byte_range, pear.character_range) == ((7, 11), (6, 7))
    assert price.sources == ()
    for entry in (first, pear, price):
        start, end = entry.character_range
        assert PARTS[entry.part_index][start:end] == entry.text
        assert entry.message is message


@pytest.mark.parametrize(
    ("anchor", "text", "at"),
    [
        ({"startOffsetBytes": 7, "endOffsetBytes": 99}, "🍐", "endOffsetBytes"),
        ({"startOffsetBytes": 3, "endOffsetBytes": 5}, "ïv", "endOffsetBytes"),
        ({"startOffsetBytes": 8, "endOffsetBytes": 9}, "🍐", "endOffsetBytes"),
        ({"startOffsetBytes": 8, "endOffsetBytes": 8}, "", "endOffsetBytes"),
        ({"startOffsetBytes": -4, "endOffsetBytes": 2}, "na", "endOffsetBytes"),
        ({"startOffsetBytes": 5, "endOffsetBytes": 2}, "", "endOffsetBytes"),
        ({"partIndex": 3, "endOffsetBytes": 2}, "", "partIndex"),
        ({"partIndex": -1, "endOffsetBytes": 2}, "", "partIndex"),
        ({"endOffsetBytes": 2, "sourceIds": ["zz"]}, "na", "sourceIds"),
    ],
)
def test_an_anchor_that_does_not_fit_is_fitted(anchor: dict[str, Any], text: str, at: str) -> None:
    message = cited({"endOffsetBytes": 1}, anchor)
    entry = gda.citations_of(message)[1]
    assert entry.text == text
    assert entry.sources == ()
    with pytest.raises(ParseError) as caught:
        gda.citations_of(message, strict=True)
    assert caught.value.path == ("citation", "anchors", 1, "textMessageAnchor", at)


def test_only_anchors_in_a_text_cite() -> None:
    message = cited()
    message.citation.anchors.add()
    assert gda.citations_of(message) == ()
    error = from_dict(gda.SystemMessage, {"error": {"text": "x"}})
    error.citation.CopyFrom(cited({"endOffsetBytes": 1}).citation)
    assert gda.citations_of(error) == ()
    assert gda.citations_of(gda.user_message("x")) == ()


def test_the_first_source_of_an_id_counts() -> None:
    message = cited({"sourceIds": ["a"]})
    message.citation.sources.add(id="a", title="Later")
    assert [source.title for source in gda.citations_of(message)[0].sources] == ["Menu"]


@given(st.text(min_size=1), st.data())
def test_any_whole_characters_are_cited_exactly(part: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(part)))
    start = data.draw(st.integers(0, end))
    offsets = {
        "partIndex": 1,
        "startOffsetBytes": len(part[:start].encode()),
        "endOffsetBytes": len(part[:end].encode()),
    }
    (entry,) = gda.citations_of(cited(offsets, parts=["é", part]), strict=True)
    assert entry.text == part[start:end]
    assert entry.character_range == (start, end)


@given(st.text(), st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
def test_any_offsets_give_a_piece_of_the_part(part: str, start: int, end: int) -> None:
    anchor = {"startOffsetBytes": start, "endOffsetBytes": end}
    (entry,) = gda.citations_of(cited(anchor, parts=[part]))
    first, last = entry.character_range
    assert part[first:last] == entry.text
    low, high = entry.byte_range
    assert part.encode()[low:high].decode() == entry.text
