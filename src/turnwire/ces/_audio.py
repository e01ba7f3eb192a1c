"""The audio of turns as WAV files, which players and browsers read."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from turnwire_schema.ces.v1.session_config_pb2 import AudioEncoding, OutputAudioConfig

from turnwire._arguments import require, wrong_class


class _Format(NamedTuple):
    tag: int
    """The number of the format in a WAV file."""
    sample_bytes: int


_FORMATS: Final = {
    AudioEncoding.LINEAR16: _Format(1, 2),
    AudioEncoding.MULAW: _Format(7, 1),
    AudioEncoding.ALAW: _Format(6, 1),
}
_PCM: Final = 1
_MAX_BYTES: Final = 2**32 - 64  # sizes in the header have 32 bits
_MAX_RATE: Final = 2**31 - 1  # bytes per second have 32 bits as well


def to_wav(audio: bytes, config: OutputAudioConfig) -> bytes:
    """Returns audio as a WAV file: raw samples get a header, a WAV file stays as it is.

    The service puts out one channel.

    Args:
        audio: The audio of a turn or of a session.
        config: The encoding and sample rate, in hertz, that the session's configuration asked for:
            its ``outputAudioConfig``.

    Raises:
        TypeError: The audio is not bytes, or the configuration is not that message.
        ValueError: The encoding is not LINEAR16, MULAW or ALAW, the sample rate is not positive, or
            the audio has 4 GiB or more.

    >>> from turnwire import ces
    >>> config = ces.OutputAudioConfig(
    ...     audio_encoding=ces.AudioEncoding.LINEAR16, sample_rate_hertz=16000
    ... )
    >>> wav = ces.to_wav(bytes(320), config)
    >>> wav[:4], len(wav), ces.to_wav(wav, config) == wav
    (b'RIFF', 364, True)
    """
    if not isinstance(audio, bytes):
        raise wrong_class(audio, "bytes")
    require(config, OutputAudioConfig)
    if audio[:4] in (b"RIFF", b"RF64") and audio[8:12] == b"WAVE":
        return audio
    coding = _FORMATS.get(config.audio_encoding)
    if coding is None:
        names = AudioEncoding.DESCRIPTOR.values_by_number
        found = names.get(config.audio_encoding)
        shown = config.audio_encoding if found is None else found.name
        raise ValueError(f"expected audio of LINEAR16, MULAW or ALAW, got {shown}")
    rate = config.sample_rate_hertz
    if not 0 < rate < _MAX_RATE // coding.sample_bytes:
        raise ValueError(f"expected a positive sample rate in hertz, got {rate}")
    if len(audio) > _MAX_BYTES:
        raise ValueError(f"a WAV file holds less than 4 GiB, got {len(audio)} bytes")
    return _header(coding, rate, len(audio)) + audio + bytes(len(audio) % 2)


def _header(coding: _Format, rate: int, size: int) -> bytes:
    """The chunks before the samples; those that are not PCM say how many there are."""
    width = coding.sample_bytes
    form = struct.pack("<HHIIHH", coding.tag, 1, rate, rate * width, width, 8 * width)
    chunks = _chunk(b"fmt ", form if coding.tag == _PCM else form + bytes(2))
    if coding.tag != _PCM:
        chunks += _chunk(b"fact", struct.pack("<I", size // width))
    chunks += struct.pack("<4sI", b"data", size)
    whole = 4 + len(chunks) + size + size % 2
    return struct.pack("<4sI4s", b"RIFF", whole, b"WAVE") + chunks


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", name, len(content)) + content
