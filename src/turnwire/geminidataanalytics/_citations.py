"""Citations: which words of a text come from which sources."""

from __future__ import annotations

from dataclasses import dataclass

from turnwire_schema.geminidataanalytics.v1.citation_pb2 import (
    Citation,
    CitationAnchor,
    CitationSource,
)
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, SystemMessage

from turnwire._arguments import wrong_class
from turnwire._views import View, short_list_repr, short_repr
from turnwire.errors import ParseError, Path, excerpt

_Anchor = CitationAnchor.TextMessageCitationAnchor


@dataclass(frozen=True, slots=True, repr=False)
class CitedText(View):
    """Some words of one part of a text message, and the sources that they come from.

    Attributes:
        text: The cited words.
        sources: The sources, in the order of the anchor's ``sourceIds``.
        part_index: Which of ``parts`` the words stand in, counted from 0.
        byte_range: Start (inclusive) and end (exclusive) in that part, in UTF-8 bytes.
        character_range: The same in characters: ``part[start:end]`` of a Python str.
        message: The system message that holds the text and the citation.
    """

    text: str
    sources: tuple[CitationSource, ...]
    part_index: int
    byte_range: tuple[int, int]
    character_range: tuple[int, int]
    message: SystemMessage

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
        message: The message; one that is no text has no cited words.
        strict: Refuse an anchor that does not fit its text or its sources.

    Raises:
        TypeError: It is no message.
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
    sources = {source.id: source for source in reversed(system.citation.sources)}
    parts = [part.encode() for part in system.text.parts]
    cited: list[CitedText] = []
    for index, anchor in enumerate(system.citation.anchors):
        if anchor.WhichOneof("anchor_type") != "text_message_anchor":
            continue
        if strict:
            _check(anchor.text_message_anchor, parts, sources, index)
        cited.append(_cited(anchor.text_message_anchor, parts, sources, system))
    return tuple(cited)


def _cited(
    anchor: _Anchor,
    parts: list[bytes],
    sources: dict[str, CitationSource],
    message: SystemMessage,
) -> CitedText:
    part = parts[anchor.part_index] if 0 <= anchor.part_index < len(parts) else b""
    start, end = _whole_characters(part, anchor.start_offset_bytes, anchor.end_offset_bytes)
    before, text = part[:start].decode(), part[start:end].decode()
    return CitedText(
        text=text,
        sources=tuple(sources[key] for key in anchor.source_ids if key in sources),
        part_index=anchor.part_index,
        byte_range=(start, end),
        character_range=(len(before), len(before) + len(text)),
        message=message,
    )


def _check(
    anchor: _Anchor, parts: list[bytes], sources: dict[str, CitationSource], index: int
) -> None:
    if not 0 <= anchor.part_index < len(parts):
        raise _unfit(index, "partIndex", f"there is no part {anchor.part_index}")
    part = parts[anchor.part_index]
    offsets = (anchor.start_offset_bytes, anchor.end_offset_bytes)
    if offsets != _whole_characters(part, *offsets):
        reason = f"bytes {offsets[0]} to {offsets[1]} are no whole characters of {len(part)} bytes"
        raise _unfit(index, "endOffsetBytes", reason)
    for source_id in anchor.source_ids:
        if source_id not in sources:
            raise _unfit(index, "sourceIds", f"there is no source {excerpt(source_id)}")


def _whole_characters(part: bytes, start: int, end: int) -> tuple[int, int]:
    """The range within the part, widened to whole characters; an empty one stays empty."""
    start = min(max(start, 0), len(part))
    end = min(max(end, start), len(part))
    empty = start == end
    while 0 < start < len(part) and _continues(part[start]):
        start -= 1
    if empty:
        return start, start
    while end < len(part) and _continues(part[end]):
        end += 1
    return start, end


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _unfit(index: int, name: str, reason: str) -> ParseError:
    path: Path = ("citation", "anchors", index, "textMessageAnchor", name)
    field_name = Citation.DESCRIPTOR.fields_by_name["anchors"].full_name
    return ParseError(reason, kind="range", path=path, field=field_name)
