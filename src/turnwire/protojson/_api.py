"""The four public functions, and the checks of what they are called with."""

from __future__ import annotations

from typing import Any, TypeVar

from google.protobuf.message import Message

from turnwire import _core
from turnwire.protojson._arguments import (
    check_indent,
    check_message,
    check_message_class,
    check_options,
)
from turnwire.protojson._reading import LossyNumbers, Unknown
from turnwire.protojson._style import Style

M = TypeVar("M", bound=Message)

_codecs = _core.codecs


def from_json(
    message_class: type[M],
    data: str | bytes | bytearray | memoryview,
    *,
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
) -> M:
    """Reads JSON text as a message.

    Args:
        message_class: Any generated protobuf message class.
        data: One JSON value, as text or as UTF-8 bytes.
        unknown: What to do with fields, enum names and ``Any`` types that are not known:
            ``"error"`` refuses them, ``"ignore"`` leaves them out, and a callable is told the path
            (a tuple of member names and indices) of each one that was left out.
        lossy_numbers: What to do with an integer in a ``Struct`` that a double cannot hold, one
            beyond 2**53: ``"round"`` it, as the specification says, or make it an ``"error"``.

    Returns:
        A new message.

    Raises:
        ParseError: The data is not the JSON of such a message. It says what was expected, what
            came and where.
        TypeError: ``message_class`` is not a protobuf message class.

    >>> from turnwire import ces
    >>> from_json(ces.ToolCall, '{"id": "c1", "args": {"n": 3}}').args["n"]
    3.0
    >>> left_out: list[tuple[str | int, ...]] = []
    >>> from_json(ces.ToolCall, '{"id": "c1", "colour": "red"}', unknown=left_out.append).id
    'c1'
    >>> left_out
    [('colour',)]
    """
    try:
        # The core accepts only what passes all checks below.
        message: M | None = _codecs[message_class].parse(data, unknown, lossy_numbers)
        if message is not None:
            return message
    except (KeyError, TypeError):
        # No codec was made yet, or this is no class at all.
        pass
    check_message_class(message_class)
    check_options(unknown, lossy_numbers)
    if not isinstance(data, str | bytes | bytearray | memoryview):
        raise TypeError(
            f"expected JSON as str or bytes, got {type(data).__name__}; "
            "use from_dict for values that are already read"
        )
    return _core.parse(message_class, data, unknown, lossy_numbers)


def from_dict(
    message_class: type[M],
    value: Any,
    *,
    unknown: Unknown = "error",
    lossy_numbers: LossyNumbers = "round",
) -> M:
    """Reads a message from JSON values in Python: dicts, lists, str, int, float, bool and None.

    The rules are those of `from_json`. A well-known type that is no object in JSON is read from
    what its JSON form is, a ``Timestamp`` from a str, say.

    Args:
        message_class: Any generated protobuf message class.
        value: The JSON value, a dict for most classes; it is not changed.
        unknown: As for `from_json`.
        lossy_numbers: As for `from_json`.

    Returns:
        A new message.

    Raises:
        ParseError: The value is not the JSON of such a message.
        TypeError: ``message_class`` is not a protobuf message class.

    >>> from turnwire import ces
    >>> from_dict(ces.Message, {"role": "user", "chunks": [{"text": "hello"}]}).chunks[0].text
    'hello'
    """
    check_message_class(message_class)
    check_options(unknown, lossy_numbers)
    return _core.read_value(message_class, value, unknown, lossy_numbers)


def to_json(
    message: Message,
    *,
    proto_names: bool = False,
    enum_numbers: bool = False,
    defaults: bool = False,
    indent: int | None = None,
) -> bytes:
    r"""Prints a message as JSON: the same message always gives the same bytes.

    Args:
        message: A message of any generated class.
        proto_names: Whether members have the names of the ``.proto`` file instead of
            lowerCamelCase.
        enum_numbers: Whether enum values are printed as numbers instead of names.
        defaults: Whether fields without presence are printed though they hold their default.
        indent: How many blanks to indent by; None prints no blanks at all.

    Returns:
        UTF-8 text without a line end.

    Raises:
        SerializeError: The message holds something that JSON cannot, such as NaN in a ``Struct``.
        TypeError: ``message`` is not a protobuf message.

    >>> from turnwire import ces
    >>> to_json(ces.ToolCall(id="c1", display_name="Find seats"))
    b'{"id":"c1","displayName":"Find seats"}'
    >>> to_json(ces.ToolCall(display_name="Find"), proto_names=True, indent=2)
    b'{\n  "display_name": "Find"\n}'
    """
    if indent is None:
        try:
            codec = _codecs[type(message)]
        except KeyError:
            # It will be made.
            pass
        else:
            printed = codec.print(message, proto_names, enum_numbers, defaults)
            if printed is not None:
                return printed
    check_message(message)
    style = Style(proto_names, enum_numbers, defaults)
    if indent is None:
        return _core.print_text(message, style)
    check_indent(indent)
    return _core.print_indented(message, style, indent)


def to_dict(
    message: Message,
    *,
    proto_names: bool = False,
    enum_numbers: bool = False,
    defaults: bool = False,
) -> Any:
    """Prints a message as JSON values in Python.

    Args:
        message: A message of any generated class.
        proto_names: As for `to_json`.
        enum_numbers: As for `to_json`.
        defaults: As for `to_json`.

    Returns:
        What ``json.loads`` makes of `to_json`: a dict, save for the well-known types that are no
        object in JSON. A ``Struct`` gives a plain, deep dict. Nothing of it is shared with the
        message.

    Raises:
        SerializeError: The message holds something that JSON cannot.
        TypeError: ``message`` is not a protobuf message.

    >>> from turnwire import ces
    >>> to_dict(ces.Message(role="user", chunks=[ces.Chunk(text="hello")]))
    {'role': 'user', 'chunks': [{'text': 'hello'}]}
    """
    check_message(message)
    return _core.print_value(message, Style(proto_names, enum_numbers, defaults))
