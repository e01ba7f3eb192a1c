"""File suffixes, sizes of images, and saving, for the blobs of both APIs."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.analytics import gda

from turnwire import ces
from turnwire.errors import MissingExtra


def png(width: int, height: int) -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n\0\0\0\x0d" + header + struct.pack(">I", zlib.crc32(header))


def jpeg(width: int, height: int, frame: int = 0xC0) -> bytes:
    before = b"\xff\xe0\0\x04ab" + b"\xff\x01" + b"\xff\xff\xff\xc4\0\x05abc"
    sof = struct.pack(">BBHBHH", 0xFF, frame, 11, 8, height, width) + b"\x01\x01\x11\0"
    return b"\xff\xd8" + before + sof


def webp(kind: bytes, body: bytes) -> bytes:
    chunk = kind + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def vp8(width: int, height: int) -> bytes:
    return webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height))


def vp8l(width: int, height: int) -> bytes:
    return webp(b"VP8L", b"\x2f" + struct.pack("<I", width - 1 | height - 1 << 14 | 1 << 28))


def vp8x(width: int, height: int) -> bytes:
    sizes = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return webp(b"VP8X", b"\x10\0\0\0" + sizes)


HEADERS = [png, jpeg, vp8, vp8l, vp8x]


@pytest.mark.parametrize("made", HEADERS)
@given(width=st.integers(1, 0x3FFF), height=st.integers(1, 0x3FFF))
def test_the_size_is_in_the_header(made: object, width: int, height: int) -> None:
    assert callable(made)
    data = made(width, height)
    assert ces.image_size_of(data) == (width, height)
    image = ces.Image(mime_type="image/png", data=data)  # the bytes decide, not this type
    assert ces.image_size_of(image) == ces.ImageSize(width, height)


@pytest.mark.parametrize("made", HEADERS)
def test_data_that_ends_early_has_no_size(made: object) -> None:
    assert callable(made)
    data: bytes = made(300, 200)
    sizes = {ces.image_size_of(data[:length]) for length in range(len(data))}
    assert sizes <= {None, (300, 200)}
    assert ces.image_size_of(data[:16]) is None


def test_jpegs_of_other_kinds() -> None:
    assert ces.image_size_of(jpeg(30, 20, 0xC2)) == (30, 20)
    assert ces.image_size_of(b"\xff\xd8\xff\xda" + jpeg(30, 20)[2:]) is None
    assert ces.image_size_of(b"\xff\xd8\xff\xe0\0\0" + b"\0" * 40) is None


@given(st.binary(max_size=64), st.sampled_from([b"", *(made(3, 2)[:12] for made in HEADERS)]))
def test_garbage_raises_nothing(garbage: bytes, beginning: bytes) -> None:
    size = ces.image_size_of(beginning + garbage)
    assert size is None or min(size) > 0


def test_an_image_of_no_pixels_has_no_size() -> None:
    assert ces.image_size_of(png(0, 5)) is None


@pytest.mark.parametrize(
    ("mime_type", "suffix"),
    [
        ("image/png", ".png"),
        ("IMAGE/JPEG", ".jpg"),
        ("image/webp", ".webp"),
        ("audio/wav", ".wav"),
        ("audio/mpeg;rate=16000", ".mp3"),
        (" application/pdf ; a=b", ".pdf"),
        ("application/x-nobody-knows", ".bin"),
        ("", ".bin"),
    ],
)
def test_suffix(mime_type: str, suffix: str) -> None:
    assert ces.suffix_of(mime_type) == suffix


@pytest.mark.parametrize("package", [ces, gda])
@pytest.mark.parametrize("blob_class", [ces.Blob, ces.Image, gda.Blob])
def test_both_packages_take_the_blobs_of_both(
    package: ModuleType, blob_class: type[Any], tmp_path: Path
) -> None:
    blob = blob_class(mime_type="image/png", data=png(30, 20))
    assert package.image_size_of(blob) == package.ImageSize(30, 20)
    assert package.save(blob, tmp_path / "a").name == f"a{package.suffix_of(blob.mime_type)}"


def test_a_drawing_has_no_size() -> None:
    drawing = b'\n<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>'
    assert gda.image_size_of(gda.Blob(mime_type="image/svg+xml", data=drawing)) is None


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imagesize", None)
    with pytest.raises(MissingExtra, match=r"turnwire\[images\]"):
        ces.image_size_of(b"")


def test_save(tmp_path: Path) -> None:
    image = ces.Image(mime_type="image/webp", data=b"\0\xff")
    assert ces.save(image, tmp_path / "plan") == tmp_path / "plan.webp"
    assert (tmp_path / "plan.webp").read_bytes() == b"\0\xff"
    blob = ces.Blob(mime_type="text/plain", data=b"a\r\n")
    assert ces.save(blob, str(tmp_path / "note.md")) == tmp_path / "note.md"
    assert ces.save(ces.Blob(data=b"b"), tmp_path / "note.md").read_bytes() == b"b"
    with pytest.raises(OSError, match="missing"):
        ces.save(blob, tmp_path / "missing" / "note")


def test_saving_keeps_the_old_file_until_the_new_one_is_complete(tmp_path: Path) -> None:
    ces.save(ces.Blob(data=b"old"), tmp_path / "a.bin")
    with (tmp_path / "a.bin").open("rb") as before:
        ces.save(ces.Blob(data=b"new"), tmp_path / "a.bin")
        assert before.read() == b"old"  # the new file took its place, and did not overwrite it
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
