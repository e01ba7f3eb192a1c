"""Checks a message, a view, or the messages of a recording one after another."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf.message import Message

from turnwire import ces
from turnwire._apis import API_BY_NAME
from turnwire._arguments import holds_items, wrong_class
from turnwire.check._answers import AnswerRules
from turnwire.check._facts import Facts, PlaceOf, Rules, rules_of
from turnwire.check._fields import Visitor
from turnwire.check._sessions import SessionRules
from turnwire.check._violation import Violation
from turnwire.errors import Path

_ANALYTICS = API_BY_NAME["gda"]
# Messages that hold all that they refer to.
_COMPLETE = (ces.Conversation.DESCRIPTOR.full_name, f"{_ANALYTICS.package}.ChatRequest")

MAX_OPEN = 1000
"""The most conversations of a log that are open at once, unless another number is given."""


class Recording:
    """Checks the messages of one recording as they come, in memory that does not grow with them.

    Args:
        is_complete: Whether all messages of the conversation are in it: only then references to
            what is not there are violations.
    """

    def __init__(self, *, is_complete: bool = True) -> None:
        self._rules: tuple[SessionRules | AnswerRules, ...] = (
            SessionRules(is_complete=is_complete),
            AnswerRules(is_complete=is_complete),
        )
        visits = {name: visit for rules in self._rules for name, visit in rules.visits.items()}
        self._visitor = Visitor(visits)

    def add(self, message: Message, path: Path = ()) -> Iterator[Violation]:
        """Yields the violations in a message, and those of earlier ones that it shows.

        Args:
            message: The message.
            path: Its place in the recording, with which the paths of its violations begin.
        """
        for rules in self._rules:
            rules.begin(message.DESCRIPTOR.name)
        yield from self._visitor.violations(message, path)

    def finish(self) -> Iterator[Violation]:
        """Yields the violations that only the end of the recording shows."""
        for rules in self._rules:
            yield from rules.finish()

    def core_rules(self, message_class: type[Message]) -> Rules:
        """Returns the rules that the core needs to make facts of messages of a class.

        The recording has such messages only.
        """
        events = {}
        for rules in self._rules:
            rules.begin(message_class.DESCRIPTOR.name)
            events.update(rules.events)
        return rules_of(message_class, events)

    def take(self, facts: Facts, place_of: PlaceOf) -> list[Violation] | None:
        """Takes the facts of messages in their place.

        Args:
            facts: The facts.
            place_of: Returns the place of the message with a call.

        Returns:
            The violations of earlier messages that they show. None if the messages have to be
            added one by one; then nothing was taken.
        """
        if facts.is_violated or not all(rules.allows(facts) for rules in self._rules):
            return None
        return [each for rules in self._rules for each in rules.take(facts, place_of)]


def violations(source: object) -> tuple[Violation, ...]:
    """Checks a message, a view or a recording: all that reading the JSON does not check.

    Required fields, resource names and the references within one message are always checked.
    References to other messages, such as a tool response to its call, are checked where the whole
    conversation is given: in a view, a ``Conversation``, a ``ChatRequest``, or an iterable of
    messages.

    Args:
        source: A message of any class, a `turnwire.ces.Session`, an ``Answer``, or an iterable of
            messages in the order of the conversation.

    Returns:
        The violations in the order in which they were found, none for good data.

    Raises:
        TypeError: The source is none of these.
        TurnwireError: Whatever the iterable raises.

    >>> from turnwire import ces, check
    >>> call = ces.ToolCall(id="c1", tool="projects/p/tools/find_pears")
    >>> for violation in check.violations(ces.Message(chunks=[ces.Chunk(tool_call=call)])):
    ...     print(violation.rule, violation.path_text)
    resource_name $.chunks[0].toolCall.tool
    """
    if isinstance(source, Message):
        is_complete = source.DESCRIPTOR.full_name in _COMPLETE
        return tuple(_violations([((), source)], is_complete=is_complete))
    return tuple(_violations(_placed(source), is_complete=True))


def _violations(
    messages: Iterable[tuple[Path, Message]], *, is_complete: bool
) -> Iterator[Violation]:
    recording = Recording(is_complete=is_complete)
    for path, message in messages:
        yield from recording.add(message, path)
    yield from recording.finish()


def _placed(source: Any) -> Iterator[tuple[Path, Message]]:
    """Yields the messages of a view or an iterable, with their places in it."""
    if isinstance(source, ces.Session):
        yield from _in_session(source)
    elif isinstance(source, importlib.import_module(_ANALYTICS.views).Answer):
        for index, message in enumerate(source.messages):
            yield ("messages", index), message
    elif holds_items(source):
        for index, message in enumerate(source):
            if not isinstance(message, Message):
                raise wrong_class(message, "a message")
            yield (index,), message
    else:
        raise wrong_class(source, "a message, a Session, an Answer or an iterable of messages")


def _in_session(session: ces.Session) -> Iterator[tuple[Path, Message]]:
    for index, turn in enumerate(session.turns):
        for number, output in enumerate(turn.outputs):
            yield ("turns", index, "outputs", number), output
    for index, message in enumerate(session.messages):
        yield ("messages", index), message
