"""The promises of `read` and `aread`: sources, compression, errors, options."""

import asyncio
import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pytest
from google.cloud import ces_v1
from google.protobuf.message import Message as AnyMessage
from support.streams import peak_of
from turnwire_schema.ces.v1.message_pb2 import Message
from turnwire_schema.ces.v1.tool_pb2 import ToolCall

from turnwire.errors import MissingExtra, ParseError, StreamError, TruncatedStream
from turnwire.streams import aread, read

try:
    from compression import zstd
except ImportError:
    import zstandard as zstd

LINES = ['{"role": "user"}', '{"role": "é"}', '{"role": "Desk", "chunks": []}']
NDJSON = "".join(line + "\n" for line in LINES)
EXPECTED = [Message(role=role) for role in ("user", "é", "Desk")]
ARRAY = "[" + ",".join(LINES) + "]"
EVENTS = "".join(f"data: {line}\n\n" for line in LINES)

EVENT_LINES = EVENTS.split("\n")


def collect(messages):
    """The messages, and the error that came after them."""
    found = []
    try:
        for message in messages:
            found.append(message)
    except Exception as error:
        return found, error
    return found, None


def acollect(*args, **options):
    async def main():
        return [message async for message in aread(Message, *args, **options)]

    return asyncio.run(main())


@pytest.mark.parametrize(
    "source",
    [
        NDJSON.encode(),
        bytearray(NDJSON.encode()),
        memoryview(NDJSON.encode()),
        io.BytesIO(NDJSON.encode()),
        io.StringIO(NDJSON),
        io.BufferedReader(io.BytesIO(NDJSON.encode())),
        list(NDJSON),
        NDJSON.splitlines(keepends=True),
        NDJSON.encode().splitlines(keepends=True),
        NDJSON.splitlines(),
        (bytearray([byte]) for byte in NDJSON.encode()),
        [b"", NDJSON[:20].encode(), b"", NDJSON[20:].encode()],
        gzip.compress(NDJSON.encode()),
        [bytes([byte]) for byte in zstd.compress(NDJSON.encode())],
    ],
    ids=lambda source: type(source).__name__,
)
def test_sources(source):
    assert list(read(Message, source)) == EXPECTED


@pytest.mark.parametrize("suffix", ["ndjson", "json.gz", "NDJSON.ZST", "data"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_paths(tmp_path, suffix, pack):
    path = tmp_path / f"messages.{suffix}"
    path.write_bytes(pack(NDJSON.encode()))
    found, error = collect(read(Message, path))
    if (suffix, pack) in {
        ("json.gz", bytes),
        ("json.gz", zstd.compress),
        ("NDJSON.ZST", bytes),
        ("NDJSON.ZST", gzip.compress),
    }:
        assert found == []
        assert (type(error), error.kind) == (ParseError, "encoding")
    else:
        assert (found, error) == (EXPECTED, None)
    if error is None:
        assert acollect(path) == EXPECTED
        with path.open("rb") as file:
            assert list(read(Message, file)) == EXPECTED


def test_a_path_is_closed_when_reading_stops(tmp_path):
    path = tmp_path / "messages.ndjson"
    path.write_text(NDJSON, "utf-8")
    messages = read(Message, path)
    assert open_files(path) == 0
    next(messages)
    assert open_files(path) == 1
    messages.close()
    assert open_files(path) == 0


def open_files(path):
    return sum(
        os.path.realpath(link) == str(path)
        for link in Path("/proc/self/fd").iterdir()
        if link.is_symlink()
    )


def test_messages_come_through_a_pipe_as_they_are_written():
    reading, writing = os.pipe()
    got_first = threading.Event()

    def produce():
        with os.fdopen(writing, "wb", buffering=0) as pipe:
            pipe.write(b'[{"role": "user"}')
            assert got_first.wait(10)
            pipe.write(b"]")

    producer = threading.Thread(target=produce)
    producer.start()
    with os.fdopen(reading, "rb") as pipe:
        messages = read(Message, pipe)
        assert next(messages).role == "user"
        got_first.set()
        assert list(messages) == []
    producer.join()


@pytest.mark.parametrize("format", ["auto", "ndjson"])
def test_async_sources(format):
    async def chunks():
        for character in NDJSON:
            yield character.encode()

    async def lines():
        for line in LINES:
            yield line

    async def connection():
        reader = asyncio.StreamReader()
        reader.feed_data(NDJSON.encode())
        reader.feed_eof()
        return [message async for message in aread(Message, reader, format=format)]

    assert acollect(chunks(), format=format) == EXPECTED
    assert acollect(lines(), format=format) == EXPECTED
    assert acollect(NDJSON.encode(), format=format) == EXPECTED
    assert acollect(io.BytesIO(NDJSON.encode()), format=format) == EXPECTED
    assert asyncio.run(connection()) == EXPECTED


@pytest.mark.parametrize(
    ("format", "lines"),
    [
        ("sse", EVENT_LINES),
        ("sse", ["event: message", "id: 1", *EVENT_LINES]),
        (
            "sse",
            [
                ": hello",
                "",
                "data: {",
                'data: "role":"user"',
                "data: }",
                "",
                *EVENTS.split("\n")[2:],
            ],
        ),
        ("ndjson", LINES),
        ("ndjson", ["", LINES[0], "", *LINES[1:], ""]),
        ("ndjson", [f"\ufeff{LINES[0]}", *LINES[1:]]),
        ("array", ["[", LINES[0], ",", LINES[1] + ",", LINES[2], "]"]),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_lines_without_their_ends(format, lines, named):
    options = {"format": format} if named else {}
    assert list(read(Message, lines, **options)) == EXPECTED
    assert list(read(Message, (line.encode() for line in lines), **options)) == EXPECTED


def test_a_bad_line_among_lines_without_ends():
    lines = [LINES[0], '{"role": "lost', LINES[1], LINES[2]]
    assert list(read(Message, lines, format="ndjson", on_error="skip")) == EXPECTED


def test_an_event_from_lines_is_given_before_the_next_one():
    def lines():
        yield f"data: {LINES[0]}"
        yield ""
        pytest.fail("asked for more than the first event")

    assert next(read(Message, lines())) == EXPECTED[0]


@pytest.mark.parametrize("format", ["sse", "ndjson", "auto"])
def test_chunks_are_not_taken_for_lines(format):
    body = EVENTS if format == "sse" else NDJSON
    for first in range(len(body)):
        for second in range(first, min(first + 30, len(body))):
            parts = [body[:first], body[first:second], "", body[second:]]
            assert list(read(Message, parts, format=format)) == EXPECTED


def test_compressed_members_follow_one_another():
    halves = LINES[0] + "\n", LINES[1] + "\n" + LINES[2]
    packed = b"".join(gzip.compress(half.encode()) for half in halves)
    assert list(read(Message, packed)) == EXPECTED
    assert list(read(Message, packed + b"\0" * 512)) == EXPECTED
    packed = b"".join(zstd.compress(half.encode()) for half in halves)
    assert list(read(Message, packed)) == EXPECTED


@pytest.mark.parametrize("level", [0, 9])
def test_compressed_data_that_ends_too_early(level, gzip_library):
    packed = gzip.compress(NDJSON.encode(), level)
    complete = []
    for end in range(11, len(packed)):
        found, error = collect(read(Message, packed[:end], format="ndjson"))
        assert type(error) is TruncatedStream
        assert error.index == len(found)
        assert found == EXPECTED[: len(found)]
        plain = gzip_library.decompressobj(31).decompress(packed[:end])
        assert len(found) == plain.count(b"\n")
        complete.append(len(found))
    assert complete[-1] == 3
    _, error = collect(read(Message, zstd.compress(NDJSON.encode())[:-3]))
    assert type(error) is TruncatedStream


@pytest.mark.usefixtures("gzip_library")
def test_corrupt_compressed_data():
    packed = bytearray(gzip.compress(NDJSON.encode()))
    packed[-6] ^= 1
    _, error = collect(read(Message, packed))
    assert (type(error), error.kind) == (ParseError, "encoding")
    found, error = collect(read(Message, gzip.compress(NDJSON.encode()) + b"more"))
    assert found == EXPECTED
    assert error.kind == "encoding"


def test_zstd_without_its_library(monkeypatch):
    packed = zstd.compress(b"[]")
    for name in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=r'pip install "turnwire\[zstd\]"') as caught:
        list(read(Message, packed))
    assert isinstance(caught.value, ImportError)


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_data_that_expands_enormously_is_read_piece_by_piece(pack):
    packed = pack(b'[{"role": "user"}' + b" " * 100_000_000 + b"]")
    assert peak_of(lambda: list(read(Message, packed))) < 50_000_000


def test_reading_keeps_only_the_element_in_progress(tmp_path):
    path = tmp_path / "large.ndjson"
    with path.open("wb") as file:
        for _ in range(50):
            file.write(b'{"role": "user"}' + b" " * 101_983 + b"\n")
    assert path.stat().st_size == 5_100_000
    assert peak_of(lambda: [None for _ in read(Message, path)]) < 1_500_000


def test_a_bad_element_names_its_index():
    found, error = collect(read(Message, '[{"role": "user"}, {"role": 5}, {"role": "é"}]'.encode()))
    assert found == EXPECTED[:1]
    assert (error.kind, error.index, error.path) == ("type", 1, ("role",))
    assert str(error).startswith("element 1: expected string, got number at $.role")


BAD = '[{"role": "user"}, null, {"x": 1}, [], {"role": "é"}, "s", {"role": "Desk"}]'.encode()


def test_bad_elements_are_skipped():
    assert list(read(Message, BAD, unknown="error", on_error="skip")) == EXPECTED


def test_bad_elements_are_told_to_a_callable():
    errors = []
    assert list(read(Message, BAD, unknown="error", on_error=errors.append)) == EXPECTED
    assert [error.index for error in errors] == [1, 2, 3, 5]
    assert "got null" in str(errors[0])

    def stop(error):
        raise KeyError(error.index)

    found, error = collect(read(Message, BAD, unknown="error", on_error=stop))
    assert found == EXPECTED[:1]
    assert type(error) is KeyError


def test_unknown_fields():
    left_out = []
    assert list(read(Message, b'[{"x": 1}]', unknown=left_out.append)) == [Message()]
    assert left_out == [("x",)]
    body = b'{"args": {"n": 9007199254740993}}'
    _, error = collect(read(ToolCall, body, lossy_numbers="error"))
    assert isinstance(error, ParseError)


@pytest.mark.parametrize("on_error", ["raise", "skip", lambda error: None])
@pytest.mark.parametrize(
    "body",
    [
        '[{"role": "user"}, {"error": {"code": 8, "message": "m", "details": [1]}}, {}]',
        '{"role": "user"}\n{ "error" : {"code": 8, "message": "m", "details": [1]}}\n',
        'data: {"role": "user"}\n\ndata: {"error": {"code": 8, "message": "m", "details": [1]}}',
    ],
)
@pytest.mark.parametrize("unknown", ["error", "ignore"])
def test_errors_of_the_service(body, on_error, unknown):
    found, error = collect(read(Message, body.encode(), on_error=on_error, unknown=unknown))
    assert found == EXPECTED[:1]
    assert type(error) is StreamError
    assert (error.code, error.status, error.message) == (8, "", "m")
    assert (error.details, error.index) == ((1,), 1)


@pytest.mark.parametrize(
    "element",
    ['{"error": null}', '{"error": 5}', '{"error": {}, "role": "user"}', '{"error": {},}'],
)
def test_elements_that_are_not_errors_of_the_service(element):
    found, error = collect(read(Message, f"[{element}]".encode(), unknown="error"))
    assert found == []
    assert type(error) is ParseError


def test_a_message_type_with_a_field_named_error_wins():
    from google.protobuf.descriptor_pb2 import FileDescriptorProto
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass

    file = FileDescriptorProto(name="e.proto", package="e", syntax="proto3")
    message = file.message_type.add(name="E")
    message.field.add(name="error", number=1, type=11, label=1, type_name=".e.E", json_name="error")
    pool = DescriptorPool()
    pool.Add(file)
    message_class = GetMessageClass(pool.FindMessageTypeByName("e.E"))
    (only,) = read(message_class, b'[{"error": {}}]')
    assert only.HasField("error")


@pytest.mark.parametrize("on_error", ["skip", lambda error: None])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('[{"role": "user"},,{}]', "syntax"),
        ('[{"role": "user"}', "truncated"),
        ('{"role": "user"}x', "trailing_data"),
    ],
)
def test_errors_of_the_framing_are_never_skipped(body, kind, on_error):
    found, error = collect(read(Message, body.encode(), on_error=on_error))
    assert found == EXPECTED[:1]
    assert error.kind == kind


def test_a_named_format_that_it_is_not():
    for format, body in {"array": "{}", "sse": "[{}]", "ndjson": '{\n"role": "user"\n}'}.items():
        found, error = collect(read(Message, body.encode(), format=format, on_error="skip"))
        assert found == []
        assert (type(error), error.kind, error.index) == (ParseError, "syntax", 0)


def test_text_after_detected_objects_is_trailing_data():
    for body in ('{"role": "user"}\n\nend of report\n', '{\n"role": "user"\n}\nend of report\n'):
        found, error = collect(read(Message, body.encode()))
        assert found == EXPECTED[:1]
        assert (error.kind, error.index) == ("trailing_data", 1)


def test_binary_messages_that_are_not():
    found, error = collect(read(Message, b"\x06\x0a\x04user\x02\x0a\x09", format="delimited"))
    assert found == EXPECTED[:1]
    assert (error.kind, error.index) == ("wire", 1)


def test_invalid_text():
    _, error = collect(read(Message, b'[{"role": "\xff"}]'))
    assert error.kind == "encoding"
    _, error = collect(read(Message, ['[{"role": "\ud800"}]']))
    assert isinstance(error, ParseError)


def test_wrong_options_are_refused_at_once():
    with pytest.raises(TypeError, match="message class"):
        read("ces.Message", b"[]")
    with pytest.raises(ValueError, match="on_error"):
        read(Message, b"[]", on_error="ignore")
    with pytest.raises(ValueError, match="format"):
        read(Message, b"[]", format="json")
    with pytest.raises(ValueError, match="unknown"):
        read(Message, b"[]", unknown="skip")
    with pytest.raises(ValueError, match="lossy_numbers"):
        read(Message, b"[]", lossy_numbers="ignore")
    with pytest.raises(TypeError, match="message class"):
        read(AnyMessage, b"[]")
    with pytest.raises(TypeError, match=r"pass the protobuf class below it, Message\.pb\(\)"):
        read(ces_v1.Message, b"[]")


@pytest.mark.parametrize("blanks", [" ", "\n", "\r\n\t ", " " * 40])
@pytest.mark.parametrize("step", [1, 1000])
def test_leading_blanks_change_nothing(blanks, step):
    def read_in_steps(body, **options):
        data = (blanks + body).encode()
        chunks = [data[start : start + step] for start in range(0, len(data), step)]
        return collect(read(Message, chunks, **options))

    for body in (ARRAY, NDJSON, EVENTS):
        assert read_in_steps(body) == (EXPECTED, None)
    for unknown in ("error", "ignore"):
        found, error = read_in_steps('{"error": {"code": 503}}', unknown=unknown)
        assert found == []
        assert isinstance(error, StreamError)
        assert error.code == 503
    assert read_in_steps(LINES[0], max_element_bytes=len(LINES[0])) == (EXPECTED[:1], None)


@pytest.mark.parametrize("step", [1, 7, 1000])
@pytest.mark.usefixtures("gzip_library")
def test_gzip_members_may_be_padded_with_zeros(step):
    member = gzip.compress(NDJSON.encode())
    data = member + bytes(12) + member + bytes(3)
    chunks = [data[start : start + step] for start in range(0, len(data), step)]
    assert collect(read(Message, chunks)) == (EXPECTED * 2, None)


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_messages_before_the_fault_in_gzip_data_are_given(step):
    packed = bytearray(gzip.compress(NDJSON.encode()))
    packed[-8] ^= 1
    chunks = [bytes(packed[start : start + step]) for start in range(0, len(packed), step)]
    found, error = collect(read(Message, chunks))
    assert found == EXPECTED
    assert isinstance(error, ParseError)
    assert (error.kind, error.index) == ("encoding", 3)


def test_a_view_need_not_be_contiguous():
    backwards = memoryview(NDJSON.encode()[::-1])[::-1]
    assert collect(read(Message, backwards)) == (EXPECTED, None)
    assert collect(read(Message, [backwards])) == (EXPECTED, None)
