"""Hostile input: time and memory stay in proportion, and only errors of the family come out."""

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from support.streams import peak_of
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.errors import ParseError
from turnwire.streams import Framer, read, write
from turnwire.streams._compression import Decompressor

try:
    from compression import zstd
except ImportError:
    import zstandard as zstd

LINES = b'{"role": "a"}\n' * 200_000


class Counting:
    """Stands for zlib's decompressor, and counts the bytes that it is given."""

    def __init__(self, inner, counts):
        self.inner, self.counts = inner, counts

    def decompress(self, data, *limit):
        self.counts.append(len(data))
        return self.inner.decompress(data, *limit)

    def copy(self):
        return Counting(self.inner.copy(), self.counts)

    def __getattr__(self, name):
        return getattr(self.inner, name)


def test_gzip_in_one_chunk_is_given_to_zlib_in_pieces(gzip_library, monkeypatch):
    counts = []
    make = gzip_library.decompressobj
    monkeypatch.setattr(gzip_library, "decompressobj", lambda bits: Counting(make(bits), counts))
    packed = gzip.compress(os.urandom(3_000_000) + LINES * 4)
    plain = b"".join(Decompressor().feed(packed))
    assert len(plain) == 3_000_000 + len(LINES) * 4
    # The tail that zlib has not used is given again, so it must be short.
    assert max(counts) <= 2**16
    assert sum(counts) < 20 * len(packed)


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
@pytest.mark.usefixtures("gzip_library")
def test_one_chunk_is_unpacked_as_many_are(pack):
    parts = [os.urandom(100_000), b"", LINES[:1000], b"x" * 400_000, *[b"y"] * 500]
    packed = b"".join(pack(part) for part in parts)
    for size in (len(packed), 1 << 16, 100):
        unpacker = Decompressor()
        pieces = [
            piece
            for start in range(0, len(packed), size)
            for piece in unpacker.feed(packed[start : start + size])
        ]
        assert b"".join([*pieces, *unpacker.close()]) == b"".join(parts)
        assert max(map(len, pieces)) < 2**20


def test_lines_of_one_event_take_memory_in_proportion():
    body = b"data:abc\n" * 150_000

    def frame():
        framer = Framer("sse", max_element_bytes=2**20)
        for start in range(0, len(body), 2**16):
            framer.feed(body[start : start + 2**16])
        framer.close()

    assert peak_of(frame) < 4_000_000


def test_an_event_of_many_short_lines_is_refused_at_its_limit():
    packed = gzip.compress(b"data:\n" * 200_000)

    def refused():
        with pytest.raises(ParseError, match="larger than max_element_bytes"):
            list(read(Message, packed, format="sse", max_element_bytes=10**5))

    assert peak_of(refused) < 3_000_000


def required_class():
    file = FileDescriptorProto(name="r.proto", package="r", syntax="proto2")
    message = file.message_type.add(name="R")
    message.field.add(name="n", number=1, type=5, label=2)
    message.field.add(name="kids", number=2, type=11, label=3, type_name=".r.R")
    pool = DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("r.R"))


@pytest.mark.parametrize("format", ["delimited", "ndjson", "array", "sse"])
def test_messages_without_their_required_fields_are_written(format):
    cls = required_class()
    messages = [cls(), cls(kids=[cls(), cls(n=1)])]
    sink = io.BytesIO()
    assert write(messages, sink, format) == 2
    assert list(read(cls, sink.getvalue(), format=format)) == messages


@pytest.mark.parametrize("format", ["delimited", "ndjson", "array", "sse"])
@pytest.mark.parametrize("wrong", [{"role": 1}, None, "text", 5])
def test_a_wrong_item_is_a_type_error_in_every_format(format, wrong):
    with pytest.raises(TypeError, match="expected a protobuf message"):
        write([wrong], io.BytesIO(), format)


DAMAGED = """
import random
from google.protobuf.internal import api_implementation
from turnwire.errors import ParseError
from turnwire.streams import read
from turnwire.schema import message_class
from turnwire_schema.ces.v1.message_pb2 import Message

assert api_implementation.Type() == "python"
chooser = random.Random(7)
good = Message(role="é" * 9, chunks=[{"text": "a"}, {"payload": {"k": [1, None, {"x": "y"}]}}])
seen = set()
for cls in (Message, message_class("gda.Message")):
    for _ in range(3000):
        body = bytearray(good.SerializeToString())
        for _ in range(chooser.randint(1, 3)):
            body[chooser.randrange(len(body))] = chooser.randrange(256)
        stream = bytes([len(body)]) + bytes(body)
        try:
            list(read(cls, stream, format="delimited"))
        except ParseError as error:
            assert error.kind == "wire", error
            seen.add(type(error.__cause__).__name__)
        list(read(cls, stream, format="delimited", on_error="skip"))
print(sorted(seen))
"""


def test_damaged_messages_under_the_pure_python_of_protobuf():
    environment = os.environ | {"PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    done = subprocess.run(
        [sys.executable, "-c", DAMAGED],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "UnicodeDecodeError" in done.stdout
