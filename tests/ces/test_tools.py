"""The content of one tool call or response, and the answer to a call."""

from __future__ import annotations

import pytest

from turnwire import ParseError, ces, from_dict

TOOLS = "projects/p/locations/eu/apps/a/tools"


class TestOneMessage:
    @pytest.mark.parametrize(
        ("fields", "name"),
        [
            ({"tool": f"{TOOLS}/ring", "displayName": "Bell"}, "ring"),
            ({"tool": "ring"}, "ring"),
            ({"toolsetTool": {"toolset": "x/y", "toolId": "ring"}, "displayName": "Bells"}, "ring"),
            ({"toolsetTool": {"toolset": "x/y"}, "displayName": "Bells"}, "Bells"),
            ({"tool": f"{TOOLS}/", "displayName": "Bell"}, "Bell"),
            ({"displayName": "Bell"}, "Bell"),
            ({}, ""),
        ],
    )
    def test_tool_name(self, fields: dict[str, object], name: str) -> None:
        for message_class in (ces.ToolCall, ces.ToolResponse):
            assert ces.tool_name_of(from_dict(message_class, fields)) == name

    @pytest.mark.parametrize(
        ("response", "status", "result", "error"),
        [
            ({"output": 0}, "ok", 0, None),
            ({"output": None}, "ok", None, None),
            ({"output": {"output": 1}}, "ok", {"output": 1}, None),
            ({"output": 1, "error": None}, "ok", 1, None),
            ({"output": [1], "error": "late"}, "error", [1], "late"),
            ({"error": None}, "ok", None, None),
            ({"error": ""}, "error", None, ""),
            ({"error": False}, "error", None, False),
            ({"error": {"code": 7}}, "error", None, {"code": 7}),
            ({"Output": 1}, "ok", {"Output": 1}, None),
            ({"a": {"error": "inner"}}, "ok", {"a": {"error": "inner"}}, None),
            ({}, "ok", {}, None),
        ],
    )
    def test_result_and_error(
        self, response: dict[str, object], status: str, result: object, error: object
    ) -> None:
        made = from_dict(ces.ToolResponse, {"id": "1", "response": response})
        before = made.SerializeToString(deterministic=True)
        assert (ces.result_of(made), ces.error_of(made)) == (result, error)
        assert ces.ToolExchange(None, made).status == status
        assert made.SerializeToString(deterministic=True) == before

    def test_a_response_without_its_struct(self) -> None:
        made = ces.ToolResponse(id="1")
        assert (ces.result_of(made), ces.error_of(made)) == ({}, None)
        assert not made.HasField("response")

    def test_whole_numbers_are_int(self) -> None:
        made = from_dict(ces.ToolCall, {"args": {"a": 3, "b": 0.5, "c": [-4.0]}})
        args = ces.args_of(made)
        assert args == {"a": 3, "b": 0.5, "c": [-4]}
        assert [type(args["a"]), type(args["c"][0])] == [int, int]


class TestRespond:
    def test_carries_the_id_and_the_identifier_and_nothing_else(self) -> None:
        fields = {
            "id": "7",
            "toolsetTool": {"toolset": "s", "toolId": "t"},
            "displayName": "T",
            "parentToolCallId": "6",
            "agentName": "A",
            "args": {"a": 1},
        }
        made = from_dict(ces.ToolCall, fields)
        before = made.SerializeToString(deterministic=True)
        assert ces.respond(made, output=[1, None]) == from_dict(
            ces.ToolResponse,
            {
                "id": "7",
                "toolsetTool": {"toolset": "s", "toolId": "t"},
                "response": {"output": [1, None]},
            },
        )
        assert made.SerializeToString(deterministic=True) == before
        plain = ces.ToolCall(tool="a/b", id="8")
        assert ces.respond(plain, error="no").tool == "a/b"
        assert ces.respond(ces.ToolCall(), output=1).WhichOneof("tool_identifier") is None

    def test_output_and_error(self) -> None:
        both = ces.respond(ces.ToolCall(), output=1, error="late")
        assert (ces.result_of(both), ces.error_of(both)) == (1, "late")
        nothing = ces.respond(ces.ToolCall(), output=None)
        assert "output" in nothing.response.fields

    def test_needs_an_answer(self) -> None:
        with pytest.raises(TypeError, match="output"):
            ces.respond(ces.ToolCall())

    @pytest.mark.parametrize("value", [2**53, 2**60, -(2**60), 10**22])
    def test_takes_an_integer_that_a_double_is_equal_to(self, value: int) -> None:
        assert ces.result_of(ces.respond(ces.ToolCall(), output=value)) == value

    @pytest.mark.parametrize("value", [2**53 + 1, {1, 2}, b"raw", float("nan")])
    def test_refuses_values_that_would_not_arrive(self, value: object) -> None:
        with pytest.raises(ParseError):
            ces.respond(ces.ToolCall(), output=value)
