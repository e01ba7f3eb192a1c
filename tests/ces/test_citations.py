"""Cited words of a reply, inline and as a whole, and their sources."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwire import ces, from_dict
from turnwire.errors import ParseError

CHUNKS = [{"title": "Menu"}, {"title": "Till"}, {"title": "Book"}]


def output(*inline: dict[str, Any], turn: int = 1) -> ces.SessionOutput:
    citations = {"citedChunks": CHUNKS, "inlineCitations": list(inline)}
    return from_dict(ces.SessionOutput, {"turnIndex": turn, "citations": citations})


def facts(cited: tuple[ces.CitedText, ...]) -> list[tuple[str, list[str]]]:
    return [(each.text, [source.title for source in each.sources]) for each in cited]


def test_offsets_are_bytes_of_the_reply_and_the_rest_are_sources_of_all_of_it() -> None:
    inline = {"startIndex": 7, "endIndex": 11, "citedChunkIndices": [2, 0]}
    message = output(inline, {"endIndex": 6})
    first, second, rest = ces.citations_of(message, "naïve 🍐!", strict=True)
    assert facts((first, second, rest)) == [
        ("🍐", ["Book", "Menu"]),
        ("naïve", []),
        ("naïve 🍐!", ["Till"]),
    ]
    assert (first.byte_range, first.character_range) == ((7, 11), (6, 7))
    assert (rest.byte_range, rest.character_range) == (None, None)
    assert first.message.cited_chunks[2] == first.sources[0]


def test_without_inline_citations_all_sources_are_of_the_whole() -> None:
    assert facts(ces.citations_of(output(), "abc")) == [("abc", ["Menu", "Till", "Book"])]
    assert ces.citations_of(ces.SessionOutput(text="a")) == ()
    assert ces.citations_of(ces.SessionOutput(citations=ces.Citations()), "a") == ()


def test_the_reply_of_a_response_and_of_a_turn_is_known() -> None:
    inline = {"startIndex": 4, "endIndex": 6, "citedChunkIndices": [0, 1, 2]}
    responses = [
        ces.RunSessionResponse(outputs=[ces.SessionOutput(turn_index=1, text="Rack")]),
        ces.RunSessionResponse(
            outputs=[
                ces.SessionOutput(turn_index=1, text=" 4"),
                output(inline),
                ces.SessionOutput(turn_index=1, text=" it is.", turn_completed=True),
                ces.SessionOutput(turn_index=2, text="Next 5"),
                output({**inline, "startIndex": 0}, turn=2),
            ]
        ),
    ]
    titles = ["Menu", "Till", "Book"]
    assert facts(ces.citations_of(responses[1])) == [("t ", titles), ("Next 5", titles)]
    session = ces.Session.collect(responses)
    assert [facts(turn.citations) for turn in session.turns] == [
        [(" 4", titles)],
        [("Next 5", titles)],
    ]
    assert facts(session.citations) == [(" 4", titles), ("Next 5", titles)]
    builder = ces.SessionBuilder()
    updates = [builder.add(response) for response in responses]
    assert [facts(update.citations) for update in updates] == [[], facts(session.citations)]
    assert facts(ces.citations_of(output(inline))) == [("", titles)]


@pytest.mark.parametrize(
    ("inline", "text", "titles", "at"),
    [
        ({"startIndex": 7, "endIndex": 99}, "🍐!", [], "endIndex"),
        ({"startIndex": 3, "endIndex": 5}, "ïv", [], "endIndex"),
        ({"startIndex": -4, "endIndex": 2}, "na", [], "endIndex"),
        ({"startIndex": 5, "endIndex": 2}, "", [], "endIndex"),
        ({"endIndex": 2, "citedChunkIndices": [3, 1]}, "na", ["Till"], "citedChunkIndices"),
        ({"endIndex": 2, "citedChunkIndices": [-1]}, "na", [], "citedChunkIndices"),
    ],
)
def test_an_inline_citation_that_does_not_fit_is_fitted(
    inline: dict[str, Any], text: str, titles: list[str], at: str
) -> None:
    message = output({"endIndex": 2}, inline)
    assert facts(ces.citations_of(message, "naïve 🍐!"))[1] == (text, titles)
    with pytest.raises(ParseError) as caught:
        ces.citations_of(message, "naïve 🍐!", strict=True)
    assert caught.value.path == ("citations", "inlineCitations", 1, at)


@given(
    st.text(),
    st.lists(st.tuples(st.integers(-9, 99), st.integers(-9, 99)), max_size=9),
)
def test_any_offsets_give_words_of_the_reply(reply: str, ranges: list[tuple[int, int]]) -> None:
    inline = [{"startIndex": start, "endIndex": end} for start, end in ranges]
    *cited, rest = ces.citations_of(output(*inline), reply)
    assert len(cited) == len(ranges)
    for each in cited:
        assert each.byte_range is not None
        start, end = each.byte_range
        assert reply.encode()[start:end].decode() == each.text
    assert rest.text == reply


def test_an_exchange_knows_its_app() -> None:
    app = "projects/p/locations/eu/apps/a"
    call = ces.ToolCall(id="1", target_app=app)
    session = ces.Session.collect(
        ces.Message(
            chunks=[
                ces.Chunk(tool_call=call),
                ces.Chunk(tool_response=ces.ToolResponse(id="2", target_app="PROJECT")),
            ]
        )
    )
    assert [each.target_app for each in session.tool_exchanges] == [app, "PROJECT"]
    assert ces.ToolExchange(None).target_app == ""
