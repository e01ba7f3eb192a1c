"""Prints messages as Google's module does: the same options, the same text."""

from __future__ import annotations

from functools import partial
from typing import Any

from google.protobuf import json_format as google
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

from turnwire import errors
from turnwire.json_format._errors import google_error
from turnwire.json_format._text import json_text
from turnwire.protojson._like_json_format import codec_like_json_format, codecs, print_value
from turnwire.protojson._options import Style


def MessageToJson(
    message: Message,
    preserving_proto_field_name: bool = False,
    indent: int | str | None = 2,
    sort_keys: bool = False,
    use_integers_for_enums: bool = False,
    descriptor_pool: DescriptorPool | None = None,
    ensure_ascii: bool = True,
    always_print_fields_with_no_presence: bool = False,
    *,
    unquote_int64_if_possible: bool = False,
    float_precision: int | None = None,
) -> str:
    r"""Prints a message as JSON text, in the form and order of Google's module.

    Args:
        message: A message of any generated class.
        preserving_proto_field_name: Whether members have the names of the ``.proto`` file instead
            of lowerCamelCase.
        indent: The number of blanks for each level, or the text to indent by, such as a tab; 0 or
            less gives line ends alone, None one line.
        sort_keys: Whether members are sorted by name instead of by field number.
        use_integers_for_enums: Whether enum values are printed as numbers.
        descriptor_pool: Where the types in an ``Any`` are looked up; None means the pool of the
            message and then the default pool.
        ensure_ascii: Whether characters beyond ASCII are escaped.
        always_print_fields_with_no_presence: Whether fields without presence are printed though
            they hold their default. They come after the others.
        unquote_int64_if_possible: Whether 64-bit integers that a double holds exactly are printed
            as numbers.
        float_precision: The significant digits of numbers of floating point, also those in a
            ``Struct``; None or 0 means the shortest text that gives the same value. Protobuf 7 took
            this option away; it is a keyword here.

    Returns:
        The text, without a line end.

    Raises:
        SerializeToJsonError: The message holds something that JSON cannot.

    >>> from turnwire import ces, json_format
    >>> print(json_format.MessageToJson(ces.ToolCall(id="c1", display_name="Find")))
    {
      "id": "c1",
      "displayName": "Find"
    }
    """
    if not isinstance(ensure_ascii, bool):
        raise TypeError(
            f"ensure_ascii must be a bool, not {ensure_ascii!r}; float_precision is a keyword here"
        )
    if (
        descriptor_pool is None
        and not float_precision
        and not sort_keys
        and not unquote_int64_if_possible
        and not isinstance(indent, str)
    ):
        codec = codecs.get(type(message)) or codec_like_json_format(message)
        text = codec.print_like_json_format(
            message,
            indent,
            preserving_proto_field_name,
            use_integers_for_enums,
            always_print_fields_with_no_presence,
            ensure_ascii,
        )
        if text is not None:
            return text
    style = _style(
        preserving_proto_field_name,
        use_integers_for_enums,
        always_print_fields_with_no_presence,
        unquote_int64_if_possible,
        descriptor_pool,
        float_precision,
        is_text=True,
    )
    return json_text(_values(message, style), indent, sort_keys, ensure_ascii)


def MessageToDict(
    message: Message,
    always_print_fields_with_no_presence: bool = False,
    preserving_proto_field_name: bool = False,
    use_integers_for_enums: bool = False,
    descriptor_pool: DescriptorPool | None = None,
    *,
    unquote_int64_if_possible: bool = False,
    float_precision: int | None = None,
) -> Any:
    """Prints a message as JSON values in Python.

    Args:
        message: A message of any generated class.
        always_print_fields_with_no_presence: As for `MessageToJson`.
        preserving_proto_field_name: As for `MessageToJson`.
        use_integers_for_enums: As for `MessageToJson`.
        descriptor_pool: As for `MessageToJson`.
        unquote_int64_if_possible: As for `MessageToJson`.
        float_precision: As for `MessageToJson`.

    Returns:
        A dict, except for the well-known types whose JSON is not an object.

    Raises:
        SerializeToJsonError: The message holds something that JSON cannot.

    >>> from turnwire import ces, json_format
    >>> json_format.MessageToDict(ces.ToolCall(id="c1", display_name="Find"))
    {'id': 'c1', 'displayName': 'Find'}
    """
    if descriptor_pool is None and not float_precision and not unquote_int64_if_possible:
        codec = codecs.get(type(message)) or codec_like_json_format(message)
        values = codec.print_values(
            message,
            preserving_proto_field_name,
            use_integers_for_enums,
            always_print_fields_with_no_presence,
            True,
        )
        if values is not None:
            return values
    style = _style(
        preserving_proto_field_name,
        use_integers_for_enums,
        always_print_fields_with_no_presence,
        unquote_int64_if_possible,
        descriptor_pool,
        float_precision,
        is_text=False,
    )
    return _values(message, style)


# To make one takes as long as to print a small message.
_DEFAULT_STYLE = Style(like_json_format=True)
_DEFAULT_TEXT_STYLE = Style(like_json_format=True, marks_base64=True)


def _style(
    proto_names: bool,
    enum_numbers: bool,
    defaults: bool,
    int64_as_numbers: bool,
    pool: DescriptorPool | None,
    float_digits: int | None,
    *,
    is_text: bool,
) -> Style:
    if not (proto_names or enum_numbers or defaults or int64_as_numbers or float_digits or pool):
        return _DEFAULT_TEXT_STYLE if is_text else _DEFAULT_STYLE
    return Style(
        proto_names,
        enum_numbers,
        defaults,
        int64_as_numbers,
        pool,
        like_json_format=True,
        float_digits=float_digits,
        marks_base64=is_text,
    )


def _values(message: Message, style: Style) -> Any:
    try:
        if style.pool is not None:
            _check_types(message, style.pool)
        return print_value(message, style)
    except errors.SerializeError as error:
        theirs = partial(google.MessageToDict, message, descriptor_pool=style.pool)
        raise google_error(error, theirs) from None


def _check_types(message: Message, pool: DescriptorPool) -> None:
    """Raises a SerializeError for an ``Any`` whose type is not in the pool that was given.

    Turnwire would go on to look in other pools; Google's printer does not.
    """
    try:
        google.MessageToDict(message, descriptor_pool=pool)
    except TypeError as error:
        raise errors.SerializeError(str(error), kind="unknown") from None
    except Exception:
        # The strict printer decides on everything else.
        return
