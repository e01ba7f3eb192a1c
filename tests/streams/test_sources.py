"""Sources of `read` and sinks of `write`: a str is a path, and wrong ones get advice."""

import asyncio
import io
import os

import pytest
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.streams import aread, read, write

BODY = b'[{"role": "user"}]'
ONE = [Message(role="user")]


async def collect(messages):
    return [message async for message in messages]


@pytest.mark.parametrize("name", ["m.json", "m", "data.txt", "role [1].json", "{x}.json", "é .sse"])
def test_a_str_is_a_path(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(BODY)
    for path in (name, str(tmp_path / name), tmp_path / name):
        assert list(read(Message, path)) == ONE
        assert asyncio.run(collect(aread(Message, path))) == ONE
    assert write(ONE, name) == 1
    assert (tmp_path / name).read_bytes() == b'{"role":"user"}\n'


def test_the_suffix_of_a_str_tells_the_compression(tmp_path):
    path = str(tmp_path / "m.ndjson.gz")
    write(ONE, path)
    assert list(read(Message, path)) == ONE
    (tmp_path / "m.ndjson.gz").write_bytes(BODY)
    with pytest.raises(ValueError, match="not valid gzip data"):
        list(read(Message, path))


def test_a_file_that_does_not_exist_is_reported_as_open_does(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.json"):
        list(read(Message, str(tmp_path / "none.json")))


@pytest.mark.parametrize(
    "text",
    [
        '{"role": "user"}',
        ' [{"role": "user"}, {"rol',
        "[]",
        "{",
        "\ufeff[{}]",
        "{}\n{}\n",
        'data: {"role": "user"}',
        ": hello",
        "one line\nand another",
        "\x05\n\x03.gz\0",
        "<!doctype html>",
        "x" * 5000,
    ],
)
def test_a_str_that_looks_like_data_gets_advice(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    for call in (
        lambda: read(Message, text),
        lambda: aread(Message, text),
        lambda: write(ONE, text),
    ):
        with pytest.raises(ValueError, match=r"looks like data, .*pass data as bytes"):
            call()
    assert os.listdir(tmp_path) == []


def test_an_empty_str_is_not_a_path():
    with pytest.raises(ValueError, match="got an empty str"):
        read(Message, "")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (5, "got int"),
        (None, "got None"),
        (bytes, "got the class bytes"),
        (io.BytesIO, "got the class BytesIO"),
        ({"role": "user"}, r"got dict: turnwire\.from_dict makes a message"),
        (ONE[0], "got Message: it is a message already"),
        ([{"role": "user"}], r"got dict: turnwire\.from_dict makes a message of each"),
        (({"role": "user"},), r"got dict: turnwire\.from_dict"),
        (ONE, "got Message: it is a message already"),
        ([5, 6], "expected chunks of bytes or text, got int"),
        ([None], "expected chunks of bytes or text, got None"),
    ],
)
def test_wrong_sources_get_advice_at_once(source, text):
    for call in (read, aread):
        with pytest.raises(TypeError, match=text):
            call(Message, source)


def test_a_wrong_item_of_an_iterator_gets_advice():
    with pytest.raises(TypeError, match=r"got dict: turnwire\.from_dict"):
        list(read(Message, iter([b"[", {"role": "user"}])))


class NotReady(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, buffer):
        return None


def test_a_file_without_data_yet_is_not_at_its_end():
    for file in (NotReady(), io.BufferedReader(NotReady())):
        with pytest.raises(BlockingIOError, match="no data yet"):
            list(read(Message, file))

    class Connection:
        async def read(self, size):
            return None

    with pytest.raises(BlockingIOError, match="no data yet"):
        asyncio.run(collect(aread(Message, Connection())))


def test_a_pipe_that_does_not_block():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.write(writing, b'{"role": "user"}\n')
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        messages = read(Message, pipe)
        assert [next(messages)] == ONE
        with pytest.raises(BlockingIOError):
            next(messages)
    os.close(writing)


@pytest.mark.parametrize("error", [ConnectionResetError, KeyError])
@pytest.mark.parametrize(
    ("items", "format"),
    [
        ([b'{"role": "user"}'], "ndjson"),
        ([b": ok\n\n", b'data: {"role": "user"}\n\n'], "auto"),
        ([b': ok\n\ndata: {"role": "user"}\n\n'], "auto"),
        ([b'data: {"role": "user"}', b""], "sse"),
        ([b'[{"role": "user"}'], "auto"),
    ],
)
def test_messages_that_were_complete_come_before_an_error_of_the_source(items, format, error):
    def broken():
        yield from items
        raise error

    async def abroken():
        for item in broken():
            yield item

    found = []
    with pytest.raises(error):
        found.extend(read(Message, broken(), format=format))
    messages = read(Message, broken(), format=format)
    assert next(messages) == ONE[0]
    with pytest.raises(error):
        next(messages)

    async def main():
        messages = aread(Message, abroken(), format=format)
        assert await anext(messages) == ONE[0]
        with pytest.raises(error):
            await anext(messages)

    asyncio.run(main())
