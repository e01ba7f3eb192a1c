"""The cited words of a reply, with their sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from turnwire_schema.ces.v1.session_output_pb2 import Citations, SessionOutput
from turnwire_schema.ces.v1.session_pb2 import RunSessionResponse

from turnwire._arguments import require, wrong_class
from turnwire._byte_ranges import FittedRange, fitted_ranges
from turnwire._views import View, short_list_repr, short_repr
from turnwire.errors import ParseError, Path


@dataclass(frozen=True, slots=True, repr=False)
class CitedText(View):
    """Some words of a reply, or all of it, and the sources that they come from.

    Attributes:
        reply: The text that holds the words; ``""`` where it is not known.
        sources: The sources, in the order of the citation's indices.
        byte_range: Start (inclusive) and end (exclusive) in the reply, in UTF-8 bytes; None for
            sources of the reply as a whole, which no inline citation names.
        character_range: The same in characters: ``reply[start:end]`` is `text`. None for sources
            of the reply as a whole.
        message: The citations as they came.

    >>> from turnwire import ces, from_dict
    >>> output = from_dict(ces.SessionOutput, {"citations": {
    ...     "citedChunks": [{"title": "Menu"}],
    ...     "inlineCitations": [{"endIndex": 4, "citedChunkIndices": [0]}],
    ... }})
    >>> [cited] = ces.citations_of(output, "Soup of the day")
    >>> cited.text, cited.character_range, cited.sources[0].title
    ('Soup', (0, 4), 'Menu')
    """

    reply: str = field(compare=False)
    sources: tuple[Citations.CitedChunk, ...]
    byte_range: tuple[int, int] | None
    character_range: tuple[int, int] | None
    message: Citations

    @property
    def text(self) -> str:
        """The cited words. Each access makes new ones, since citations may overlap at will."""
        if self.character_range is None:
            return self.reply
        start, end = self.character_range
        return self.reply[start:end]

    def _shown(self) -> list[str]:
        titles = short_list_repr([source.title for source in self.sources])
        return [short_repr(self.text), f"sources={titles}"]


def citations_of(
    message: SessionOutput | RunSessionResponse, reply: str | None = None, *, strict: bool = False
) -> tuple[CitedText, ...]:
    """The cited words of a reply with their sources.

    First comes one entry per inline citation, in order, then one for the reply as a whole, with
    the sources that no inline citation names. Inline citations count UTF-8 bytes of the reply, the
    end exclusive; an absent offset is 0. One that does not fit the reply is fitted: it ends where
    the reply ends, it is widened to whole characters, and the index of a source that does not
    exist is left out.

    Args:
        message: The output with the citations, or the whole response.
        reply: The reply that is cited, such as `Turn.reply`: an output with citations holds no
            text, and a response perhaps only a part of it. Without it, the texts of the response
            are the reply; of an output alone it is not known and the words are empty.
            `Turn.citations` has the right one.
        strict: Refuse an inline citation that does not fit the reply or the sources.

    Raises:
        TypeError: The argument is not one of these messages, or the reply is not a str.
        ParseError: With ``strict``: ``path`` is the place of the inline citation in its output.

    >>> from turnwire import ces, from_dict
    >>> output = from_dict(ces.SessionOutput, {"citations": {
    ...     "citedChunks": [{"title": "Menu"}, {"title": "Till"}],
    ...     "inlineCitations": [{"startIndex": 7, "endIndex": 15, "citedChunkIndices": [0]}],
    ... }})
    >>> ces.citations_of(output, "Crème brûlée")
    (CitedText('brûlée', sources=['Menu']), CitedText('Crème brûlée', sources=['Till']))
    """
    require(reply, str, type(None))
    match message:
        case SessionOutput():
            outputs = [message]
        case RunSessionResponse():
            outputs = list(message.outputs)
        case _:
            raise wrong_class(message, SessionOutput, RunSessionResponse)
    cited: list[CitedText] = []
    by_turn: dict[int, list[SessionOutput]] = {}
    for output in outputs:
        by_turn.setdefault(output.turn_index, []).append(output)
    for of_turn in by_turn.values():
        own_reply = "".join(output.text for output in of_turn) if reply is None else reply
        cited.extend(cited_in(of_turn, own_reply, strict=strict))
    return tuple(cited)


def cited_in(
    outputs: Iterable[SessionOutput], reply: str, *, strict: bool = False
) -> Iterator[CitedText]:
    """The cited words of one turn's reply, which is gone through once for all outputs."""
    held = [output.citations for output in outputs if output.HasField("citations")]
    given = [
        (inline.start_index, inline.end_index)
        for citations in held
        for inline in citations.inline_citations
    ]
    fitted = iter(fitted_ranges(reply, given) if given else ())
    for citations in held:
        yield from _cited(citations, reply, fitted, strict=strict)


def _cited(
    citations: Citations, reply: str, ranges: Iterator[FittedRange], *, strict: bool
) -> Iterator[CitedText]:
    chunks = list(citations.cited_chunks)
    named: set[int] = set()
    for index, inline in enumerate(citations.inline_citations):
        fitted = next(ranges)
        given = (inline.start_index, inline.end_index)
        known = [number for number in inline.cited_chunk_indices if 0 <= number < len(chunks)]
        if strict and given != fitted.bytes:
            reason = f"bytes {given[0]} to {given[1]} are not whole characters of the reply"
            raise _unfit(index, "endIndex", reason)
        if strict and len(known) != len(inline.cited_chunk_indices):
            missing = next(number for number in inline.cited_chunk_indices if number not in known)
            reason = f"expected the index of one of {len(chunks)} cited chunks, got {missing}"
            raise _unfit(index, "citedChunkIndices", reason)
        named.update(known)
        sources = tuple(chunks[number] for number in known)
        yield CitedText(reply, sources, fitted.bytes, fitted.characters, citations)
    if rest := tuple(chunk for number, chunk in enumerate(chunks) if number not in named):
        yield CitedText(reply, rest, None, None, citations)


def _unfit(index: int, name: str, reason: str) -> ParseError:
    path: Path = ("citations", "inlineCitations", index, name)
    field_name = Citations.DESCRIPTOR.fields_by_name["inline_citations"].full_name
    return ParseError(reason, kind="range", path=path, field=field_name)
