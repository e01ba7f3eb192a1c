"""The text of one message."""

from __future__ import annotations

from typing import overload

from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, SystemMessage, UserMessage
from turnwire_schema.geminidataanalytics.v1.text_pb2 import TextMessage

from turnwire._arguments import wrong_class

_ONE_TEXT_PER_PART = (TextMessage.THOUGHT, TextMessage.PROGRESS, TextMessage.FOLLOWUP_QUESTIONS)


@overload
def text_of(message: TextMessage) -> str: ...
@overload
def text_of(message: Message | UserMessage | SystemMessage) -> str | None: ...
def text_of(message: Message | UserMessage | SystemMessage | TextMessage) -> str | None:
    """Returns the text of one message, or None where it is not a text.

    The parts of a FINAL_RESPONSE, and of a text without a type, follow one another with nothing
    between them; they hold their own blanks. The parts of a THOUGHT, a PROGRESS or
    FOLLOWUP_QUESTIONS are joined by a newline. The purpose of the text stays open: only a
    FINAL_RESPONSE is the answer (see `Answer`). An error has no text for people: the API page
    calls most errors recoverable, and misleading when they are shown without their context.

    Raises:
        TypeError: The argument is not one of these messages.

    >>> from turnwire import geminidataanalytics as gda
    >>> final = gda.TextMessage.FINAL_RESPONSE
    >>> text = gda.TextMessage(parts=["Plums: ", "57 kg."], text_type=final)
    >>> text_of(gda.Message(system_message=gda.SystemMessage(text=text)))
    'Plums: 57 kg.'
    >>> text_of(gda.user_message("And pears?"))
    'And pears?'
    """
    match message:
        case Message():
            if message.WhichOneof("kind") == "user_message":
                return text_of(message.user_message)
            return text_of(message.system_message)
        case UserMessage():
            return message.text if message.WhichOneof("kind") == "text" else None
        case SystemMessage():
            return text_of(message.text) if message.WhichOneof("kind") == "text" else None
        case TextMessage():
            joint = "\n" if message.text_type in _ONE_TEXT_PER_PART else ""
            return joint.join(message.parts)
        case _:
            raise wrong_class(message, Message, UserMessage, SystemMessage, TextMessage)
