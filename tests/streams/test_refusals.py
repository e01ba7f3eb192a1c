"""Errors of a service are StreamErrors in every form, format, layout and chunking."""

import json
import pickle

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Struct
from support.analytics import gda
from support.cases import for_each
from support.streams import outcome_of, peak_of
from turnwire_schema.ces.v1.message_pb2 import Message

from turnwire.errors import ParseError, StreamError
from turnwire.streams import Framer, read
from turnwire.streams._refusals import json_value

STATUS = {
    "code": 429,
    "message": "Slow down.",
    "status": "RESOURCE_EXHAUSTED",
    "details": [{"@type": "t/google.rpc.ErrorInfo", "metadata": {"a": ["x"]}}],
}
GOOD = b'{"role": "a"}'
TOLERANT = {"unknown": "ignore", "on_error": "skip"}
OPTIONS = [{}, TOLERANT, {"unknown": "error"}, {"unknown": "error", "on_error": "skip"}]
TEXT_FORMATS = ["array", "ndjson", "concatenated", "object", "sse"]


def layouts_of(value):
    """One JSON value in the layouts of services, alone and in an array."""
    text = json.dumps(value)
    pretty = json.dumps(value, indent=2)
    for each in (text, pretty, pretty.replace("{\n", "{", 1), json.dumps(value, indent=0)):
        yield each.encode()
        yield b"[" + each.encode() + b"]"
        yield b"[\n" + each.encode() + b"\n]\n"
    yield pretty.replace("\n", "\r\n").encode()


def assert_refused(outcome, count=0):
    found, error = outcome
    assert found == [Message(role="a")] * count
    assert type(error) is StreamError
    assert (error.code, error.status, error.message) == (429, "RESOURCE_EXHAUSTED", "Slow down.")
    assert error.details == (STATUS["details"][0],)
    assert error.index == count


@for_each("options", OPTIONS)
@for_each("format", ["auto", *TEXT_FORMATS, "delimited"])
def test_a_whole_body(format, options):
    for body in layouts_of({"error": STATUS}):
        assert_refused(outcome_of(Message, body, format=format, **options))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    ("format", "before"),
    [
        ("auto", GOOD + b"\n"),
        ("ndjson", GOOD + b"\n"),
        ("ndjson", GOOD + b"\r\n\r\n"),
        ("concatenated", GOOD),
        ("auto", b"data: " + GOOD + b"\n\n"),
        ("sse", b"data: " + GOOD + b"\r\n\r\n"),
        ("sse", b": hi\rdata: " + GOOD + b"\r\r"),
        ("sse", b"data: " + GOOD + b"\n"),
    ],
)
def test_after_good_messages_in_any_layout(format, before, options):
    for body in layouts_of({"error": STATUS}):
        assert_refused(outcome_of(Message, before + body, format=format, **options), 1)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    ("format", "before"),
    [
        ("auto", b"[" + GOOD + b"]\n"),
        ("array", b"[" + GOOD + b"]"),
        ("auto", b"[" + GOOD + b"\n"),
        ("array", b"[" + GOOD + b" "),
        ("object", GOOD + b"\n"),
    ],
)
def test_a_refusal_where_no_value_may_stand(format, before, options):
    for body in layouts_of({"error": STATUS}):
        assert_refused(outcome_of(Message, before + body, format=format, **options), 1)
        for other in (b'{"role": "b"}', b"[]", b'{"error": 5}', body[:-3].rstrip(b"\r")):
            found, error = outcome_of(Message, before + other, format=format, **options)
            assert (len(found), type(error), error.index) == (1, ParseError, 1)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("format", ["array", "sse"])
def test_in_arrays_of_arrays(format, options):
    for body in layouts_of([[{"error": STATUS}]]):
        assert_refused(outcome_of(Message, body, format=format, **options))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("format", ["auto", "array"])
def test_in_an_array(format, options):
    for body in layouts_of({"error": STATUS}):
        whole = b"[" + GOOD + b", " + body + b"]"
        assert_refused(outcome_of(Message, whole, format=format, **options), 1)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", [b"", b"event: error\n", b"event:error\r\nid: 1\r\n"])
def test_in_an_event(name, options):
    for value in ({"error": STATUS}, [{"error": STATUS}], STATUS):
        data = b"data: " + json.dumps(value).encode() + b"\n\n"
        body = b"data: " + GOOD + b"\n\n" + name + data
        assert_refused(outcome_of(Message, body, **options), 1)
        pretty = json.dumps(value, indent=1).replace("\n", "\ndata:")
        body = b"data: " + GOOD + b"\n\n" + name + b"data:" + pretty.encode() + b"\n\n"
        assert_refused(outcome_of(Message, body, format="sse", **options), 1)


@for_each(
    ("value", "code", "status", "message"),
    [
        ({"error": {"code": 8}, "requestId": "x"}, 8, "", ""),
        ({"took": 3, "error": {"message": "m"}, "role": "a"}, 0, "", "m"),
        ({"jsonrpc": "2.0", "id": 4, "error": {"code": -32000, "message": "m"}}, -32000, "", "m"),
        ({"code": 14, "message": "backend gone"}, 14, "", "backend gone"),
        ({"message": "m", "details": [], "code": "14"}, 14, "", "m"),
        ({"code": "unavailable", "message": "m"}, 0, "unavailable", "m"),
        ({"error": "text"}, 0, "", "text"),
        ({"error": "invalid_grant", "error_description": "d"}, 0, "", "invalid_grant: d"),
        ({"error": "text", "code": 5, "message": "text"}, 5, "", "text"),
        ({"error": "Bad Gateway", "status": 502, "path": "/x"}, 502, "", "Bad Gateway"),
        ({"statusCode": 503, "error": "Unavailable", "message": "m"}, 503, "", "Unavailable: m"),
        ({"error": True, "reason": "Not Found"}, 0, "", "Not Found"),
        ({"error": 401, "message": "who?"}, 401, "", "who?"),
        ({"error": [{"code": 3, "message": "m"}]}, 3, "", "m"),
        ({"error": {"grpc_code": 3, "http_code": 400, "message": "m"}}, 400, "", "m"),
        ({"title": "Forbidden", "status": 403, "detail": "d"}, 403, "", "d"),
        ({"errors": [{"message": "a"}, {"message": "b"}]}, 0, "", "a; b"),
        ({"fault": {"faultstring": "f", "detail": {"errorcode": "x"}}}, 0, "", "f"),
        ({"fault": {"code": 900802, "message": "m"}}, 900802, "", "m"),
        ({"statusCode": 401, "message": "no key"}, 401, "", "no key"),
        ({"status": 503, "message": "no upstream"}, 503, "", "no upstream"),
        ({"error": 429}, 429, "", ""),
        ({"error": "429"}, 429, "", ""),
        ({"error": "503", "message": "m"}, 503, "", "m"),
        ({"error": "14", "reason": "m"}, 14, "", "m"),
        ({"error": "7"}, 0, "", "7"),
        ({"result": {"error": {"code": 8, "message": "m"}}}, 8, "", "m"),
        ({"result": {"code": 8, "message": "m"}}, 8, "", "m"),
        ({"result": [{"error": {"code": 8}}]}, 8, "", ""),
        ({"result": {"result": {"error": "x"}}}, 0, "", "x"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"error": {"code": 8}}}, 8, "", ""),
        ({"serverMessage": {"error": {"code": 8}}}, 8, "", ""),
        ({"error": {}}, 0, "", ""),
        ({"error": {"error": {"code": 8, "message": "m"}}}, 8, "", "m"),
        ({"error": {"status": {"code": 8, "message": "m"}}}, 8, "", "m"),
        ({"error": {"code": 8, "cause": {"why": "ů"}}}, 8, "", '{"cause": {"why": "ů"}}'),
        ({"error": {"x": "y" * 999}}, 0, "", '{"x": "' + "y" * 192 + "…"),
        ({"code": "unavailable"}, 0, "unavailable", ""),
        ({"code": "resource_exhausted", "details": []}, 0, "resource_exhausted", ""),
        ({"errors": ["a", "b"]}, 0, "", "a; b"),
        ({"errors": {"name": ["a", "b"], "x": "c"}}, 0, "", "name: a; name: b; x: c"),
        ({"message": "Invalid.", "errors": {"x": ["a"]}}, 0, "", "Invalid: x: a"),
        ({"title": "T", "status": 400, "errors": {"x": ["a"]}}, 400, "", "T: x: a"),
        ({"detail": [{"loc": ["body"], "msg": "a", "type": "t"}]}, 0, "", "a"),
        ({"success": False, "message": "m"}, 0, "", "m"),
        ({"ok": False, "description": "m", "error_code": 401}, 401, "", "m"),
        ({"status": "error", "message": "m"}, 0, "error", "m"),
        ({"status": "fail", "code": "x", "message": "m"}, 0, "fail", "m"),
        ({"type": "error", "message": "m", "code": 429}, 429, "", "m"),
        ({"__type": "ThrottlingException", "message": "m"}, 0, "ThrottlingException", "m"),
        ({"errorMessage": "m", "errorType": "Runtime"}, 0, "Runtime", "m"),
        ({"error_code": 429, "error_msg": "m"}, 429, "", "m"),
        ({"message": "m", "errorCode": "INVALID_SESSION"}, 0, "INVALID_SESSION", "m"),
    ],
)
@for_each("options", OPTIONS)
def test_forms_of_gateways(value, code, status, message, options):
    for body in (json.dumps(value).encode(), json.dumps([{"role": "a"}, value]).encode()):
        found, error = outcome_of(Message, body, **options)
        assert found == [Message(role="a")] * (body[0] == ord("["))
        assert type(error) is StreamError
        assert (error.code, error.status, error.message) == (code, status, message)


@for_each(
    ("code", "expected"),
    [
        ("429", 429),
        ('"429"', 429),
        ("429.0", 429),
        ("4.29e2", 429),
        ('"4.29e2"', 429),
        ("-1", -1),
        ("2147483647", 2147483647),
        ("2147483648", 0),
        ("-2147483649", 0),
        ("1e999", 0),
        ("429.5", 0),
        ("1" * 5000, 0),
        ("true", 0),
        ("false", 0),
        ("null", 0),
        ('"x"', 0),
        ("[]", 0),
        ("{}", 0),
    ],
)
def test_codes_are_read_by_the_rules_of_the_json_mapping(code, expected):
    body = f'[{{"error": {{"code": {code}, "message": "m"}}}}]'.encode()
    _, error = outcome_of(Message, body)
    assert type(error) is StreamError
    assert (error.code, type(error.code), error.message) == (expected, int, "m")


@pytest.mark.parametrize("details", ["null", '"x"', "{}", "5", "true"])
def test_details_that_are_not_a_list_are_left_out(details):
    _, error = outcome_of(Message, b'{"error": {"code": 5, "details": %s}}' % details.encode())
    assert (error.code, error.details) == (5, ())


@for_each("text", [rb"Too much \ud83d", rb"\udc00", rb"\ude00\ud83d x", b"\xed\xa0\x80", b"\xff"])
@for_each(
    "form",
    [
        b'{"error": {"message": "%s", "status": "%s", "details": [{"%s": ["%s"]}]}}',
        b'{"error": "%s", "error_description": "%s", "details": ["%s", "%s"]}',
        b'event: error\ndata: {"message": "%s", "status": "%s", "details": ["%s", "%s"]}\n\n',
        b"event: error\ndata: %s%s%s%s\n\n",
    ],
)
def test_all_of_an_error_can_be_printed(form, text):
    _, error = outcome_of(Message, form.replace(b"%s", text))
    assert type(error) is StreamError
    shown = f"{error} {error.message} {error.status} {json.dumps(error.details)} {error.details}"
    assert shown.encode().decode() == shown
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_pair_of_surrogates_is_its_character():
    _, error = outcome_of(Message, rb'{"error": {"message": "\ud83d\ude00"}}')
    assert error.message == "\N{GRINNING FACE}"


@pytest.mark.parametrize(
    "data", [b"overloaded", b'"overloaded"', b'{"detail": "overloaded"}', b'{"msg":"overloaded"}']
)
def test_any_data_of_an_event_that_is_named_error(data):
    body = b"data: %s\n\nevent: error\ndata: %s\n\ndata: %s\n\n" % (GOOD, data, GOOD)
    for options in OPTIONS:
        found, error = outcome_of(Message, body, **options)
        assert found == [Message(role="a")]
        assert type(error) is StreamError
        assert (error.message, error.index) == ("overloaded", 1)


@pytest.mark.parametrize("body", [b"event: error\n\n", b"event: error", b"event: error\ndata:\n\n"])
def test_an_event_that_is_named_error_needs_no_data(body):
    _, error = outcome_of(Message, b"data: {}\n\n" + body)
    assert type(error) is StreamError


def test_only_the_whole_name_is_error():
    for name in (b"errors", b"no error", b"Error", b"message"):
        body = b"event: %s\ndata: %s\n\n" % (name, GOOD)
        assert outcome_of(Message, body) == ([Message(role="a")], None)
    body = b"event: error\nevent: message\ndata: %s\n\n" % GOOD
    assert outcome_of(Message, body) == ([Message(role="a")], None)
    body = b'data: {"role": "event: error"}\n\n'
    assert outcome_of(Message, body) == ([Message(role="event: error")], None)


@pytest.mark.parametrize(
    ("data", "count"),
    [(b"[]", 0), (b"[%s]", 1), (b" [%s , %s]", 2), (b"[%s,\ndata: %s\ndata: ]", 2)],
)
def test_an_array_as_data_is_its_elements(data, count):
    event = b"data: " + data.replace(b"%s", GOOD) + b"\n\n"
    body = b"data: %s\n\n" % GOOD + event + b"id: 1\n" + event
    found, error = outcome_of(Message, body)
    assert (found, error) == ([Message(role="a")] * (1 + 2 * count), None)


def test_elements_of_an_array_in_an_event_have_an_index_each():
    body = b'data: [%s, {"role": 5}, %s]\n\ndata: {"role": 6}\n\n' % (GOOD, GOOD)
    left_out = []
    outcome = outcome_of(Message, body, on_error=lambda error: left_out.append(error.index))
    assert outcome == ([Message(role="a")] * 2, None)
    assert set(left_out) == {1, 3}
    _, error = outcome_of(Message, b"data: [%s, ]\n\n" % GOOD)
    assert (type(error), error.index) == (ParseError, 0)


@for_each(
    "element",
    [
        b'{"newThing": {"x": 1}}',
        b'{"newThing": {"error": {"code": 5}}}',
        b'{"newThing": {"role": "a"}}',
        b'{"newThing": [{"code": 5, "message": "m"}]}',
        b'{"newThing": "error"}',
        b'{"newThing": null}',
        b'{"error": null}',
        b'{"error": false}',
        b'{"error": ""}',
        b'{"error": []}',
        b'{"error": 5}',
        b'{"detail": "boom"}',
        b'{"message": "m"}',
        b'{"code": true, "message": "m"}',
        b'{"code": 0, "message": "m"}',
        b'{"code": 5}',
        b'{"code": 200, "message": "ok", "data": {}}',
        b'{"status": 403}',
        b'{"title": "t", "status": 200}',
        b'{"errors": []}',
        b'{"errors": {}}',
        b'{"errors": [{"x": 1}]}',
        b'{"errors": [1, null]}',
        b'{"detail": [{"msg": "m"}]}',
        b'{"detail": ["m"]}',
        b'{"success": true, "message": "m"}',
        b'{"success": false}',
        b'{"ok": null, "message": "m"}',
        b'{"status": "done", "message": "m"}',
        b'{"type": "error"}',
        b'{"type": "text", "message": "m"}',
        b'{"errorMessage": ""}',
        b'{"errorCode": 0, "message": "m"}',
        b'{"code": "unavailable", "newThing": 1}',
        b'{"code": "UNAVAILABLE"}',
        b'{"code": "en"}',
    ],
)
def test_frames_of_a_newer_service_are_messages(element):
    body = b"[%s, %s]" % (GOOD, element)
    assert outcome_of(Message, body, unknown="ignore") == ([Message(role="a"), Message()], None)
    found, error = outcome_of(Message, body, unknown="error")
    assert found == [Message(role="a")]
    assert (type(error), error.kind, error.index) == (ParseError, "unknown", 1)


def test_members_beside_known_ones_are_not_a_status():
    body = b'{"role": "a", "code": 5, "message": "m"}'
    assert outcome_of(Message, body, unknown="ignore") == ([Message(role="a")], None)


def test_an_error_inside_of_a_message_is_data():
    body = b'[{"systemMessage": {"error": {"text": "no table"}}}]'
    found, error = outcome_of(gda.Message, body)
    assert error is None
    assert found[0].system_message.error.text == "no table"


def message_class(*names):
    """Makes a class whose fields are messages of the same class."""
    file = FileDescriptorProto(name="e.proto", package="e", syntax="proto3")
    message = file.message_type.add(name="E")
    for number, name in enumerate(names, 1):
        message.field.add(
            name=name, number=number, type=11, label=1, type_name=".google.protobuf.Value"
        )
    file.dependency.append("google/protobuf/struct.proto")
    pool = DescriptorPool()
    values = FileDescriptorProto()
    Struct.DESCRIPTOR.file.CopyToProto(values)
    pool.Add(values)
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("e.E"))


@pytest.mark.parametrize("unknown", ["error", "ignore"])
@pytest.mark.parametrize(
    ("names", "value"),
    [
        (["error"], {"error": {"code": 5, "message": "m"}}),
        (["error"], {"error": "text"}),
        (["code", "message"], {"code": 5, "message": "m"}),
        (["code", "message", "details"], {"code": 5, "message": "m", "details": []}),
        (["message", "code"], {"message": "m", "code": 14}),
        (["title", "status"], {"title": "t", "status": 404}),
        (["errors"], {"errors": [{"message": "m"}]}),
        (["result"], {"result": {"result": 1}}),
    ],
)
def test_the_message_type_goes_first(names, value, unknown):
    cls = message_class(*names)
    for body in (json.dumps(value), f"data: {json.dumps(value)}\n\n", json.dumps([value])):
        found, error = outcome_of(cls, body.encode(), unknown=unknown)
        assert error is None
        assert found[0].IsInitialized()
        assert len(found[0].ListFields()) == len(names)


def test_a_type_that_knows_some_of_the_names():
    cls = message_class("code")
    _, error = outcome_of(cls, b'{"error": {"code": 5, "message": "m"}}', unknown="ignore")
    assert (type(error), error.code) == (StreamError, 5)
    found, error = outcome_of(cls, b'{"code": 5, "message": "m"}', unknown="ignore")
    assert (len(found), error) == (1, None)
    cls = message_class("error")
    _, error = outcome_of(cls, b'{"code": 5, "message": "m"}', unknown="ignore")
    assert (type(error), error.code) == (StreamError, 5)
    body = b'event: error\ndata: {"error": {"x": 1}}\n\n'
    found, error = outcome_of(cls, body)
    assert (len(found), error) == (1, None)


@for_each("options", OPTIONS)
def test_a_member_that_is_not_of_its_type_is_not_data(options):
    for text in (b'{"code": 14, "message": "gone"}', b'{"message": "gone", "errorCode": 14}'):
        found, error = outcome_of(gda.StorageMessage, text, **options)
        assert (found, type(error), error.code) == ([], StreamError, 14)
    others = (b'{"message": "gone"}', b'{"code": 14, "message": "gone", "messageId": "m"}')
    for text in (b'{"code": 14, "message": []}', *others):
        _, error = outcome_of(gda.StorageMessage, text, unknown="ignore")
        assert (type(error), error.kind) == (ParseError, "type")


def test_a_struct_has_no_errors_of_a_service():
    body = b'{"error": {"code": 5}}\n{"code": 5, "message": "m"}\n{"result": {}}\n'
    found, error = outcome_of(Struct, body, unknown="error")
    assert (len(found), error) == (3, None)


def test_a_refusal_over_lines_that_is_cut_off_is_not_passed_over():
    body = b'{"role": "a"}\n{\n  "error": {\n    "code": 5,\n'
    for format in ("ndjson", "auto"):
        found, error = outcome_of(Message, body, format=format, **TOLERANT)
        assert found == [Message(role="a")]
        assert (error.kind, error.index) == ("truncated", 1)
    body = b'data: {"role": "a"}\n\n{\n  "error": {\n    "code": 5,\n'
    found, error = outcome_of(Message, body, **TOLERANT)
    assert (found, error.kind) == ([Message(role="a")], "truncated")


@for_each("opening", [b"{", b"[", b"[{", b'{"error": {', b"[ {"])
@for_each("bad", [b"", b"  oops\n", b'  "x": 1,\n', b'"open\n'])
def test_lines_that_only_begin_like_a_refusal_leave_the_next_ones_alone(opening, bad):
    body = GOOD + b"\n" + opening + b"\n" + bad + (GOOD + b"\n") * 2
    if opening == b"[" and not bad:
        return  # an array over lines
    found, error = outcome_of(Message, body, format="ndjson", on_error="skip")
    assert (found, error) == ([Message(role="a")] * 3, None)


def test_another_value_over_lines_is_one_bad_element():
    body = GOOD + b'\n{\n  "role": "b"\n}\n' + GOOD + b"\n"
    found, error = outcome_of(Message, body, format="ndjson")
    assert found == [Message(role="a")]
    assert (error.kind, error.index) == ("syntax", 1)
    assert "got a value over several lines" in str(error)
    found, error = outcome_of(Message, body, format="ndjson", on_error="skip")
    assert (found, error) == ([Message(role="a")] * 2, None)


def test_other_raw_json_is_an_error_of_the_stream():
    for raw in (b'{"role": "b"}\n', b'{\n"role": "b"\n}\n', b"[]\n", b"[1\n\ndata: {}\n\n"):
        body = b"data: %s\n\n" % GOOD + raw + b"data: %s\n\n" % GOOD
        found, error = outcome_of(Message, body, **TOLERANT)
        assert found == [Message(role="a")]
        assert (type(error), error.kind, error.index) == (ParseError, "syntax", 1)


@pytest.mark.parametrize("part", [b"{\n", b'{"a": [\n', b"{}\n[{\n", b"{\n{}\n", b"[\n{}\n"])
def test_many_openings_take_time_once_for_each(part):
    # One chunk: a search through its rest for each of them would take many seconds.
    elements = Framer("ndjson").feed(GOOD + b"\n" + part * 10_000)
    assert elements[0] == GOOD
    assert len(elements) > 9_900 or part == b"{\n"


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("empty", [None, []])
def test_beside_an_empty_place_of_messages(empty, options):
    body = b'{"result": ' + GOOD + b"}\n" + json.dumps({"result": empty, "error": STATUS}).encode()
    assert_refused(outcome_of(Message, body, at="result", **options), 1)


def large(before, value, after):
    """An object of some members and very many others before and after them."""
    members = [f'"x{n}": [{{}}]' for n in range(before)]
    members += [f"{json.dumps(name)}: {json.dumps(member)}" for name, member in value.items()]
    members += [f'"y{n}": []' for n in range(after)]
    return ("{" + ", ".join(members) + "}").encode()


@for_each("options", [{"unknown": "error"}, TOLERANT])
@for_each(("before", "after"), [(0, 6000), (6000, 0)])
@for_each("value", [{"error": STATUS}, STATUS, {"result": {"error": STATUS}}])
def test_among_very_many_members(value, before, after, options):
    text = large(before, value, after)
    for body in (text, b"[[" + b"[], " * 5_000 + text + b"]]"):
        with pytest.raises(StreamError) as caught:
            list(read(Message, body, **options))
        assert_refused(([], caught.value))


def test_a_message_of_very_many_unknown_members_is_one():
    for value in ({"role": "a", "code": 3, "message": "m"}, {"role": "a"}):
        for before, after in ((0, 6000), (90, 6000)):
            body = large(before, value, after)
            assert list(read(Message, body, unknown="ignore")) == [Message(role="a")]
    assert list(read(Message, large(6000, {"x": 1}, 0), unknown="ignore")) == [Message()]


def test_a_name_with_escapes_among_very_many_members():
    body = large(6000, {"error": STATUS}, 0).replace(b'"error"', rb'"\u0065rror"')
    with pytest.raises(StreamError):
        list(read(Message, body))


@for_each("details", [0, 1, 5000])
def test_an_error_of_many_details_is_complete(details):
    status = {**STATUS, "details": STATUS["details"] * details}
    with pytest.raises(StreamError) as caught:
        list(read(Message, json.dumps([{"error": status}]).encode()))
    assert caught.value.details == tuple(status["details"])


@for_each(
    ("body", "unknown"),
    [
        (b'{"u":[' + b"[]," * 60_000 + b"[]]}", "ignore"),
        (b'{"u":[' + b"{}," * 60_000 + b"[]]}", "warn"),
        (b'{"u":{"v":[' + b"1," * 90_000 + b"1]}}", "ignore"),
        (b'{"u":[' + b'[["a"]],' * 20_000 + b"1]}", "ignore"),
        (b'{"code":[' + b"[]," * 60_000 + b"[]]}", "ignore"),
        (b'[{"code":1}' + b',{"code":1}' * 15_000 + b"]", "skip"),
    ],
)
def test_looking_for_a_refusal_takes_memory_in_proportion(body, unknown):
    assert peak_of(lambda: json_value(body)) < 15 * len(body)


def test_text_that_is_not_json_is_no_value():
    for text in (b"", b"x", b"{", b'{"a"', b"[1,"):
        assert json_value(text) is None
        assert json_value(b'{"u":[' + b"[]," * 30_000 + text) is None
