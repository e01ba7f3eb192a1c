"""Replaces `google.protobuf.json_format`: the same functions and options, strict and fast.

Change one import, and nothing else::

    from turnwire import json_format

    message = json_format.Parse(text, Message())
    text = json_format.MessageToJson(message)

The functions take the arguments of protobuf 6.31 to 7.x and print the same text, byte for byte.
`Parse` and `ParseDict` refuse some input that Google's accept; ``docs/json_format.md`` lists each
difference. With ``strict=False`` they accept it too, wherever that loses nothing, and `compare`
reports what would change for texts of yours.

The exceptions derive from Google's and from Turnwire's, so that ``except`` clauses for either
catch them.
"""

from google.protobuf.json_format import EnumStringValueParseError, Error

from turnwire.json_format._comparing import Difference, compare
from turnwire.json_format._errors import ParseError, SerializeToJsonError
from turnwire.json_format._parsing import Parse, ParseDict
from turnwire.json_format._printing import MessageToDict, MessageToJson

__all__ = [
    "Difference",
    "EnumStringValueParseError",
    "Error",
    "MessageToDict",
    "MessageToJson",
    "Parse",
    "ParseDict",
    "ParseError",
    "SerializeToJsonError",
    "compare",
]
