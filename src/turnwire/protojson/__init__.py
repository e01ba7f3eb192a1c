"""The JSON mapping of protobuf messages (ProtoJSON), strict and fast, for any message class.

`from_json` and `to_json` are for text, `from_dict` and `to_dict` for values that are already, or
still, Python dicts and lists. `merge_json` and `merge_dict` read into a message that holds
something already. ``docs/json.md`` states every rule.
"""

from turnwire.errors import ParseError, SerializeError
from turnwire.protojson._face import from_dict, from_json, to_dict, to_json
from turnwire.protojson._merging import Lists, merge_dict, merge_json
from turnwire.protojson._options import LossyNumbers, Unknown

__all__ = [
    "Lists",
    "LossyNumbers",
    "ParseError",
    "SerializeError",
    "Unknown",
    "from_dict",
    "from_json",
    "merge_dict",
    "merge_json",
    "to_dict",
    "to_json",
]
