"""The cited words of a text message, with their sources."""

from __future__ import annotations

from dataclasses import dataclass, field

from turnwire_schema.geminidataanalytics.v1.citation_pb2 import (
    Citation,
    CitationAnchor,
    CitationSource,
)
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, SystemMessage

from turnwire._arguments import wrong_class
from turnwire._byte_ranges import FittedRange, fitted_ranges
from turnwire._views import View, short_list_repr, short_repr
from turnwire.errors import ParseError, Path, excerpt

_Anchor = CitationAnchor.TextMessageCitationAnchor


@dataclass(frozen=True, slots=True, repr=False)
class CitedText(View):
    """Some words of one part of a text message, and the sources that they come from.

    Attributes:
        part: The text of the part that holds the words.
        sources: The sources, in the order of the anchor's ``sourceIds``.
        part_index: The index of the part among the ``parts``, counted from 0.
        byte_range: Start (inclusive) and end (exclusive) in that part, in UTF-8 bytes.
        character_range: The same in characters: ``part[start:end]`` is `text`.
        message: The system message that holds the text and the citation.

    >>> from turnwire import from_dict
    >>> from turnwire import geminidataanalytics as gda
    >>> anchor = {"textMessageAnchor": {"endOffsetBytes": 4, "sourceIds": ["s1"]}}
    >>> message = from_dict(gda.SystemMessage, {
    ...     "text": {"parts": ["Soup of the day"]},
    ...     "citation": {"sources": [{"id": "s1", "title": "Menu"}], "anchors": [anchor]},
    ... })
    >>> [cited] = gda.citations_of(message)
    >>> cited.text, cited.character_range, cited.sources[0].title
    ('Soup', (0, 4), 'Menu')
    """

    part: str = field(compare=False)
    sources: tuple[CitationSource, ...]
    part_index: int
    byte_range: tuple[int, int]
    character_range: tuple[int, int]
    message: SystemMessage

    @property
    def text(self) -> str:
        """The cited words. Each access makes new ones, since citations may overlap at will."""
        start, end = self.character_range
        return self.part[start:end]

    def _shown(self) -> list[str]:
        titles = short_list_repr([source.title for source in self.sources])
        return [short_repr(self.text), f"sources={titles}"]


def citations_of(
    message: Message | SystemMessage, *, strict: bool = False
) -> tuple[CitedText, ...]:
    """The cited words of a text message with their sources: one entry per anchor, in order.

    Anchors count UTF-8 bytes within one part, the end exclusive; an absent index or offset is 0.
    An anchor that does not fit its text is fitted: it ends where the part ends, it is widened to
    whole characters, a part that is not there is an empty one, and a source id that the citation
    lacks is left out.

    Args:
        message: The message; only a text has cited words.
        strict: Refuse an anchor that does not fit its text or its sources.

    Raises:
        TypeError: The argument is not a message.
        ParseError: With ``strict``: ``path`` is the anchor, from the system message on.

    >>> from turnwire import geminidataanalytics as gda
    >>> anchor = gda.CitationAnchor()
    >>> anchor.text_message_anchor.start_offset_bytes = 7
    >>> anchor.text_message_anchor.end_offset_bytes = 15
    >>> anchor.text_message_anchor.source_ids.append("s1")
    >>> message = gda.SystemMessage(
    ...     text=gda.TextMessage(parts=["Crème brûlée"]),
    ...     citation=gda.Citation(
    ...         sources=[gda.CitationSource(id="s1", title="Menu")],
    ...         anchors=[anchor],
    ...     ),
    ... )
    >>> citations_of(message)
    (CitedText('brûlée', sources=['Menu']),)
    """
    match message:
        case Message():
            system = message.system_message
        case SystemMessage():
            system = message
        case _:
            raise wrong_class(message, Message, SystemMessage)
    if system.WhichOneof("kind") != "text":
        return ()
    anchors = [
        (index, anchor.text_message_anchor)
        for index, anchor in enumerate(system.citation.anchors)
        if anchor.WhichOneof("anchor_type") == "text_message_anchor"
    ]
    sources = {source.id: source for source in reversed(system.citation.sources)}
    parts = list(system.text.parts)
    cited: list[CitedText] = []
    for (index, anchor), fitted in zip(anchors, _fitted(parts, anchors), strict=True):
        if strict:
            _check(anchor, parts, fitted.bytes, sources, index)
        cited.append(
            CitedText(
                part=_part_of(anchor, parts),
                sources=tuple(sources[key] for key in anchor.source_ids if key in sources),
                part_index=anchor.part_index,
                byte_range=fitted.bytes,
                character_range=fitted.characters,
                message=system,
            )
        )
    return tuple(cited)


def _part_of(anchor: _Anchor, parts: list[str]) -> str:
    return parts[anchor.part_index] if 0 <= anchor.part_index < len(parts) else ""


def _fitted(parts: list[str], anchors: list[tuple[int, _Anchor]]) -> list[FittedRange]:
    """The range of each anchor; each part is gone through once."""
    by_part: dict[int, list[int]] = {}
    for position, (_, anchor) in enumerate(anchors):
        by_part.setdefault(anchor.part_index, []).append(position)
    fitted: dict[int, FittedRange] = {}
    for positions in by_part.values():
        held = [anchors[position][1] for position in positions]
        offsets = [(each.start_offset_bytes, each.end_offset_bytes) for each in held]
        ranges = fitted_ranges(_part_of(held[0], parts), offsets)
        fitted.update(zip(positions, ranges, strict=True))
    return [fitted[position] for position in range(len(anchors))]


def _check(
    anchor: _Anchor,
    parts: list[str],
    fitted: tuple[int, int],
    sources: dict[str, CitationSource],
    index: int,
) -> None:
    if not 0 <= anchor.part_index < len(parts):
        raise _unfit(index, "partIndex", f"part {anchor.part_index} does not exist")
    offsets = (anchor.start_offset_bytes, anchor.end_offset_bytes)
    if offsets != fitted:
        reason = f"bytes {offsets[0]} to {offsets[1]} are not whole characters of the part"
        raise _unfit(index, "endOffsetBytes", reason)
    for source_id in anchor.source_ids:
        if source_id not in sources:
            raise _unfit(index, "sourceIds", f"source {excerpt(source_id)} does not exist")


def _unfit(index: int, name: str, reason: str) -> ParseError:
    path: Path = ("citation", "anchors", index, "textMessageAnchor", name)
    field_name = Citation.DESCRIPTOR.fields_by_name["anchors"].full_name
    return ParseError(reason, kind="range", path=path, field=field_name)
