"""The promises of `write`: it can be read again, and a path has all of it or nothing."""

import gzip
import io
import os
import stat
import tempfile

import pytest
from google.protobuf.struct_pb2 import Value
from support.cases import for_each
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.errors import SerializeError
from turnwire.streams import read, write

try:
    from compression import zstd
except ImportError:
    import zstandard as zstd

MESSAGES = [
    Message(role="user", chunks=[{"text": "\n\u2028 ]}{é"}]),
    Message(),
    Message(role="x" * 200),
]
FORMATS = ["array", "ndjson", "sse", "delimited"]


@for_each("format", FORMATS)
@for_each("count", [0, 1, 3])
@for_each("name", ["m.data", "m.gz", "m.zst"])
def test_written_messages_can_be_read(tmp_path, format, count, name):
    path = tmp_path / name
    assert write(iter(MESSAGES[:count]), path, format) == count
    assert list(read(Message, path)) == MESSAGES[:count]
    assert list(read(Message, path, format=format)) == MESSAGES[:count]
    sink = io.BytesIO()
    assert write(MESSAGES[:count], sink, format) == count
    assert not sink.closed
    unpack = {"m.gz": gzip.decompress, "m.zst": unzstd}.get(name, bytes)
    assert unpack(path.read_bytes()) == sink.getvalue()


def unzstd(data):
    return zstd.open(io.BytesIO(data)).read()


def test_the_bytes_of_each_format():
    written = {}
    for format in FORMATS:
        sink = io.BytesIO()
        write([Message(role="a"), Message(role="b")], sink, format)
        written[format] = sink.getvalue()
    assert written == {
        "array": b'[{"role":"a"},\n{"role":"b"}]\n',
        "ndjson": b'{"role":"a"}\n{"role":"b"}\n',
        "sse": b'data: {"role":"a"}\n\ndata: {"role":"b"}\n\n',
        "delimited": b"\x03\n\x01a\x03\n\x01b",
    }


@pytest.mark.parametrize("mode", ["w", "a", "r+"])
def test_a_text_file_is_refused_with_the_way_to_do_it(tmp_path, mode):
    path = tmp_path / "m.ndjson"
    path.touch()
    with path.open(mode) as sink, pytest.raises(TypeError, match=r'open\(path, "wb"\)'):
        write(MESSAGES, sink)
    with (
        tempfile.NamedTemporaryFile("w") as sink,
        pytest.raises(TypeError, match="binary file"),
    ):
        write(MESSAGES, sink)
    assert path.read_bytes() == b""


@pytest.mark.parametrize("sink", [None, 5, io.StringIO()])
def test_a_sink_that_takes_no_bytes_is_refused(sink):
    with pytest.raises(TypeError, match="expected a path or a binary file"):
        write(MESSAGES, sink)


@pytest.mark.parametrize("wrong", [Message(), None, 5])
def test_one_message_is_not_a_stream(tmp_path, wrong):
    with pytest.raises(TypeError, match=rf"an iterable of messages, got {type(wrong).__name__}"):
        write(wrong, tmp_path / "m.ndjson")
    assert list(tmp_path.iterdir()) == []


def test_same_messages_same_compressed_bytes(tmp_path):
    for name in ("a.gz", "b.gz"):
        write(MESSAGES, str(tmp_path / name))
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_failure_leaves_the_old_file(tmp_path):
    path = tmp_path / "m.ndjson"
    path.write_text("old")

    def messages():
        yield Message()
        raise KeyError

    with pytest.raises(KeyError):
        write(messages(), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_message_without_a_json_form_names_its_index(tmp_path):
    with pytest.raises(SerializeError) as caught:
        write([Value(bool_value=True), Value(number_value=float("nan"))], tmp_path / "m.json")
    assert caught.value.index == 1
    assert list(tmp_path.iterdir()) == []


def test_a_path_keeps_its_mode_and_a_link_its_target(tmp_path):
    path, link = tmp_path / "m.ndjson", tmp_path / "link"
    path.touch(0o640)
    path.chmod(0o640)
    link.symlink_to(path)
    write(MESSAGES, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(read(Message, path)) == MESSAGES


def test_a_device_is_written_to():
    assert write(MESSAGES, os.devnull) == 3
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="format must be one of array, ndjson, sse, delimited"):
        write([], io.BytesIO(), "concatenated")
