"""Any valid stream, any chunking, any format; and every cut."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.errors import TruncatedStream, TurnwireError
from turnwire.protojson import to_json
from turnwire.streams import Framer, read

fewer = settings(max_examples=25)

AWKWARD = ['"', "\\", '\\"', "}{", "[", "]}", "\n", "\u2028", "\u0085", "data: x", ": ", "é", "🙂"]
texts = st.lists(st.sampled_from(AWKWARD) | st.text('ab,{}[]:\\"', max_size=6), max_size=4)
messages = st.lists(
    st.builds(
        lambda role, parts: Message(role=role, chunks=[{"text": part} for part in parts]),
        st.sampled_from(["user", "Desk", ""]),
        st.lists(texts.map("".join), max_size=3),
    ),
    max_size=5,
)
blanks = st.text(" \t\r\n", max_size=3)
line_ends = st.sampled_from(["\n", "\r\n"])
styles = st.sampled_from([None, 0, 2])

TEXT_FORMATS = ["array", "ndjson", "concatenated", "object", "sse"]


@st.composite
def bodies(draw, format):
    """A valid stream of the format in some layout, and the messages that are in it."""
    expected = draw(messages)
    if format == "delimited":
        return expected, b"".join(delimited(message) for message in expected)
    indent = draw(styles) if format != "ndjson" else None
    values = [pretty(message, indent) for message in expected]
    start, end = draw(st.sampled_from(["", "\ufeff"])) + draw(blanks), draw(blanks)
    if format == "object":
        expected, values = expected[:1], values[:1]
        if not values:
            expected, values = [Message()], ["{}"]
        body = values[0]
    elif format == "array":
        comma = draw(blanks) + "," + draw(blanks)
        body = "[" + draw(blanks) + comma.join(values) + draw(blanks) + "]"
    elif format == "concatenated":
        body = "".join(value + draw(blanks) for value in values)
    elif format == "ndjson":
        newline = draw(line_ends)
        body = "".join(value + newline * draw(st.integers(1, 2)) for value in values)
    else:
        newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
        skipped = draw(st.sampled_from(["", ": still here\n", "event: message\nid: 7\n", ":\n\n"]))
        events = (
            skipped + "".join(f"data: {line}\n" for line in value.split("\n")) + "\n"
            for value in values
        )
        body, start, end = "".join(events).replace("\n", newline), start[:1].strip(), ""
    return expected, (start + body + end).encode()


def pretty(message, indent):
    value = json.loads(to_json(message))
    separators = (",", ":") if indent is None else None
    return json.dumps(value, indent=indent, ensure_ascii=False, separators=separators)


def delimited(message):
    body = message.SerializeToString()
    prefix, length = b"", len(body)
    while length > 127:
        prefix, length = prefix + bytes([length & 127 | 128]), length >> 7
    return prefix + bytes([length]) + body


def cut(data, sizes):
    position = 0
    for size in sizes:
        yield data[position : position + size]
        position += size
    yield data[position:]


def outcome(body, **options):
    found = []
    try:
        for message in read(Message, body, **options):
            found.append(message)
    except TurnwireError as error:
        return found, (type(error), str(error))
    return found, None


@pytest.mark.parametrize("named", [True, False], ids=["named", "detected"])
@pytest.mark.parametrize("format", [*TEXT_FORMATS, "delimited"])
@fewer
@given(data=st.data(), sizes=st.lists(st.integers(0, 40), max_size=12))
def test_any_chunking_gives_the_messages(format, named, data, sizes):
    expected, body = data.draw(bodies(format))
    options = {"format": format} if named else {}
    assert outcome(cut(body, sizes), **options) == (expected, None)
    assert outcome(iter([bytes([byte]) for byte in body]), **options) == (expected, None)


@pytest.mark.parametrize("named", [True, False], ids=["named", "detected"])
@pytest.mark.parametrize("format", [*TEXT_FORMATS, "delimited"])
@fewer
@given(data=st.data())
def test_any_cut_gives_what_is_complete_and_then_says_so(format, named, data):
    """A cut between two elements shows only where the format marks its end."""
    expected, body = data.draw(bodies(format))
    place = data.draw(st.integers(0, max(len(body) - 1, 0)))
    options = {"format": format} if named else {}
    found, error = outcome(body[:place], **options)
    assert found == expected[: len(found)]
    complete = whole_elements(format, body[:place])
    assert len(found) == complete
    if format == "delimited" and not named and complete == 0:
        # Too little to tell binary from text that is in no format, or from blanks.
        return
    if error is not None:
        assert error[0] is TruncatedStream
    elif format in ("array", "object"):
        # Nothing but blanks (or nothing at all, which is an empty stream) was cut off.
        assert not body[:place].strip(b" \t\r\n\xef\xbb\xbf") or complete == len(expected)
    else:
        rest = body[:place].rstrip(b" \t\r\n\xef\xbb\xbf")
        assert format in ("sse", "delimited") or not rest or rest.endswith(b"}")


def whole_elements(format, part):
    """Counts the complete elements of the part, with a decoder that knows whole values."""
    if format == "delimited":
        return count_delimited(part)
    text = part.decode(errors="ignore").lstrip("\ufeff")
    if format == "sse":
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        text = "\n".join(line[6:] if line.startswith("data: ") else "" for line in lines)
    count, position, decoder = 0, text.find("{"), json.JSONDecoder()
    while position >= 0:
        try:
            _, position = decoder.raw_decode(text, position)
        except ValueError:
            break
        count += 1
        position = text.find("{", position)
    return count


def count_delimited(part):
    count = position = 0
    while position < len(part):
        length = shift = 0
        while position < len(part):
            byte = part[position]
            position += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        else:
            return count
        if byte >= 128 or position + length > len(part):
            return count
        position += length
        count += 1
    return count


@fewer
@given(st.binary(max_size=200), st.lists(st.integers(0, 40), max_size=8), st.data())
def test_any_bytes_give_the_same_in_any_chunking(body, sizes, data):
    format = data.draw(st.sampled_from(["auto", *TEXT_FORMATS, "delimited"]))
    limit = data.draw(st.sampled_from([5, 1000]))
    assert framed(cut(body, sizes), format, limit) == framed([body], format, limit)


@fewer
@given(
    st.text('{}[]",:\\ \n\r1ndat', max_size=60), st.lists(st.integers(0, 9), max_size=8), st.data()
)
def test_any_near_json_gives_the_same_in_any_chunking(text, sizes, data):
    format = data.draw(st.sampled_from(["auto", *TEXT_FORMATS]))
    limit = data.draw(st.sampled_from([5, 1000]))
    body = text.encode()
    assert framed(cut(body, sizes), format, limit) == framed([body], format, limit)


def framed(chunks, format, limit):
    framer, elements = Framer(format, max_element_bytes=limit), []
    try:
        for chunk in chunks:
            elements += framer.feed(chunk)
        elements += framer.close()
    except TurnwireError as error:
        return elements, str(error)
    return elements, str(framer.error)
