"""Audio as WAV files, read by Python's own reader and by hand."""

from __future__ import annotations

import io
import struct
import wave

import pytest

from turnwire import ces


def config(encoding: str, rate: int = 8000) -> ces.OutputAudioConfig:
    return ces.OutputAudioConfig(
        audio_encoding=ces.AudioEncoding.Value(encoding), sample_rate_hertz=rate
    )


def chunks(wav: bytes) -> dict[bytes, bytes]:
    """The chunks of a WAV file by name; sizes must fit."""
    assert wav[:4] == b"RIFF"
    assert wav[8:12] == b"WAVE"
    assert struct.unpack("<I", wav[4:8]) == (len(wav) - 8,)
    found: dict[bytes, bytes] = {}
    place = 12
    while place < len(wav):
        name, size = struct.unpack("<4sI", wav[place : place + 8])
        found[name] = wav[place + 8 : place + 8 + size]
        assert len(found[name]) == size
        place += 8 + size + size % 2
    assert place == len(wav)
    return found


@pytest.mark.parametrize("rate", [8000, 16000, 24000, 48000])
def test_linear16_is_read_by_python(rate: int) -> None:
    samples = struct.pack("<5h", 0, 1, -1, 32767, -32768)
    with wave.open(io.BytesIO(ces.to_wav(samples, config("LINEAR16", rate)))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, rate)
        assert file.readframes(9) == samples


@pytest.mark.parametrize(("encoding", "tag"), [("MULAW", 7), ("ALAW", 6)])
@pytest.mark.parametrize("size", [0, 1, 160])
def test_companded_audio_has_its_format_and_count(encoding: str, tag: int, size: int) -> None:
    found = chunks(ces.to_wav(bytes(range(size)), config(encoding)))
    assert struct.unpack("<HHIIHHH", found[b"fmt "]) == (tag, 1, 8000, 8000, 1, 8, 0)
    assert struct.unpack("<I", found[b"fact"]) == (size,)
    assert found[b"data"] == bytes(range(size))


def test_half_a_sample_at_the_end_is_kept() -> None:
    assert chunks(ces.to_wav(b"abc", config("LINEAR16")))[b"data"] == b"abc"


@pytest.mark.parametrize("encoding", ["LINEAR16", "MULAW", "AUDIO_ENCODING_UNSPECIFIED"])
def test_a_wav_file_stays_as_it_is(encoding: str) -> None:
    wav = ces.to_wav(b"abcd", config("LINEAR16"))
    assert ces.to_wav(wav, config(encoding, 0)) == wav


def test_other_encodings_and_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="got AUDIO_ENCODING_UNSPECIFIED"):
        ces.to_wav(b"ab", ces.OutputAudioConfig(sample_rate_hertz=8000))
    unknown = ces.OutputAudioConfig.FromString(b"\x08\x63\x10\x01")
    with pytest.raises(ValueError, match="got 99"):
        ces.to_wav(b"ab", unknown)
    for rate in (0, -1, 2**31 - 1):
        with pytest.raises(ValueError, match=f"sample rate in hertz, got {rate}"):
            ces.to_wav(b"ab", config("LINEAR16", rate))
    with pytest.raises(TypeError, match="expected bytes"):
        ces.to_wav("ab", config("ALAW"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="OutputAudioConfig"):
        ces.to_wav(b"ab", ces.InputAudioConfig())  # type: ignore[arg-type]
