"""The builder, which puts sessions together item by item."""

from __future__ import annotations

from typing import assert_never

from turnwire_schema.ces.v1.bidi_session_pb2 import BidiSessionClientMessage
from turnwire_schema.ces.v1.conversation_pb2 import Conversation
from turnwire_schema.ces.v1.session_pb2 import RunSessionRequest

from turnwire.ces._draft import SessionDraft
from turnwire.ces._items import SessionItem, SessionItems, items_in
from turnwire.ces._session import Session, session_of_additions, session_of_draft


class SessionBuilder:
    """Puts a session together while it runs.

    Adding takes time in proportion to the item alone, and to its turn where it holds citations;
    `session` goes through all that was added.

    >>> from turnwire import ces
    >>> builder = ces.SessionBuilder()
    >>> for text in ("Rack 4", " it is."):
    ...     update = builder.add(ces.SessionOutput(turn_index=1, text=text))
    ...     print(update.text, end="|")
    Rack 4| it is.|
    >>> builder.session.turns
    (Turn(index=1, reply='Rack 4 it is.', completed=False),)
    """

    def __init__(self) -> None:
        self._draft = SessionDraft()

    def add(self, item: SessionItem) -> Session:
        """Adds an item that arrived or was sent, in this order.

        What the client sends is added before the responses to it. It answers tool calls, and
        stands in the transcript as the user's, in the turn of the output that comes next.

        Returns:
            An update: a session that holds only what this item added. Its ``turns`` are the new
            parts of turns, ``completed`` where the item completed them, so that ``update.text``
            is to be shown right after the earlier text; ``tool_exchanges`` are those that began
            or got a response, without nesting; ``variables`` are the changed ones; ``messages``
            are the new ones, and what an input says; ``ended`` is set once, by the first item
            that ends the session. Its ``transcript`` is empty.

        Raises:
            TypeError: The item is not one of the messages that `Session.collect` takes.
            ValueError: It is a stored conversation with another name than an earlier one.
        """
        return session_of_additions(self._draft.add(item))

    def extend(self, items: SessionItems) -> None:
        """Adds several items in their order, or one.

        Raises:
            TypeError: As `add` does, or it is not an iterable of messages.
            ValueError: As `add` does.
            TurnwireError: Whatever the iterable raises; the items before that are kept.
        """
        for item in items_in(items):
            self._draft.add(item)

    @property
    def session(self) -> Session:
        """The session as it is now; items that are added later do not change it."""
        return session_of_draft(self._draft)


def sessions_of(items: SessionItems) -> tuple[Session, ...]:
    """One session per name, such as those of a recording of several sessions.

    An item with the name of its session begins that session or continues it: a `Conversation`
    with its ``name``; a `RunSessionRequest` and the config frame of a client with the ``session``
    of their config. A `Conversation` without a name is a session by itself. Any other item belongs
    to the session of the item before it.

    Args:
        items: Whatever `Session.collect` takes.

    Returns:
        The sessions in the order of their first items, each with its ``name``.

    Raises:
        TypeError: An item is not one of these messages.
        TurnwireError: Whatever the iterable raises, such as a reader's `TruncatedStream`.

    >>> from turnwire import ces
    >>> def asked(session, text):
    ...     config = ces.SessionConfig(session=f"projects/p/locations/eu/apps/a/sessions/{session}")
    ...     return ces.RunSessionRequest(config=config, inputs=[ces.SessionInput(text=text)])
    >>> ahoy = ces.RunSessionResponse(outputs=[ces.SessionOutput(text="Ahoy!")])
    >>> recording = [asked("one", "Hi"), ahoy, asked("two", "Hello"), ahoy, asked("one", "Bye")]
    >>> [[entry.text for entry in each.transcript] for each in ces.sessions_of(recording)]
    [['Hi', 'Ahoy!', 'Bye'], ['Hello', 'Ahoy!']]
    """
    builders: list[SessionBuilder] = []
    by_name: dict[str, SessionBuilder] = {}
    current: SessionBuilder | None = None
    for item in items_in(items):
        name = _session_name_of(item)
        if name:
            current = by_name.get(name)
        if current is None or (not name and isinstance(item, Conversation)):
            current = SessionBuilder()
            builders.append(current)
        if name:
            by_name[name] = current
        current.add(item)
    return tuple(builder.session for builder in builders)


def _session_name_of(item: SessionItem) -> str:
    """The name of the session that an item gives; ``""`` for most items."""
    match item:
        case Conversation():
            return item.name
        case RunSessionRequest():
            return item.config.session
        case BidiSessionClientMessage():
            match item.WhichOneof("message_type"):
                case "config":
                    return item.config.session
                case "realtime_input" | None:
                    return ""
                case _ as kind:
                    assert_never(kind)
        case _:
            return ""
