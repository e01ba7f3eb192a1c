"""The content of one tool call or tool response, and the answer to a call."""

from __future__ import annotations

from typing import Any, assert_never

from google.protobuf.struct_pb2 import Struct
from turnwire_schema.ces.v1.tool_pb2 import ToolCall, ToolResponse, ToolResponses

from turnwire._arguments import require
from turnwire.protojson import from_dict, to_dict

OUTPUT_KEY = "output"
ERROR_KEY = "error"


class _Missing:
    """The type of the default that stands for an argument that was not given."""

    def __repr__(self) -> str:
        return "<not given>"


_MISSING = _Missing()


def tool_name_of(message: ToolCall | ToolResponse) -> str:
    """The name of the tool, as its app knows it.

    It is ``toolsetTool.toolId``, else the last segment of ``tool``, else ``displayName``. The
    display name comes last because it may be the toolset's, the same for all of its tools.

    Returns:
        The name; ``""`` where the message names no tool.

    Raises:
        TypeError: The argument is neither a call nor a response.

    >>> from turnwire import ces
    >>> tool = "projects/p/locations/eu/apps/a/tools/ring_bell"
    >>> ces.tool_name_of(ces.ToolCall(tool=tool, display_name="Bell"))
    'ring_bell'
    """
    require(message, ToolCall, ToolResponse)
    return message.toolset_tool.tool_id or last_segment(message.tool) or message.display_name


def last_segment(resource_name: str) -> str:
    """The part of a resource name after its last slash."""
    return resource_name.rpartition("/")[2]


def args_of(call: ToolCall) -> dict[str, Any]:
    """The arguments of a call as a plain dict.

    Whole numbers below 10**16 are ``int``, larger ones ``float``: the API's numbers are doubles.

    Raises:
        TypeError: The argument is not a call.
        SerializeError: The arguments hold a number that JSON does not have, such as NaN.

    >>> from turnwire import ces, from_dict
    >>> ces.args_of(from_dict(ces.ToolCall, {"args": {"bed": 2}}))
    {'bed': 2}
    """
    require(call, ToolCall)
    return struct_to_dict(call.args)


def result_of(response: ToolResponse) -> Any:
    """The tool's result as a plain JSON value.

    The reference page's rule: the result is under ``output``. Where the response has neither an
    ``output`` nor an ``error`` key, the whole response is the result. A result may be there
    beside an error.

    Returns:
        The result; None where there is none. Text that holds JSON stays text.

    Raises:
        TypeError: The argument is not a response.
        SerializeError: The result holds a number that JSON does not have, such as NaN.

    >>> from turnwire import ces, from_dict
    >>> ces.result_of(from_dict(ces.ToolResponse, {"response": {"output": [1, 2]}}))
    [1, 2]
    >>> ces.result_of(from_dict(ces.ToolResponse, {"response": {"printed": True}}))
    {'printed': True}
    """
    require(response, ToolResponse)
    fields = response.response.fields
    if OUTPUT_KEY in fields:
        return to_dict(fields[OUTPUT_KEY])
    return None if ERROR_KEY in fields else struct_to_dict(response.response)


def error_of(response: ToolResponse) -> Any:
    """The tool's error as a plain JSON value: the member ``error``, if it is not null.

    Returns:
        The error, of any JSON type, also an empty one; None where there is none.

    Raises:
        TypeError: The argument is not a response.
        SerializeError: The error holds a number that JSON does not have, such as NaN.

    >>> from turnwire import ces, from_dict
    >>> ces.error_of(from_dict(ces.ToolResponse, {"response": {"error": "no such parcel"}}))
    'no such parcel'
    """
    return to_dict(response.response.fields[ERROR_KEY]) if has_error(response) else None


def has_error(response: ToolResponse) -> bool:
    """Returns whether the response reports an error: its ``error`` is there and not null."""
    require(response, ToolResponse)
    fields = response.response.fields
    # Membership first: looking up a missing key would create it in the message.
    return ERROR_KEY in fields and fields[ERROR_KEY].WhichOneof("kind") not in (None, "null_value")


def respond(call: ToolCall, *, output: Any = _MISSING, error: Any = _MISSING) -> ToolResponse:
    """Answers a tool call: a response with the call's ``id`` and tool identifier.

    Args:
        call: The call to answer; it is not changed.
        output: The result: any JSON value, None included.
        error: What went wrong: any JSON value. It may stand beside an ``output``.

    Returns:
        The response, to be sent with `tool_responses`. Output-only fields are left out.

    Raises:
        TypeError: Neither ``output`` nor ``error`` was given, or the argument is not a call.
        ParseError: A value is not JSON, or it holds an integer that would arrive as another one,
            such as 2**53 + 1: the API's numbers are doubles, and no double is equal to it. Send
            such a number as text. (2**60 is a double, and is sent.)

    >>> from turnwire import ces
    >>> call = ces.ToolCall(id="m-1", tool="projects/p/locations/eu/apps/a/tools/read")
    >>> response = ces.respond(call, output={"celsius": -4})
    >>> response.id, ces.tool_name_of(response), ces.result_of(response)
    ('m-1', 'read', {'celsius': -4})
    """
    require(call, ToolCall)
    given = {
        key: value
        for key, value in ((OUTPUT_KEY, output), (ERROR_KEY, error))
        if value is not _MISSING
    }
    if not given:
        raise TypeError("respond() needs output=… or error=…; output=None answers with null")
    response = ToolResponse(id=call.id, response=from_dict(Struct, given, lossy_numbers="error"))
    match call.WhichOneof("tool_identifier"):
        case "tool":
            response.tool = call.tool
        case "toolset_tool":
            response.toolset_tool.CopyFrom(call.toolset_tool)
        case None:
            pass
        case _ as kind:
            assert_never(kind)
    return response


def tool_responses(*responses: ToolResponse) -> ToolResponses:
    """Puts responses together for the next `SessionInput`.

    A session goes on when every call of the turn is answered. The responses are single
    arguments: ``tool_responses(*responses)``.

    Raises:
        TypeError: One of them is not a response.

    >>> from turnwire import ces
    >>> calls = [ces.ToolCall(id="m-1"), ces.ToolCall(id="m-2")]
    >>> answers = ces.tool_responses(*(ces.respond(call, output="done") for call in calls))
    >>> request = ces.RunSessionRequest(inputs=[ces.SessionInput(tool_responses=answers)])
    >>> [response.id for response in request.inputs[0].tool_responses.tool_responses]
    ['m-1', 'm-2']
    """
    for response in responses:
        require(response, ToolResponse)
    return ToolResponses(tool_responses=responses)


def struct_to_dict(struct: Struct) -> dict[str, Any]:
    """A Struct as a plain dict; whole numbers below 10**16 are ``int``."""
    plain: dict[str, Any] = to_dict(struct)
    return plain
