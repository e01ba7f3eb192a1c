#!/usr/bin/env python3
"""Answers the official protobuf conformance runner with Turnwire's `from_json` and `to_json`.

CONFORMANCE_LIBRARY=drop-in tests `turnwire.json_format` instead, and google's json_format, for
comparison, is tested by CONFORMANCE_LIBRARY=json_format.

The runner speaks over standard input and output: a length in four little-endian bytes, then a
conformance.ConformanceRequest; the answer is a ConformanceResponse in the same frame. The suite's
own messages come as a descriptor set, the file that the environment variable
CONFORMANCE_DESCRIPTORS names (scripts/conformance.py makes it).
"""

from __future__ import annotations

import importlib
import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message, message_factory

import turnwire
from turnwire import json_format as drop_in

POOL = descriptor_pool.Default()


class Library(NamedTuple):
    """A library under test: its reader and printer of JSON, and the errors that they raise."""

    name: str
    read: Callable[[Any, str, bool], Any]
    """Takes a message class, JSON and whether unknown fields are ignored; returns a message."""
    printed: Callable[[Any], str]
    errors: tuple[type[Exception], type[Exception]]
    """The error of the reader, and the error of the printer."""


def read_turnwire(message_class: Any, text: str, ignore: bool) -> Any:
    return turnwire.from_json(message_class, text, unknown="ignore" if ignore else "error")


LIBRARIES = {
    "turnwire": Library(
        "Turnwire",
        read=read_turnwire,
        printed=lambda message: turnwire.to_json(message).decode(),
        errors=(turnwire.ParseError, turnwire.SerializeError),
    ),
    **{
        name: Library(
            name,
            read=lambda message_class, text, ignore, parse=module.Parse: parse(
                text, message_class(), ignore_unknown_fields=ignore
            ),
            printed=module.MessageToJson,
            errors=(module.ParseError, module.SerializeToJsonError),
        )
        for name, module in (("json_format", json_format), ("drop-in", drop_in))
    },
}


def load_messages(descriptors: Path) -> None:
    """Adds the suite's messages and the well-known types that they import to the pool."""
    for name in ("any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"):
        importlib.import_module(f"google.protobuf.{name}_pb2")
    files = descriptor_pb2.FileDescriptorSet.FromString(descriptors.read_bytes()).file
    for file in files:
        POOL.AddSerializedFile(file.SerializeToString())


def class_of(name: str) -> Any:
    """Returns the class of a message by its full name."""
    return message_factory.GetMessageClass(POOL.FindMessageTypeByName(name))


def number_of(name: str) -> int:
    """Returns the number of an enum value, such as ``JSON`` of conformance.WireFormat."""
    enum, _, value = name.rpartition(".")
    return int(POOL.FindEnumTypeByName(enum).values_by_name[value].number)


def respond(library: Library, request: Any) -> Any:
    """Answers one request."""
    parse_error, serialize_error = library.errors
    response = class_of("conformance.ConformanceResponse")()
    if request.message_type == "conformance.FailureSet":
        # The runner asks once which tests are known to fail: none.
        response.protobuf_payload = class_of(request.message_type)().SerializeToString()
        return response
    kind = class_of(request.message_type)
    try:
        match request.WhichOneof("payload"):
            case "protobuf_payload":
                parsed = kind.FromString(request.protobuf_payload)
            case "json_payload":
                category = "conformance.TestCategory.JSON_IGNORE_UNKNOWN_PARSING_TEST"
                ignore = request.test_category == number_of(category)
                parsed = library.read(kind, request.json_payload, ignore)
            case other:
                response.skipped = f"{library.name} does not read {other}"
                return response
    except (parse_error, message.DecodeError) as error:
        response.parse_error = str(error)
        return response
    try:
        if request.requested_output_format == number_of("conformance.WireFormat.PROTOBUF"):
            response.protobuf_payload = parsed.SerializeToString()
        elif request.requested_output_format == number_of("conformance.WireFormat.JSON"):
            response.json_payload = library.printed(parsed)
        else:
            response.skipped = f"{library.name} does not print this format"
    except (serialize_error, message.EncodeError) as error:
        response.serialize_error = str(error)
    return response


def read_exactly(stream: BinaryIO, size: int) -> bytes | None:
    """Returns the next bytes of a stream, or None at its end."""
    data = stream.read(size)
    return data if len(data) == size else None


def answer_with(library: Library) -> None:
    """Answers requests until standard input ends."""
    load_messages(Path(os.environ["CONFORMANCE_DESCRIPTORS"]))
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    while (head := read_exactly(stdin, 4)) is not None:
        body = read_exactly(stdin, struct.unpack("<I", head)[0])
        if body is None:
            sys.exit("the runner's request is cut off")
        answer = respond(library, class_of("conformance.ConformanceRequest").FromString(body))
        encoded = answer.SerializeToString()
        stdout.write(struct.pack("<I", len(encoded)) + encoded)
        stdout.flush()


if __name__ == "__main__":
    answer_with(LIBRARIES[os.environ.get("CONFORMANCE_LIBRARY", "turnwire")])
