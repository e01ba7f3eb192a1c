"""The text of one message or output."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from turnwire_schema.ces.v1.message_pb2 import Chunk, Message
from turnwire_schema.ces.v1.session_output_pb2 import SessionOutput
from turnwire_schema.ces.v1.session_pb2 import RunSessionResponse

from turnwire._arguments import wrong_class

USER_ROLE: Final = "user"
AGENT_ROLE: Final = "agent"


def text_of(message: Message | SessionOutput | RunSessionResponse) -> str | None:
    """Returns the spoken or written text as one str, or None where there is none.

    Of a `Message` these are its ``text`` and ``transcript`` chunks, of an output or a response
    its ``text`` outputs. They are deltas: they are joined with nothing between them, and their
    blanks and line ends stay. Text inside of payloads, citations, progress notes or diagnostics
    is not part of it.

    Raises:
        TypeError: The argument is not one of these.

    >>> from turnwire import ces
    >>> ces.text_of(ces.Message(chunks=[ces.Chunk(text="Rack 4"), ces.Chunk(text=" it is.")]))
    'Rack 4 it is.'
    """
    match message:
        case Message():
            kinds = {chunk.WhichOneof("data") for chunk in message.chunks}
            return text_in(message.chunks) if kinds & {"text", "transcript"} else None
        case SessionOutput():
            return message.text if message.HasField("text") else None
        case RunSessionResponse():
            texts = [output.text for output in message.outputs if output.HasField("text")]
            return "".join(texts) if texts else None
        case _:
            raise wrong_class(message, Message, SessionOutput, RunSessionResponse)


def text_in(chunks: Iterable[Chunk]) -> str:
    """The ``text`` and ``transcript`` chunks, joined with nothing between them."""
    # At most one of the two is set, and the other is empty.
    return "".join(chunk.text or chunk.transcript for chunk in chunks)


def is_user(message: Message) -> bool:
    """Returns whether the message is the end user's: its role is ``user``, in whatever case.

    Any other role is an agent's; stored conversations give the agent's display name.
    """
    return message.role.lower() == USER_ROLE
