"""Blobs and images: their file suffix, their size in pixels, and saving them."""

from __future__ import annotations

import mimetypes
import os
from pathlib import Path
from typing import Final, NamedTuple

from turnwire_schema.ces.v1.media_pb2 import Blob, Image

from turnwire._arguments import require
from turnwire._replacing import replacing

# The library's own table alone: the tables of the machine would make the answer depend on it.
_KNOWN_TYPES: Final = mimetypes.MimeTypes(filenames=())
_SUFFIXES: Final = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
    "audio/flac": ".flac",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "audio/wav": ".wav",
    "audio/wave": ".wav",
    "audio/webm": ".weba",
    "audio/x-wav": ".wav",
    "text/plain": ".txt",
}


class ImageSize(NamedTuple):
    """The size of an image in pixels."""

    width: int
    height: int


def suffix_of(mime_type: str) -> str:
    """The usual file suffix for a MIME type, with its dot; ``".bin"`` for one not known.

    Letter case and parameters do not matter, and the answer is the same on every machine.

    Raises:
        TypeError: It is no str.

    >>> from turnwire import ces
    >>> ces.suffix_of("image/jpeg"), ces.suffix_of("Text/Plain; charset=utf-8"), ces.suffix_of("")
    ('.jpg', '.txt', '.bin')
    """
    require(mime_type, str)
    bare = mime_type.partition(";")[0].strip().lower()
    return _SUFFIXES.get(bare) or _KNOWN_TYPES.guess_extension(bare) or ".bin"


def save(media: Blob | Image, path: str | os.PathLike[str]) -> Path:
    """Writes the raw bytes of a blob or an image to a file, replacing one that is there.

    The file appears when it is complete; if it cannot be, what stood there before still does.

    Args:
        media: What to save.
        path: Where to; without a suffix it gets the one of the MIME type.

    Returns:
        The path that was written.

    Raises:
        TypeError: It is no blob and no image.
        OSError: The file cannot be written.

    >>> import tempfile
    >>> from turnwire import ces
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     image = ces.Image(mime_type="image/png", data=b"...")
    ...     ces.save(image, f"{folder}/plan").name
    'plan.png'
    """
    require(media, Blob, Image)
    target = Path(path)
    if not target.suffix:
        target = target.with_name(target.name + suffix_of(media.mime_type))
    with replacing(target) as file:
        file.write(media.data)
    return target


def image_size_of(image: Image | Blob | bytes) -> ImageSize | None:
    """The size of a PNG, JPEG or WebP image, read from its header.

    The format is told from the bytes, not from the MIME type. The size is that of the stored
    pixels: an orientation in EXIF data is not applied.

    Returns:
        Width and height; None for another format, and for data that ends before its size.

    Raises:
        TypeError: It is neither bytes nor one of these messages.

    >>> from turnwire import ces
    >>> header = bytes.fromhex("89504e470d0a1a0a 0000000d 49484452 00000010 00000008")
    >>> ces.image_size_of(ces.Image(mime_type="image/png", data=header))
    ImageSize(width=16, height=8)
    """
    require(image, bytes, Image, Blob)
    data = image if isinstance(image, bytes) else image.data
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        size = _png_size(data)
    elif data.startswith(b"\xff\xd8"):
        size = _jpeg_size(data)
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        size = _webp_size(data)
    else:
        size = None
    return size if size is not None and min(size) > 0 else None


def _png_size(data: bytes) -> ImageSize | None:
    if data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return ImageSize(int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))


def _jpeg_size(data: bytes) -> ImageSize | None:
    """Goes from segment to segment up to the frame header (SOF), which holds the size."""
    position = 2
    while position + 9 <= len(data) and data[position] == 0xFF:
        marker = data[position + 1]
        if marker == 0xFF:  # a fill byte
            position += 1
        elif marker == 0x01 or 0xD0 <= marker <= 0xD7:  # these stand alone
            position += 2
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height = int.from_bytes(data[position + 5 : position + 7], "big")
            return ImageSize(int.from_bytes(data[position + 7 : position + 9], "big"), height)
        elif marker in (0xD9, 0xDA):  # the end, or the pixels without a frame header
            return None
        else:
            position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    return None


def _webp_size(data: bytes) -> ImageSize | None:
    kind, body = data[12:16], data[20:30]
    if kind == b"VP8X" and len(body) == 10:
        return ImageSize(
            1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
        )
    if kind == b"VP8L" and len(body) >= 5 and body[0] == 0x2F:
        bits = int.from_bytes(body[1:5], "little")
        return ImageSize(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if kind == b"VP8 " and len(body) == 10 and body[3:6] == b"\x9d\x01\x2a":
        return ImageSize(
            int.from_bytes(body[6:8], "little") & 0x3FFF,
            int.from_bytes(body[8:10], "little") & 0x3FFF,
        )
    return None
