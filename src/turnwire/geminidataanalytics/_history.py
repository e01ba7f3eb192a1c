"""The part of a conversation that goes back to the service with the next question."""

from __future__ import annotations

from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message

from turnwire.geminidataanalytics._messages import Messages, begins_turn, messages_in


def history_of(messages: Messages) -> tuple[Message, ...]:
    """The messages of a conversation that may be sent back, in order.

    A client that keeps the conversation itself sends it with each question. Messages go back as
    they came, thought signatures included: the API page lets later requests reuse them. Left out
    are:

    - errors (``systemMessage.error``): steps that the agent repaired;
    - messages without content;
    - duplicates. A message is one if its ``messageId`` was there before; if it has a timestamp
      and equals an earlier message in everything; if it equals the message right before it; or
      if it is a user message with the text of the user message right before it and not both
      have an id: that is the question as the stream echoes it. The first one is kept. Words that
      come again elsewhere, such as a second "yes", stay.

    The messages are the ones that were given, not copies, and are not changed. The messages of a
    `ChatRequest` are a history as well: give the request itself.

    Raises:
        TypeError: It holds something other than messages.
        TurnwireError: Whatever the iterable raises, such as a reader's `TruncatedStream`.

    >>> from turnwire import geminidataanalytics as gda
    >>> echo = gda.user_message("How many loaves?", message_id="q-1")
    >>> error = gda.SystemMessage(error=gda.ErrorMessage(text="no table loafs"))
    >>> final = gda.TextMessage(parts=["31"], text_type=gda.TextMessage.FINAL_RESPONSE)
    >>> answer = gda.SystemMessage(text=final)
    >>> kept = history_of([
    ...     gda.user_message("How many loaves?"), echo,
    ...     gda.Message(system_message=error), gda.Message(system_message=answer),
    ... ])
    >>> [gda.text_of(message) for message in kept]
    ['How many loaves?', '31']
    """
    kept: list[Message] = []
    ids: set[str] = set()
    timed: set[bytes] = set()
    for message in messages_in(messages):
        if not _worth_sending(message) or message.message_id in ids:
            continue
        if kept and _repeats(message, kept[-1]):
            continue
        if message.HasField("timestamp"):
            content = message.SerializeToString(deterministic=True)
            if content in timed:
                continue
            timed.add(content)
        if message.message_id:
            ids.add(message.message_id)
        kept.append(message)
    return tuple(kept)


def _worth_sending(message: Message) -> bool:
    if begins_turn(message):
        return message.user_message.WhichOneof("kind") is not None
    return message.system_message.WhichOneof("kind") not in (None, "error")


def _repeats(message: Message, before: Message) -> bool:
    if begins_turn(message) and not (message.message_id and before.message_id):
        return begins_turn(before) and message.user_message == before.user_message
    return message == before
