"""Blobs and images of either API: their file suffix, their size in pixels, and saving them."""

from __future__ import annotations

import io
import mimetypes
import os
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from turnwire._arguments import wrong_class
from turnwire._replacing import replacing
from turnwire.errors import MissingExtra

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


class Media(Protocol):
    """A message that holds raw bytes and their MIME type, such as a ``Blob`` or an ``Image``."""

    mime_type: str
    data: bytes


class ImageSize(NamedTuple):
    """The size of an image in pixels.

    Attributes:
        width: The number of columns.
        height: The number of rows.

    >>> size = ImageSize(16, 8)
    >>> size.width / size.height
    2.0
    """

    width: int
    height: int


def suffix_of(mime_type: str) -> str:
    """Returns the usual file suffix for a MIME type, with its dot; ``".bin"`` for an unknown one.

    Letter case and parameters do not matter, and the result is the same on every machine.

    Raises:
        TypeError: The argument is not a str.

    >>> from turnwire import ces
    >>> ces.suffix_of("image/jpeg"), ces.suffix_of("Text/Plain; charset=utf-8"), ces.suffix_of("")
    ('.jpg', '.txt', '.bin')
    """
    if not isinstance(mime_type, str):
        raise wrong_class(mime_type, str)
    bare = mime_type.partition(";")[0].strip().lower()
    return _SUFFIXES.get(bare) or _KNOWN_TYPES.guess_extension(bare) or ".bin"


def save(media: Media, path: str | os.PathLike[str]) -> Path:
    """Writes the raw bytes of a blob or an image to a file and replaces an existing one.

    The file appears when it is complete; if that fails, an existing file stays as it was.

    Args:
        media: A ``Blob`` or ``Image`` of any API: a message with ``data`` and ``mime_type``.
        path: The path to write; without a suffix it gets the one of the MIME type.

    Returns:
        The path that was written.

    Raises:
        TypeError: The argument is not such a message.
        OSError: The file cannot be written.

    >>> import tempfile
    >>> from turnwire import ces
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     image = ces.Image(mime_type="image/png", data=b"...")
    ...     ces.save(image, f"{folder}/plan").name
    'plan.png'
    """
    data = _data_of(media)
    target = Path(path)
    if not target.suffix:
        target = target.with_name(target.name + suffix_of(media.mime_type))
    with replacing(target) as file:
        file.write(data)
    return target


def image_size_of(image: Media | bytes) -> ImageSize | None:
    """Reads the size of an image from its header: PNG, JPEG, WebP, GIF and other pixel formats.

    The bytes decide the format, not the MIME type. The size is that of the stored pixels: an
    orientation in EXIF data is not applied.

    Args:
        image: A ``Blob`` or ``Image`` of any API, or the bytes themselves.

    Returns:
        Width and height; None for other data, which includes drawings such as SVG and data that
        ends before its size.

    Raises:
        TypeError: The argument is neither bytes nor such a message.
        MissingExtra: The library ``imagesize`` is missing.

    >>> from turnwire import ces
    >>> header = bytes.fromhex("89504e470d0a1a0a 0000000d 49484452 00000010 00000008")
    >>> ces.image_size_of(ces.Image(mime_type="image/png", data=header + bytes(9)))
    ImageSize(width=16, height=8)
    """
    data = image if isinstance(image, bytes) else _data_of(image)
    try:
        import imagesize  # type: ignore[import-untyped]
    except ImportError:
        raise MissingExtra("images", "imagesize") from None
    if data[:64].lstrip().startswith(b"<"):  # XML is not parsed: a drawing has no pixels
        return None
    width, height = imagesize.get(io.BytesIO(data), exif_rotation=False)
    return ImageSize(width, height) if min(width, height) > 0 else None


def _data_of(media: object) -> bytes:
    """The bytes of a message with the two fields, whatever its class is."""
    if isinstance(media, Message):
        fields = media.DESCRIPTOR.fields_by_name
        data, mime_type = fields.get("data"), fields.get("mime_type")
        if (
            data is not None
            and mime_type is not None
            and data.type == FieldDescriptor.TYPE_BYTES
            and mime_type.type == FieldDescriptor.TYPE_STRING
        ):
            return media.data  # type: ignore[attr-defined, no-any-return]
    raise wrong_class(media, "a Blob, an Image or another message with data and mime_type")
