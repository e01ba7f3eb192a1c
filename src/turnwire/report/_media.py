"""Images, sounds and files of messages as blocks, and the types that are safe to show."""

from __future__ import annotations

from typing import Final, Literal

from turnwire import ces
from turnwire._media import Media as MediaMessage
from turnwire.errors import Path
from turnwire.report._model import Media
from turnwire.report._redacting import Redaction

DRAWING_TYPE: Final = "image/svg+xml"
"""The type of drawings, which are shown as images alone: there they run no script."""

SHOWN_TYPES: Final = {
    **{name: name for name in ("image/png", "image/jpeg", "image/webp", "image/gif")},
    DRAWING_TYPE: DRAWING_TYPE,
    **dict.fromkeys(("audio/wav", "audio/wave", "audio/x-wav"), "audio/wav"),
    **{name: name for name in ("audio/mpeg", "audio/ogg", "audio/webm", "audio/flac")},
}
"""The types that become elements of a page, each with the name that browsers know."""

_SOUNDS: Final = {b"RIFF": "audio/wav", b"OggS": "audio/ogg", b"ID3": "audio/mpeg"}
_NO_ENCODING: Final = "the recording does not name its encoding (outputAudioConfig)"


def media_of(message: MediaMessage, redaction: Redaction, path: Path) -> Media:
    """Returns the block of a message with bytes and their type."""
    described: str = getattr(message, "alt_text", "")
    kind, problem = _kind_of(message.mime_type), ""
    if shown_type(message.mime_type) is None:
        problem = "its type is not one that is shown"
    description = redaction.text((*path, "altText"), described)
    return Media(kind, message.mime_type, message.data, description, problem)


def audio_of(turn: ces.Turn, config: ces.OutputAudioConfig | None) -> Media:
    """Returns the block of a turn's audio; raw audio gets the header of its encoding."""
    data, problem = turn.audio, _NO_ENCODING
    found = next((name for start, name in _SOUNDS.items() if data.startswith(start)), "")
    if not found and config is not None:
        try:
            data, found = ces.to_wav(data, config), "audio/wav"
        except ValueError as error:
            problem = str(error)
    return Media("audio", found, data, problem="" if found else problem)


def shown_type(mime_type: str) -> str | None:
    """Returns the type that a page gives to a browser; None for a type that it does not show.

    >>> shown_type("Image/PNG; charset=binary"), shown_type("text/html")
    ('image/png', None)
    """
    return SHOWN_TYPES.get(mime_type.partition(";")[0].strip().lower())


def _kind_of(mime_type: str) -> Literal["image", "audio", "file"]:
    family = mime_type.partition("/")[0].strip().lower()
    return "image" if family == "image" else "audio" if family == "audio" else "file"
