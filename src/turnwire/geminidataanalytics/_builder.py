"""The builder, which puts answers together message by message."""

from __future__ import annotations

from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message

from turnwire.geminidataanalytics._answer import Answer, answer_of_draft
from turnwire.geminidataanalytics._draft import AnswerDraft
from turnwire.geminidataanalytics._messages import Messages, begins_turn, messages_in


class AnswerBuilder:
    """Puts an `Answer` together while its messages arrive.

    Adding takes time in proportion to the message alone; `answer` copies all that was added.

    >>> from turnwire import geminidataanalytics as gda
    >>> builder = AnswerBuilder()
    >>> text = gda.TextMessage(parts=["Looking up prices"], text_type=gda.TextMessage.PROGRESS)
    >>> update = builder.add(gda.Message(system_message=gda.SystemMessage(text=text)))
    >>> update.progress, update.text
    (('Looking up prices',), None)
    """

    def __init__(self) -> None:
        self._draft = AnswerDraft()

    def add(self, message: Message) -> Answer:
        """Adds the next message.

        A user message begins a new turn: what was collected before is dropped.

        Returns:
            An update: an answer that holds only what this message added. Its ``text`` is the
            message's own; `answer` joins it to earlier ones.

        Raises:
            TypeError: The argument is not a message.
        """
        return answer_of_draft(self._draft.add(message))

    def extend(self, messages: Messages) -> None:
        """Adds several messages as they come, or one; stored ones when all of them are there.

        Raises:
            TypeError: The argument is neither a message nor an iterable of them.
            TurnwireError: Whatever the iterable raises; the messages before that are kept.
        """
        for message in messages_in(messages):
            self._draft.add(message)

    @property
    def answer(self) -> Answer:
        """The answer as it is now; messages that are added later do not change it."""
        return answer_of_draft(self._draft)


def answers_of(messages: Messages) -> tuple[Answer, ...]:
    """One answer per turn of a conversation, such as a stored one.

    A user message begins a new turn, also when another user message stands right before it.
    Messages before the first user message are a turn without a question.

    Raises:
        TypeError: It holds something other than messages.
        TurnwireError: Whatever the iterable raises, such as a reader's `TruncatedStream`. Use an
            `AnswerBuilder` to keep what came before.

    >>> from turnwire import geminidataanalytics as gda
    >>> final = gda.TextMessage(parts=["31 loaves."], text_type=gda.TextMessage.FINAL_RESPONSE)
    >>> answers = answers_of([
    ...     gda.user_message("How many loaves?"),
    ...     gda.Message(system_message=gda.SystemMessage(text=final)),
    ...     gda.user_message("And rolls?"),
    ... ])
    >>> [(answer.question, answer.text) for answer in answers]
    [('How many loaves?', '31 loaves.'), ('And rolls?', None)]
    """
    builders: list[AnswerBuilder] = []
    for message in messages_in(messages):
        if not builders or begins_turn(message):
            builders.append(AnswerBuilder())
        builders[-1].add(message)
    return tuple(builder.answer for builder in builders)
