"""Recognizes the errors of a service among the elements of a stream.

APIs send a google.rpc.Status in a member `error`; gateways and libraries before them have forms of
their own. `docs/streams.md` lists them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from google.protobuf.wrappers_pb2 import Int32Value
from google.rpc import code_pb2  # type: ignore[import-untyped]

from turnwire.errors import ParseError, StreamError
from turnwire.protojson import from_dict
from turnwire.streams._outline import Knows, outline

_CODES = ("code", "http_code", "httpCode", "statusCode", "status_code", "status", "grpc_code")
_HTTP_CODES = ("status", "statusCode", "status_code", "http_code", "httpCode")
_STATUSES = ("status", "http_status", "code")
_TEXTS = ("message", "msg", "detail", "error_description", "reason", "description", "title")
_ERROR_TEXTS = ("errorMessage", "error_message", "errorMsg", "error_msg")
_ERROR_CODES = ("errorCode", "error_code", "errorType", "__type")
ERROR_MEMBERS = frozenset(
    {"error", "errors", "fault", *_CODES, *_TEXTS, *_ERROR_TEXTS, *_ERROR_CODES}
)
"""The members by which an error of a service is recognized; their values decide."""

_BESIDE_TEXT = ("error_description", "message", "detail", "reason")
# Gateways write each element, and so an error instead of one, into a member of these names.
_WRAPPERS = frozenset({"result", "serverMessage", "server_message"})
_TELLING = ERROR_MEMBERS.union(
    {"faultstring", "details", "success", "ok", "type", "loc"}, _STATUSES, _BESIDE_TEXT, _WRAPPERS
)
_MAX_DEPTH = 4
_MAX_SHOWN = 200
_CANONICAL = {*code_pb2.Code.keys(), "CANCELED"}


def json_value(text: bytes, knows: Knows = lambda name: False) -> object:
    """Returns JSON text as Python values, or as much of them as `refusal_in` looks at."""
    return outline(text, _TELLING, knows)


def refusal_in(value: object, knows: Knows, depth: int = _MAX_DEPTH) -> StreamError | None:
    """Returns the error of the service that a JSON value is, or that an array or wrapper holds.

    A member that the message type knows is data of the message, whatever its name is.
    """
    members = _dict(value)
    if members is not None:
        return _refusal(members, knows, depth)
    items = _list(value) if depth else None
    found = (refusal_in(item, knows, depth - 1) for item in items or ())
    return next(filter(None, found), None)


def refusal_of_event(data: bytes, knows: Knows) -> StreamError | None:
    """Returns the error that the data of an event named ``error`` is.

    It is always one, except where the message type has a field ``error`` and this is it.
    """
    value = json_value(data)
    members = _dict(value)
    if members is not None and "error" in members and knows("error"):
        return None
    found = refusal_in(value, lambda name: False)
    if found:
        return found
    text = value if isinstance(value, str) else data.decode(errors="replace")
    if members is None:
        return StreamError(text)
    return _error(members, text=_first_text(members) or text)


def _refusal(members: Mapping[str, Any], knows: Knows, depth: int) -> StreamError | None:
    if "error" in members and not knows("error"):
        found = _from_error_member(members)
        if found:
            return found
    if any(knows(name) for name in members):
        return None
    for name in _WRAPPERS & members.keys() if depth else ():
        if found := refusal_in(members[name], knows, depth - 1):
            return found
    fault = _dict(members.get("fault")) or {}
    if text := _text(fault.get("faultstring")) or _text(fault.get("message")):
        return _error(fault, text=text)
    listed = [each for each in map(_dict, _list(members.get("errors")) or []) if each]
    if listed and (text := "; ".join(filter(None, map(_first_text, listed)))):
        return _error({**members, **listed[0]}, text=text)
    if text := _text_of_a_library(members):
        code = next((members[name] for name in _ERROR_CODES if name in members), None)
        return _error({"code": code, **members}, text=text)
    if _is_status(members) or _is_problem(members):
        return _error(members)
    return None


def _text_of_a_library(members: Mapping[str, Any]) -> str:
    """Returns the text of an error as frameworks of web services write it; "" for all else."""
    if text := next(_texts(members, _ERROR_TEXTS), ""):
        return text
    says_no = members.get("success") is False or members.get("ok") is False
    is_named = any(members.get(name) in ("error", "fail") for name in ("status", "type"))
    has_code = any(_text(members.get(name)) or _int32(members.get(name)) for name in _ERROR_CODES)
    if (says_no or is_named or has_code) and (text := _first_text(members)):
        return text
    # The fields of a request that a validator refused.
    faults = members.get("errors")
    if faults and (texts := _all_texts(faults)):
        return ": ".join(filter(None, [_first_text(members).rstrip("."), "; ".join(texts)]))
    items = [each for each in map(_dict, _list(members.get("detail")) or []) if each]
    return "; ".join(_first_text(each) for each in items if "loc" in each)


def _all_texts(faults: object) -> list[str]:
    """Returns the texts of a list of them, or of an object with texts for each field."""
    if fields := _dict(faults):
        return [f"{name}: {text}" for name, value in fields.items() for text in _all_texts(value)]
    return list(filter(None, map(_text, _list(faults) or [faults])))


def _from_error_member(members: Mapping[str, Any]) -> StreamError | None:
    """Reads ``{"error": …}``, with other members or without."""
    error = members["error"]
    error = error[0] if isinstance(error, list) and error else error
    status = _dict(error)
    if status is not None:
        # A proxy may put the error that it got into one more.
        inner = _dict(status.get("error")) or _dict(status.get("status"))
        if inner and not _first_text(status):
            status = {**status, "status": None, **inner}
        return _error(status) if status or len(members) == 1 else None
    beside = [text for name in _BESIDE_TEXT if (text := _text(members.get(name)))]
    number = _int32(error)
    if 400 <= number < 600 or (beside and (error is True or number)):
        return _error({"code": error, **members}, text=": ".join(dict.fromkeys(beside)))
    if text := _text(error):
        return _error(members, text=": ".join(dict.fromkeys([text, *beside])))
    return None


def _is_status(members: Mapping[str, Any]) -> bool:
    """Returns whether this is a google.rpc.Status, whose code may be given by its name.

    Gateways send a status of HTTP under another name.
    """
    code, text = members.get("code"), members.get("message", members.get("msg"))
    if text is None and isinstance(code, str) and members.keys() <= {"code", "message", "details"}:
        # The Connect protocol may leave out the text; its codes are in small letters.
        return code.islower() and code.upper() in _CANONICAL
    if not isinstance(text, str):
        return False
    if isinstance(code, str) and code.upper() in _CANONICAL:
        return True
    if any(400 <= _int32(members.get(name)) < 600 for name in _HTTP_CODES):
        return True
    number = _int32(code)
    # An envelope of a success: {"code": 200, "message": "ok", "data": …}.
    is_success = 200 <= number < 300 and bool(members.keys() - {"code", "message", "details"})
    return number != 0 and not is_success


def _is_problem(members: Mapping[str, Any]) -> bool:
    """Returns whether this is a problem of RFC 9457."""
    text = _text(members.get("title")) or _text(members.get("detail"))
    return bool(text) and 400 <= _int32(members.get("status")) < 600


def _error(status: Mapping[str, Any], text: str | None = None) -> StreamError:
    code = next(filter(None, (_int32(status.get(name)) for name in _CODES)), 0)
    names = (_text(status.get(name)) for name in _STATUSES)
    details = _list(status.get("details"))
    if text is None:
        text = _first_text(status) or _rest_of(status)
    return StreamError(
        text,
        code=code,
        status=next((name for name in names if name and not _int32(name)), ""),
        details=tuple(details or ()),
    )


def _rest_of(status: Mapping[str, Any]) -> str:
    """Returns an error's members of other names, as JSON: they may say what is wrong."""
    names = {*_CODES, *_STATUSES, *_TEXTS, "details"}
    rest = {name: value for name, value in status.items() if name not in names}
    shown = json.dumps(rest, ensure_ascii=False) if rest else ""
    return shown if len(shown) <= _MAX_SHOWN else shown[: _MAX_SHOWN - 1] + "…"


def _first_text(members: Mapping[str, Any]) -> str:
    return next(_texts(members, _TEXTS), "")


def _texts(members: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    return (text for name in names if (text := _text(members.get(name))))


def _int32(value: object) -> int:
    """Returns the int32 that the JSON mapping reads; 0 for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0
    try:
        return from_dict(Int32Value, value).value
    except ParseError:
        return 0


def _dict(value: object) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _list(value: object) -> list[Any] | None:
    return value if isinstance(value, list) else None


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
