"""Prints messages in the form of ``google.protobuf.json_format``."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from turnwire.protojson import _pure
from turnwire.protojson._arguments import check_message
from turnwire.protojson._options import Style


def values_like_json_format(message: Message, style: Style) -> Any:
    """Returns a message as JSON values, in the order that ``json_format`` has them."""
    check_message(message)
    return _pure.print_value(message, style)
