"""The end of a session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from google.protobuf.struct_pb2 import Struct
from turnwire_schema.ces.v1.session_output_pb2 import EndSession

from turnwire._views import View, short_list_repr
from turnwire.ces._exchanges import ToolExchange, walk_exchanges
from turnwire.ces._tools import struct_to_dict

_ESCALATED_KEY = "session_escalated"


@dataclass(frozen=True, slots=True, repr=False)
class SessionEnd(View):
    """The end of a session.

    Attributes:
        signal: The ``endSession`` that came; None where only the tool call shows the end.
        tool_exchange: The answered call of the ``end_session`` tool; None where none was seen.

    >>> from turnwire import ces, from_dict
    >>> metadata = {"reason": "solved", "session_escalated": False}
    >>> output = from_dict(ces.SessionOutput, {"endSession": {"metadata": metadata}})
    >>> ended = ces.Session.collect(output).ended
    >>> assert ended is not None
    >>> ended.metadata["reason"], ended.escalated
    ('solved', False)
    """

    signal: EndSession | None = None
    tool_exchange: ToolExchange | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """The service's words about the end, such as its reason, as a plain dict.

        It is the signal's ``metadata``; without a signal, the arguments of the tool call.

        Raises:
            SerializeError: It holds a number that JSON does not have, such as NaN.
        """
        return struct_to_dict(self._struct)

    @property
    def escalated(self) -> bool | None:
        """Whether the session was handed over to a human; None where the metadata does not say.

        It is the metadata's ``session_escalated``, if that is a boolean. Nothing is guessed from
        reasons or other keys.
        """
        fields = self._struct.fields
        # Membership first: looking up a missing key would create it in the message.
        if _ESCALATED_KEY not in fields:
            return None
        value = fields[_ESCALATED_KEY]
        return value.bool_value if value.WhichOneof("kind") == "bool_value" else None

    @property
    def _struct(self) -> Struct:
        if self.signal is not None:
            return self.signal.metadata
        call = None if self.tool_exchange is None else self.tool_exchange.call
        return Struct() if call is None else call.args

    def _shown(self) -> list[str]:
        # The values stay out: the metadata may say things about the user.
        keys = short_list_repr(sorted(self._struct.fields))
        return [f"escalated={self.escalated}", f"metadata_keys={keys}"]


def is_end_session(exchange: ToolExchange) -> bool:
    """Returns whether it is an answered call of the tool that ends sessions, in any spelling."""
    letters = "".join(filter(str.isalnum, exchange.name)).lower()
    return letters == "endsession" and exchange.response is not None


def ending_of(signal: EndSession | None, exchanges: Iterable[ToolExchange]) -> SessionEnd | None:
    """The end of a session with this signal and these exchanges; None if it goes on."""
    answered = (each for _, each in walk_exchanges(exchanges) if is_end_session(each))
    exchange = next(answered, None)
    if signal is None and exchange is None:
        return None
    return SessionEnd(signal, exchange)
