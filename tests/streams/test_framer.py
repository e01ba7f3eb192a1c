"""The promises of the framer for each format: boundaries, liveness, errors, limits."""

import random

import pytest
from support.cases import for_each

from turnwire.errors import ParseError, TruncatedStream, TurnwireError
from turnwire.streams import Framer


def frame(body, format="auto", size=2**20, **options):
    """All elements, and the error that came after them; fed in chunks of a size."""
    framer = Framer(format, **options)
    elements = []
    try:
        for start in range(0, len(body), size):
            elements += framer.feed(body[start : start + size])
        elements += framer.close()
    except TurnwireError as error:
        return elements, error
    return elements, framer.error


def elements_of(body, format="auto"):
    elements, error = frame(body, format)
    assert error is None
    return elements


@pytest.mark.parametrize(
    ("format", "body", "expected"),
    [
        ("array", b"[]", []),
        ("array", b' [ {"a":1} , {} ] \n', [b'{"a":1}', b"{}"]),
        ("array", b'[null, 1, "x]", [{}], -2.5e3]', [b"null", b"1", b'"x]"', b"[{}]", b"-2.5e3"]),
        ("array", rb'["\\", "\"", {"a\\\"": "]"}]', [rb'"\\"', rb'"\""', rb'{"a\\\"": "]"}']),
        ("concatenated", b'{"a":"}{"}{}\n{\n"b":[{}]}', [b'{"a":"}{"}', b"{}", b'{\n"b":[{}]}']),
        ("ndjson", b'{"a":1}\r\n\n \t\n{"b":2}', [b'{"a":1}', b'{"b":2}']),
        ("ndjson", '{"a":"\u2028\u0085"}\n{}'.encode(), ['{"a":"\u2028\u0085"}'.encode(), b"{}"]),
        ("object", b'\n{"a":{}}\n', [b'{"a":{}}']),
        ("sse", b"data: {}\n\ndata:{}\r\n\r\ndata: {}\r\rdata: {}", [b"{}"] * 4),
        ("sse", b'data: {"a":\ndata: 1}\n\n', [b'{"a":\n1}']),
        ("sse", b": hi\nevent: x\nid: 1\nretry: 5\nid\n\ndata:\n\ndata: {}\n", [b"{}"]),
        ("delimited", b"\x00\x02ab\x00\x81\x01" + b"x" * 129, [b"", b"ab", b"", b"x" * 129]),
    ],
)
def test_elements(format, body, expected):
    assert elements_of(body, format) == expected


@pytest.mark.parametrize("format", ["auto", "array", "ndjson", "concatenated", "sse", "delimited"])
def test_an_empty_body_holds_nothing(format):
    assert frame(b"", format) == ([], None)


@pytest.mark.parametrize("body", [b"", b" \n", b"\xef\xbb\xbf"])
def test_an_empty_body_is_not_an_object(body):
    elements, error = frame(body, "object")
    assert elements == []
    assert type(error) is TruncatedStream


@for_each(
    ("body", "format"),
    [
        (b"[{}", "array"),
        (b'\xef\xbb\xbf \n{"a":1}\n{"a":', "objects"),
        (b"{}", "objects"),
        (b": comment first, as some servers do, to open the connection\n\ndata: {}", "sse"),
        (b"retry: 3000\n\n", "sse"),
        (b"\x02\x08\x01", "delimited"),
        (b"\x00", "delimited"),
        (b"\xff\x01", "delimited"),
        # Lengths that are the codes of "{", "[", newline, ":", "d".
        (b"\x7b\x0a\x04user" + b"\x12\x73" + b"x" * 115, "delimited"),
        (b'\x7b"\x03abc' + b"\x12\x74" + b"x" * 116, "delimited"),
        (b"\x5b\x0a\x04user" + b"\x12\x53" + b"x" * 83, "delimited"),
        (b"\x0a\x0a\x08\x12\x06abcdef", "delimited"),
        (b"\x3a\x12\x38" + b"x" * 56, "delimited"),
        (b"\x64\x12\x62" + b"x" * 98, "delimited"),
    ],
)
@for_each("size", [1, 1000])
def test_detection(body, format, size):
    framer = Framer()
    for start in range(0, len(body), size):
        framer.feed(body[start : start + size])
    assert framer.format == format


@pytest.mark.parametrize("body", [b"<html>502 Bad Gateway</html>" + b" " * 60, b"null", b"{" * 5])
def test_text_in_no_format(body):
    elements, error = frame(body)
    assert elements == []
    assert isinstance(error, ParseError | TruncatedStream)


def test_an_element_is_given_with_its_last_byte():
    for format, pieces in {
        "array": [b"[{}", b',{"a":1}', b"]"],
        "concatenated": [b"{}", b' {"a":1}', b" "],
        "ndjson": [b"{}\n", b'{"a":1}\n', b"\n"],
        "sse": [b"data: {}\n\n", b'data: {"a":1}\r\r', b": bye\n"],
        "delimited": [b"\x01a", b"\x02ab", b""],
    }.items():
        for name in (format, "auto"):
            framer = Framer(name)
            given = [[len(framer.feed(bytes([byte]))) for byte in piece] for piece in pieces]
            assert [sum(counts) for counts in given] == [1, 1, 0]
            if (format, name) != (
                "ndjson",
                "auto",
            ):  # Detected, the first is complete at its brace.
                assert [counts[-1] for counts in given[:2]] == [1, 1]


@pytest.mark.parametrize(
    ("body", "count", "kind", "text"),
    [
        (b"[,{}]", 0, "syntax", "an element of the array"),
        (b"[{},,{}]", 1, "syntax", "an element of the array"),
        (b"[{},]", 1, "syntax", "an element after the comma"),
        (b"[{} {}]", 1, "syntax", "a comma or the array's closing bracket"),
        (b"[{}][{}]", 1, "trailing_data", "nothing after the array's closing bracket"),
        (b"[{}] x", 1, "trailing_data", 'got "x"'),
        (b"[{}}", 1, "syntax", "a comma"),
    ],
)
@pytest.mark.parametrize("size", [1, 1000])
def test_errors_of_an_array_come_after_its_elements(body, count, kind, text, size):
    elements, error = frame(body, "array", size)
    assert len(elements) == count
    assert (type(error), error.kind, error.index) == (ParseError, kind, count)
    assert text in str(error)


def test_an_error_waits_until_the_elements_before_it_are_given():
    framer = Framer()
    assert framer.feed(b"[{}] x") == [b"{}"]
    assert framer.error.kind == "trailing_data"
    for call in (framer.close, lambda: framer.feed(b"")):
        with pytest.raises(ParseError, match="nothing after the array"):
            call()


@pytest.mark.parametrize(
    ("format", "body"),
    [("concatenated", b"{} x"), ("object", b"{}{}"), ("object", b"{}\nend"), ("auto", b"{}x")],
)
def test_text_after_objects(format, body):
    elements, error = frame(body, format)
    assert elements == [b"{}"]
    assert error.kind == "trailing_data"
    assert error.index == 1


def test_a_bad_line_does_not_spoil_the_next_ones():
    good = b'{"a":1}'
    for bad in (b'{"a":', b'{"a": "x', b'{"a"}}', b"oops", b"null", b'{"a":1,}'):
        body = b"\n".join([good, bad, good, good]) + b"\n"
        assert elements_of(body, "ndjson") == [good, bad, good, good]
        assert elements_of(body) == [good, bad, good, good]


def test_objects_of_all_layouts_in_one_detected_stream():
    values = [b'{"a":"}{"}', b'{\n  "b": [\n    1\n  ]\n}', b'{\n"c": {\n"d": 1\n}\n}', b"{}"]
    chooser = random.Random(7)
    for _ in range(300):
        stream = [chooser.choice(values) for _ in range(5)]
        gaps = [chooser.choice([b"", b"\n", b" \n", b"\r\n", b"\n\n"]) for _ in stream]
        body = b"".join(value + gap for value, gap in zip(stream, gaps, strict=True))
        assert elements_of(body) == stream


def test_a_line_that_is_not_of_an_event_stream_is_an_error():
    elements, error = frame(b"data: {}\n\n<html>\n", "sse")
    assert elements == [b"{}"]
    assert error.kind == "syntax"


@pytest.mark.parametrize("format", ["auto", "ndjson"])
@pytest.mark.parametrize("cut", [b'{"a":', b'{"a": "x', b'{"a": {"b": [', b"{"])
def test_a_last_line_that_is_cut_off(format, cut):
    good = b'{"a":1}\n'
    elements, error = frame(good + cut, format)
    assert elements == [good.strip()]
    assert (type(error), error.index) == (TruncatedStream, 1)
    elements, error = frame(good + b'{"bad":\n' + cut + b'"', format)
    if cut != b"{":
        assert elements == [good.strip(), b'{"bad":']
        assert (type(error), error.index) == (TruncatedStream, 2)
    assert elements_of(good + b'{"bad":\n', format) == [good.strip(), b'{"bad":']


def test_truncated_events():
    for body in (b'data: {"a"', b'data: {"a":\ndata:', b"da", b"data: ", b'data: {"a":1'):
        assert type(frame(body, "sse")[1]) is TruncatedStream
        assert type(frame(b"data: {}\n\n" + body)[1]) is TruncatedStream


@pytest.mark.parametrize(
    ("format", "around"),
    [
        ("array", b"[%s,%s]"),
        ("ndjson", b"%s\r\n%s\n\n"),
        ("auto", b"%s\r\n%s\n\n"),
        ("concatenated", b"%s %s"),
        ("sse", b"data: %s\n\ndata: %s\n\n"),
        ("delimited", b"\x0a%s\x0b%s"),
    ],
)
@pytest.mark.parametrize("size", [1, 1000])
def test_the_largest_element(format, around, size):
    small, large = b'{"a":"bc"}', b'{"a":"bcd"}'
    body = around % (small, large)
    elements, error = frame(body, format, size, max_element_bytes=len(small))
    assert elements == [small]
    assert (type(error), error.kind, error.index) == (ParseError, "range", 1)
    assert "larger than max_element_bytes" in str(error)
    assert frame(body, format, size, max_element_bytes=len(large)) == ([small, large], None)


def test_an_element_that_never_ends_is_refused_before_it_fills_the_memory():
    framer = Framer(max_element_bytes=1000)
    assert framer.feed(b'[{"a":"' + b"x" * 994) == []
    with pytest.raises(ParseError, match="larger than"):
        framer.feed(b"xxxx")


@pytest.mark.parametrize("nesting", [b'{"a":', b"["])
def test_deep_nesting(nesting):
    close = b"]" if nesting == b"[" else b"}"
    value = nesting * 50_000 + b"1" + close * 50_000
    assert elements_of(b"[" + value + b"," + value + b"]") == [value, value]
    assert type(frame(nesting * 300_000)[1]) is TruncatedStream


def test_wrong_lengths_of_messages():
    elements, error = frame(b"\x01a" + b"\xff" * 10, "delimited")
    assert elements == [b"a"]
    assert error.kind == "wire"
    assert type(frame(b"\x01a\x05abc", "delimited")[1]) is TruncatedStream
    assert type(frame(b"\x01a\x80", "delimited")[1]) is TruncatedStream


def test_arguments():
    with pytest.raises(ValueError, match="format must be one of auto, array"):
        Framer("json")
    with pytest.raises(ValueError, match="max_element_bytes must be at least 1"):
        Framer(max_element_bytes=0)


def test_bytes_of_any_kind_are_taken():
    framer = Framer()
    assert framer.feed(bytearray(b"[{}")) == [b"{}"]
    assert framer.feed(memoryview(b",{}]")) == [b"{}"]


@pytest.mark.parametrize("format", ["array", "ndjson", "auto", "concatenated"])
def test_escapes_at_the_end_of_a_chunk(format):
    values = [
        rb'{"a":"\\"}',
        rb'{"a":"\\\"]}\\\\\\"}',
        rb'{"\"":[["\\",{"b":"\"}"}]]}',
        rb'{"c":1}',
    ] * 20
    before, between, after = (b"[", b",", b"]") if format == "array" else (b"", b"\n", b"\n")
    body = before + between.join(values) + after
    for size in range(1, 150):
        assert frame(body, format, size) == (values, None)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_simple_and_other_events_in_one_stream(line_end):
    simple = b"data: %s\n\n"
    named = b": hi\nevent: message\nid\ndata:%s \nretry: 5\n\n"
    split = b'data: {"a":\ndata: %s}\n\n'
    empty = b"id: 7\n\ndata\n\n"
    chooser = random.Random(7)
    for _ in range(50):
        kinds = [chooser.choice([simple, simple, named, split, empty]) for _ in range(20)]
        values = [b'{"b":[%d]}' % number for number in range(20)]
        events = [
            kind if kind is empty else kind % value
            for kind, value in zip(kinds, values, strict=True)
        ]
        expected = [
            b'{"a":\n' + value + b"}" if kind is split else value
            for kind, value in zip(kinds, values, strict=True)
            if kind is not empty
        ]
        body = b"".join(events).replace(b"\n", line_end)
        for size in (1, 7, 100, 10_000):
            assert frame(body, "sse", size) == (expected, None)


@pytest.mark.parametrize(
    ("format", "part", "element"),
    [
        ("ndjson", b'{"a":\n', b'{"a":'),
        ("auto", b'{"a":\n', b'{"a":'),
        ("auto", b'{"a":"\n', b'{"a":"'),
        ("sse", b"data: 1\ndata: 2\n\n", b"1\n2"),
        ("sse", b"data: 1\r\r", b"1"),
        ("sse", b": hi\n", None),
        ("sse", b"data: 1\n", None),
        ("array", b'"a",', b'"a"'),
        ("array", b"{},1,", None),
    ],
)
def test_elements_that_are_not_simple_take_time_once_for_each(format, part, element):
    # One chunk: whatever looked at its rest for each of them would take many seconds.
    count = 40_000
    start = {"array": b"[", "auto": b"{}\n"}.get(format, b"")
    elements = Framer(format).feed(start + part * count)
    assert elements.count(element) >= (count - 1 if element else 0)


def test_many_wrong_elements_take_linear_time():
    # Each was once followed by a search through the rest of the chunk.
    framer = Framer("array")
    body = b"[" + b"1," * 200_000 + b"{}]"
    elements = [
        element
        for start in range(0, len(body), 2**18)
        for element in framer.feed(body[start : start + 2**18])
    ]
    assert elements == [b"1"] * 200_000 + [b"{}"]
    assert framer.close() == []
