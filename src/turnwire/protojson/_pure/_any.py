"""Any: a message of some type, read and printed with the type's URL in ``@type``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError

from turnwire.errors import excerpt
from turnwire.protojson._pure import _types
from turnwire.protojson._pure._problem import MAX_DEPTH, Problem, too_deep
from turnwire.protojson._pure._reading import Reading
from turnwire.protojson._pure._values import as_object, check_key, wrong_type
from turnwire.protojson._pure._wire import LENGTH_DELIMITED, delimited, tag, utf8, wire_text

Reader = Callable[[Any, Reading, int], str | None]
Printer = Callable[[Any, int], Any]


def any_reader(descriptor: Descriptor, reader_for: Callable[[Descriptor], Reader]) -> Reader:
    """Returns the reader of Any, which finds the readers of other types by `reader_for`."""
    own_pool = descriptor.file.pool

    def read_any(value: Any, reading: Reading, depth: int) -> str | None:
        members = value if type(value) is dict else as_object(value)
        if not members:
            return ""
        for key in members:
            check_key(key)
        if "@type" not in members:
            raise Problem("value", 'an Any needs its type in the member "@type"')
        url = members["@type"]
        if not isinstance(url, str):
            raise wrong_type("type URL", url).at("@type")
        name = _types.type_name_of(url)
        try:
            url_text = utf8(url)
        except Problem as problem:
            raise problem.at("@type") from None
        message_class = _types.message_class_named(name, reading.pool, own_pool)
        if message_class is None:
            if reading.ignore:
                return None
            reason = f"the message type {excerpt(name)} is not known; import its module first"
            raise Problem("unknown", reason).at("@type")
        if depth >= reading.max_depth:
            raise too_deep(reading.max_depth)
        held = _types.descriptor_of(message_class)
        body = _read_held(members, held, reader_for(held), reading, depth + 1)
        if body is None:
            return None
        try:
            # Parsed and written again, equal content gives equal bytes in whatever order it came.
            inner = message_class.FromString(body.encode("latin-1"))
            body = wire_text(inner.SerializePartialToString(deterministic=True))
        except (DecodeError, UnicodeDecodeError):
            raise too_deep() from None
        start = tag(1, LENGTH_DELIMITED) + delimited(url_text)
        return start + tag(2, LENGTH_DELIMITED) + delimited(body) if body else start

    return read_any


def _read_held(
    members: Mapping[str, Any], held: Descriptor, read: Reader, reading: Reading, depth: int
) -> str | None:
    if not _types.has_own_form(held):
        inner = {key: item for key, item in members.items() if key != "@type"}
        before = reading.mark()
        body = read(inner, reading, depth)
        reading.moved(inner, members, before)
        return body
    for key in members:
        if key not in ("@type", "value"):
            reading.unknown_field(members, key, held.full_name)
    if "value" not in members:
        reason = f'the JSON of {held.full_name} stands in the member "value" of its Any'
        raise Problem("value", reason)
    try:
        return read(members["value"], reading, depth)
    except Problem as problem:
        raise problem.at("value") from None


def any_printer(
    descriptor: Descriptor,
    printer_for: Callable[[Descriptor], Printer],
    pool: DescriptorPool | None,
) -> Printer:
    """Returns the printer of Any, which finds the printers of other types by `printer_for`.

    Args:
        descriptor: The descriptor of Any.
        printer_for: Returns the printer of a type.
        pool: The pool in which types are looked for first.
    """
    own_pool = descriptor.file.pool

    def print_any(message: Any, depth: int) -> dict[str, Any]:
        url = message.type_url
        if not url:
            if message.value:
                raise Problem("value", "an Any with a value needs its type_url")
            return {}
        name = _types.type_name_of(url)
        message_class = _types.message_class_named(name, pool, own_pool)
        if message_class is None:
            reason = f"the message type {excerpt(name)} is not known; import its module first"
            raise Problem("unknown", reason).at("@type")
        if depth + 2 > MAX_DEPTH:
            raise too_deep()
        try:
            inner = message_class.FromString(message.value)
        except (DecodeError, UnicodeDecodeError):
            raise Problem("value", f"the value of this Any is not a {name}") from None
        held = _types.descriptor_of(message_class)
        printed = printer_for(held)(inner, depth + 1)
        if _types.has_own_form(held):
            return {"@type": url, "value": printed}
        if "@type" in printed:
            reason = f"the member @type of {name} would be taken for the type of its Any"
            raise Problem("value", reason)
        return {"@type": url, **printed}

    return print_any
