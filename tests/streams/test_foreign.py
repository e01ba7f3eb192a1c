"""Bodies in no format get an error that names them; binary ones are detected all the same."""

import bz2
import gzip
import io
import lzma
import zlib

from support.cases import for_each
from support.streams import outcome_of
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.errors import ParseError
from turnwire.streams import Framer, write

try:
    from compression import zstd
except ImportError:
    import zstandard as zstd

FORMATS = ["auto", "array", "ndjson", "concatenated", "object", "sse"]
CODES = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
TEXTS = [
    "[]",
    '[{"role": "a"}]',
    '{"role": "a"}\n{"role": "b"}\n',
    'data: {"role": "a"}\n\n',
    "\n {}",
]


@for_each("format", FORMATS)
@for_each("on_error", ["raise", "skip"])
@for_each(
    ("body", "name"),
    [
        (b"<!DOCTYPE html><html><title>502</title>", "HTML"),
        (b"\n\n<html>\r\n<body>502 Bad Gateway</body></html>", "HTML"),
        (b"<H1>Error</H1>", "HTML"),
        (b"<!-- proxy -->\n<p>no</p>", "HTML"),
        (b"\xef\xbb\xbf<html lang=en>" + b"x" * 500, "HTML"),
        (b'<?xml version="1.0"?><Error/>', "XML"),
        *((text.encode(code), code.upper()[:6]) for text in TEXTS for code in CODES),
        *((f"\ufeff{text}".encode("utf-16-be"), "UTF-16") for text in TEXTS),
        (b'\x1e{"role": "a"}\n\x1e{}\n', "RFC 7464"),
        (b"\x1e[1]\n", "RFC 7464"),
        (gzip.compress(gzip.compress(b"[]", mtime=0), mtime=0), "gzip data"),
        (gzip.compress(zstd.compress(b"[]"), mtime=0), "zstd data"),
        (zstd.compress(gzip.compress(b'[{"role": "a"}]', mtime=0)), "gzip data"),
        (bz2.compress(b"[]"), "bzip2 data"),
        (lzma.compress(b"[]"), "xz data"),
        (zlib.compress(b"[]"), "zlib data"),
        (zlib.compress(b"[]", level=1), "zlib data"),
        (b"PK\3\4" + b"\x14\0\0\0" * 8, "zip data"),
        (b"PAR1\x15\4\x15\x10" + b"\0" * 80, "a Parquet file"),
    ],
)  # fmt: skip
def test_the_error_names_the_body(body, name, format, on_error):
    found, error = outcome_of(Message, body, format=format, on_error=on_error)
    assert found == []
    assert (type(error), error.kind, error.index) == (ParseError, "syntax", 0)
    assert f"got {name}" in str(error) or f"({name})" in str(error)


@for_each("on_error", ["raise", list.append])
@for_each(
    ("format", "good"),
    [
        ("auto", b'{"role": "a"}\n'),
        ("ndjson", b'{"role": "a"}\n'),
        ("concatenated", b'{"role": "a"}\n'),
        ("object", b'{"role": "a"}\n'),
        ("array", b'[{"role": "a"}'),
        ("auto", b'[{"role": "a"}'),
        ("sse", b'data: {"role": "a"}\n\n'),
        ("auto", b'data: {"role": "a"}\n\n'),
    ],
)
def test_a_record_of_a_text_sequence_after_a_good_element_is_named(format, good, on_error):
    errors = []
    if on_error != "raise":
        on_error = errors.append
    body = good + b'\x1e{"role": "b"}\n'
    found, error = outcome_of(Message, body, format=format, on_error=on_error)
    assert found == [Message(role="a")]
    assert "RFC 7464" in str(error or errors[0])


TEXT_REFUSALS = [
    (b"Jwt is missing", '"Jwt is missing"'),
    (b"upstream connect error or disconnect/reset before headers", '"upstream connect error or '),
    (b"<html><title>502 Bad Gateway</title>", 'HTML, "<html><title>502 Bad Gateway'),
    (b"\xe4", "a byte 0xE4"),
]


@for_each("format", FORMATS)
@for_each(("body", "shown"), TEXT_REFUSALS)
def test_text_is_shown(body, shown, format):
    if format == "auto" and body == b"\xe4":
        return  # binary, cut off
    found, error = outcome_of(Message, body, format=format)
    assert (found, type(error), error.index) == ([], ParseError, 0)
    assert error.kind == "syntax" or not body.isascii()
    assert shown in str(error) or error.kind == "encoding"


@for_each(
    ("format", "good"),
    [
        ("auto", b'{"role": "a"}\n'),
        ("ndjson", b'{"role": "a"}\n'),
        ("sse", b'data: {"role": "a"}\n\n'),
        ("auto", b'data: {"role": "a"}\n\n'),
        ("sse", b'data: {"role": "a"}\n\ndata: '),
    ],
)
@for_each(("body", "shown"), TEXT_REFUSALS[:3])
def test_text_after_a_good_element_is_shown(format, good, body, shown):
    found, error = outcome_of(Message, good + body + b"\n", format=format)
    assert found == [Message(role="a")]
    assert (type(error), error.index) == (ParseError, 1)
    assert shown in str(error)


@for_each("first", [b"<", b"<3", b"<<<", b"nonsense", b"]", b"\n]{} and so on", b"5"])
@for_each("rest", [b"", b" and so on and on, longer than what an error shows"])
@for_each("format", FORMATS)
def test_other_text_gives_one_error_in_any_chunks(first, rest, format):
    found, error = outcome_of(Message, first + rest, format=format)
    assert found == []
    assert isinstance(error, ParseError)


@for_each("length", range(200))
def test_binary_messages_of_any_length_are_detected(length):
    sink = io.BytesIO()
    messages = [Message(role="a" * length), Message(role="b")]
    write(messages, sink, "delimited")
    assert outcome_of(Message, sink.getvalue()) == (messages, None)
    write([Message(chunks=[{"text": "a" * length}])], sink := io.BytesIO(), "delimited")
    assert outcome_of(Message, sink.getvalue())[1] is None


def test_text_is_never_taken_for_binary():
    # The first character of each would be the length of a message that is wire format.
    for text in (b'\t\t {"role":"user"}', b"\n" * 9 + b"[]", b" " * 31 + b"{}", b": " + b"x" * 56):
        framer = Framer()
        for position in range(len(text)):
            framer.feed(text[position : position + 1])
        framer.feed(b"\n")
        framer.close()
        assert framer.format in ("objects", "array", "sse")


def test_events_after_a_comment_are_given_at_once():
    for comments in (b": ok\n\n", b":\r\n: padding\r\n\r\n", b": a\r: b\r\r", b":\xc3\xa9\tx\n"):
        for name in ("auto", "sse"):
            framer = Framer(name)
            given = [
                element
                for byte in comments + b"event: x\nid: 1\ndata: {}\n\n"
                for element in framer.feed(bytes([byte]))
            ]
            assert given == [b"{}"]
