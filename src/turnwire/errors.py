"""Every error that Turnwire raises on purpose: one family, below `TurnwireError`."""

from __future__ import annotations

import re
from typing import Any

__all__ = [
    "ChartError",
    "MissingExtra",
    "ParseError",
    "Path",
    "SerializeError",
    "StreamError",
    "TruncatedStream",
    "TurnwireError",
    "UnknownFieldWarning",
    "excerpt",
    "path_text",
]

Path = tuple[str | int, ...]
"""The place of something in a JSON value: member names as they were given, and list indices."""

_IDENTIFIER = re.compile(r"[A-Za-z_$@][A-Za-z0-9_$@-]*")
_MAX_STEP_LENGTH = 60
_MAX_STEPS = 40


def path_text(path: Path) -> str:
    """Writes a path the way the error texts do. One of hundreds of steps is cut in its middle.

    >>> path_text(("chunks", 1, "text"))
    '$.chunks[1].text'
    >>> path_text(("args", "a b"))
    '$.args["a b"]'
    """
    half = _MAX_STEPS // 2
    shown = path if len(path) <= _MAX_STEPS else (*path[:half], None, *path[-half:])
    steps = ["$"]
    for step in shown:
        if step is None:
            steps.append("…")
        elif isinstance(step, int):
            steps.append(f"[{step}]")
        elif len(step) <= _MAX_STEP_LENGTH and _IDENTIFIER.fullmatch(step):
            steps.append(f".{step}")
        else:
            steps.append(f"[{excerpt(step)}]")
    return "".join(steps)


def excerpt(value: str) -> str:
    r"""Returns a string as an error text shows it: quoted, on one line, cut to some 60 characters.

    >>> print(excerpt("two\nlines"))
    "two\nlines"
    """
    shown = value if len(value) <= _MAX_STEP_LENGTH else value[: _MAX_STEP_LENGTH - 10] + "…"
    quoted = "".join(
        character
        if character.isprintable() and character not in '"\\'
        else character.encode("unicode_escape", "surrogatepass").decode()
        if character != '"'
        else '\\"'
        for character in shown
    )
    return f'"{quoted}"'


class TurnwireError(Exception):
    """The base of every error that Turnwire raises on purpose.

    Attributes:
        kind: A stable token for programs, such as ``"type"`` or ``"truncated"``. The texts may
            be reworded in any release; the tokens are only added to.
        reason: What is wrong, in words, without the place.
        index: In a stream, which element is bad, counted from 0; None outside of streams.

    >>> import turnwire
    >>> from turnwire import ces
    >>> try:
    ...     list(turnwire.read(ces.Message, [b'[{"role": "user"}, {"role": 5}]']))
    ... except turnwire.TurnwireError as error:
    ...     print(error.kind, error.index)
    type 1
    """

    def __init__(self, reason: str, *, kind: str, index: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kind = kind
        self.index = index

    def __str__(self) -> str:
        return self.reason if self.index is None else f"element {self.index}: {self.reason}"

    def without_values(self) -> str:
        """Describes the error without anything that came from the input, for logs.

        The text has the kind and, where they are known, the index of the element, the line and
        column, the field of the schema and the numeric code. Values, keys, names of unknown
        members and the service's own words are left out: `str` of the error may quote them.

        >>> import turnwire
        >>> from turnwire import ces
        >>> try:
        ...     list(turnwire.read(ces.Message, [b'[{"eventTime": "4111 1111 1111 1111"}]']))
        ... except turnwire.TurnwireError as error:
        ...     print(error.without_values())
        ParseError: value, element 0, field turnwire_schema.ces.v1.Message.event_time
        """
        facts = {
            "element": self.index,
            "line": getattr(self, "line", None),
            "column": getattr(self, "column", None),
            "field": getattr(self, "field", None),
            "code": getattr(self, "code", None),
        }
        known = (f"{name} {fact}" for name, fact in facts.items() if fact is not None)
        return ", ".join((f"{type(self).__name__}: {self.kind}", *known))

    def __reduce__(self) -> tuple[Any, ...]:
        # The keyword-only arguments would be lost by the default way of pickling an exception.
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(
    error_class: type[TurnwireError], args: tuple[Any, ...], state: dict[str, Any]
) -> TurnwireError:
    error = error_class.__new__(error_class, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class _PlacedError(TurnwireError, ValueError):
    """An error that knows its place in a JSON value and in the schema."""

    def __init__(
        self,
        reason: str,
        *,
        kind: str,
        path: Path = (),
        field: str | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(reason, kind=kind, index=index)
        self.path = path
        self.field = field

    @property
    def path_text(self) -> str:
        """The path in one string, such as ``$.chunks[1].text``."""
        return path_text(self.path)


class ParseError(_PlacedError):
    """The input is not the JSON (or wire format) of the message that was asked for.

    Attributes:
        kind: ``"syntax"``, ``"encoding"``, ``"type"``, ``"value"``, ``"range"``, ``"unknown"``,
            ``"duplicate"``, ``"oneof"``, ``"depth"``, ``"required"``, ``"wire"``,
            ``"trailing_data"`` or ``"wrapped"``; ``turnwire help json`` explains each.
        path: Where it stands: member names as they were given and list indices.
        field: The full name of the protobuf field, where there is one.
        line: For syntax errors the line, counted from 1; else None.
        column: For syntax errors the column in characters, counted from 1; else None.

    >>> import turnwire
    >>> from turnwire import ces
    >>> try:
    ...     turnwire.from_json(ces.Message, '{"chunks":[{"text":"a"},{"text":5}]}')
    ... except turnwire.ParseError as error:
    ...     print(error)
    expected string, got number at $.chunks[1].text (turnwire_schema.ces.v1.Chunk.text)
    """

    def __init__(
        self,
        reason: str,
        *,
        kind: str,
        path: Path = (),
        field: str | None = None,
        line: int | None = None,
        column: int | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(reason, kind=kind, path=path, field=field, index=index)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        # Without a path, the line or the element's index says enough.
        alone = self.line is None and self.index is None
        place = f" at {self.path_text}" if self.path or alone else ""
        if self.line is not None:
            place += f" at line {self.line}, column {self.column}"
        if self.field is not None:
            place += f" ({self.field})"
        return super().__str__() + place


class SerializeError(_PlacedError):
    """A message holds something that has no JSON form.

    Attributes:
        kind: ``"value"``, ``"range"``, ``"encoding"``, ``"unknown"`` or ``"depth"``.
        path: Where it stands, in JSON names.
        field: The full name of the protobuf field, where there is one.

    >>> import turnwire
    >>> from turnwire import ces
    >>> call = ces.ToolCall()
    >>> call.args["n"] = float("nan")
    >>> try:
    ...     turnwire.to_json(call)
    ... except turnwire.SerializeError as error:
    ...     print(error)
    a Struct cannot hold nan in JSON at $.args.n (turnwire_schema.ces.v1.ToolCall.args)
    """

    def __str__(self) -> str:
        place = f" at {self.path_text}"
        if self.field is not None:
            place += f" ({self.field})"
        return super().__str__() + place


class StreamError(TurnwireError):
    """The service itself reported an error in the stream: a google.rpc.Status.

    It is raised after all messages that came before it were given.

    Attributes:
        code: The HTTP status code, or the gRPC code, as it came; 0 where there was none.
        status: The canonical name, such as ``"RESOURCE_EXHAUSTED"``; ``""`` where there was none.
        message: The service's own text, for developers.
        details: The ``details`` list as plain JSON values.

    >>> import turnwire
    >>> from turnwire import ces
    >>> body = b'[{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "too many"}}]'
    >>> try:
    ...     list(turnwire.read(ces.Message, [body]))
    ... except turnwire.StreamError as error:
    ...     print(error.code, error)
    429 element 0: the service reported 429 RESOURCE_EXHAUSTED: too many
    """

    def __init__(
        self,
        message: str,
        *,
        code: int = 0,
        status: str = "",
        details: tuple[Any, ...] = (),
        index: int | None = None,
    ) -> None:
        named = " ".join(part for part in (str(code) if code else "", status) if part)
        reason = f"the service reported {named or 'an error'}: {message or 'no message'}"
        super().__init__(reason, kind="stream_error", index=index)
        self.message = message
        self.code = code
        self.status = status
        self.details = details


class TruncatedStream(TurnwireError, EOFError):
    """The stream ended before it was complete.

    It is raised after every complete message was given. ``index`` is the element that was cut off
    or that was missing.

    >>> import turnwire
    >>> from turnwire import ces
    >>> try:
    ...     for message in turnwire.read(ces.Message, [b'[{"role": "user"}, {"ro']):
    ...         print(message.role)
    ... except turnwire.TruncatedStream as error:
    ...     print(error.index)
    user
    1
    """

    def __init__(self, reason: str, *, index: int | None = None) -> None:
        super().__init__(reason, kind="truncated", index=index)


class ChartError(TurnwireError, ValueError):
    """A specification cannot be drawn.

    Attributes:
        kind: ``"grammar"`` or ``"version"`` where it is neither Vega 5 or 6 nor Vega-Lite 4 to 6,
            ``"missing"`` where a chart has none, ``"url"`` where it needs data that was not passed,
            ``"invalid"`` where the renderer refuses it, ``"time"``, ``"memory"`` or ``"crash"``
            where drawing was stopped; else the kind of a `ParseError`.

    >>> import turnwire
    >>> from turnwire import charts
    >>> try:
    ...     charts.grammar_of({"title": "Packets"})
    ... except turnwire.ChartError as error:
    ...     print(error)
    neither Vega nor Vega-Lite: expected a $schema, marks or a mark; got title
    """


class MissingExtra(TurnwireError, ImportError):
    """A library that an extra of Turnwire brings is not installed.

    Attributes:
        extra: The extra, such as ``"arrow"``.
        name: The module that could not be imported.

    >>> print(MissingExtra("arrow", "pyarrow"))
    pyarrow is not installed; install it with: pip install "turnwire[arrow]"
    """

    def __init__(self, extra: str, name: str) -> None:
        reason = f'{name} is not installed; install it with: pip install "turnwire[{extra}]"'
        super().__init__(reason, kind="missing_extra")
        self.extra = extra
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.extra, self.name)


class UnknownFieldWarning(UserWarning):
    """Something unknown was left out: a field, an enum name or the type of an ``Any``.

    It is the warning of ``unknown="warn"``. Each place is reported once per document or stream.

    Attributes:
        place: The path without indices, such as ``("chunks", "colour")``.

    >>> print(UnknownFieldWarning(("chunks", "colour"), "turnwire_schema.ces.v1.Message"))
    left out the unknown $.chunks.colour of turnwire_schema.ces.v1.Message
    """

    def __init__(self, place: tuple[str, ...], message_name: str) -> None:
        super().__init__(place, message_name)
        self.place = place
        self.message_name = message_name

    def __str__(self) -> str:
        return f"left out the unknown {path_text(self.place)} of {self.message_name}"
