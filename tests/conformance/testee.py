#!/usr/bin/env python3
"""Answers the official protobuf conformance runner with Turnwire's `from_json` and `to_json`.

The runner speaks over standard input and output: a length in four little-endian bytes, then a
conformance.ConformanceRequest; the answer is a ConformanceResponse in the same frame. The message
classes of the suite are compiled from the runner's own .proto files, whose folder is named by the
environment variable CONFORMANCE_INCLUDE; the module is made anew for each run.
"""

from __future__ import annotations

import importlib
import os
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from google.protobuf import descriptor_pool, message, message_factory
from grpc_tools import protoc

import turnwire

FILES = (
    "conformance/conformance.proto",
    "google/protobuf/test_messages_proto2.proto",
    "google/protobuf/test_messages_proto3.proto",
    "google/protobuf/test_messages_edition2023.proto",
    "google/protobuf/test_messages_proto2_editions.proto",
    "google/protobuf/test_messages_proto3_editions.proto",
)


def load_messages(include: Path) -> Any:
    """Compiles and imports the suite's messages; gives the conformance module."""
    with tempfile.TemporaryDirectory() as folder:
        well_known = Path(protoc.__file__).parent / "_proto"
        command = ["protoc", f"-I{include}", f"-I{well_known}", f"--python_out={folder}", *FILES]
        if protoc.main(command) != 0:
            sys.exit("the suite's .proto files did not compile")
        import google.protobuf

        google.protobuf.__path__.append(f"{folder}/google/protobuf")
        sys.path.insert(0, folder)
        modules = [name.removesuffix(".proto").replace("/", ".") + "_pb2" for name in FILES]
        conformance, *_ = [importlib.import_module(name) for name in modules]
        return conformance


def respond(conformance: Any, request: Any) -> Any:
    """Answers one request."""
    response = conformance.ConformanceResponse()
    if request.message_type == "conformance.FailureSet":
        # Asked once at the start: which tests are known to fail. None are.
        response.protobuf_payload = conformance.FailureSet().SerializeToString()
        return response
    pool = descriptor_pool.Default()
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(request.message_type))
    try:
        match request.WhichOneof("payload"):
            case "protobuf_payload":
                parsed = kind.FromString(request.protobuf_payload)
            case "json_payload":
                category = conformance.JSON_IGNORE_UNKNOWN_PARSING_TEST
                ignore = request.test_category == category
                unknown = "ignore" if ignore else "error"
                parsed = turnwire.from_json(kind, request.json_payload, unknown=unknown)
            case other:
                response.skipped = f"Turnwire has no {other} of its own"
                return response
    except (turnwire.ParseError, message.DecodeError) as error:
        response.parse_error = str(error)
        return response
    try:
        match request.requested_output_format:
            case conformance.PROTOBUF:
                response.protobuf_payload = parsed.SerializeToString()
            case conformance.JSON:
                response.json_payload = turnwire.to_json(parsed).decode()
            case other:
                response.skipped = f"Turnwire has no output format {other} of its own"
    except (turnwire.SerializeError, message.EncodeError) as error:
        response.serialize_error = str(error)
    return response


def read_exactly(stream: BinaryIO, size: int) -> bytes | None:
    """The next bytes of a stream, or None at its end."""
    data = stream.read(size)
    return data if len(data) == size else None


def main() -> None:
    conformance = load_messages(Path(os.environ["CONFORMANCE_INCLUDE"]))
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    while (head := read_exactly(stdin, 4)) is not None:
        body = read_exactly(stdin, struct.unpack("<I", head)[0])
        if body is None:
            sys.exit("the runner's request is cut off")
        answer = respond(conformance, conformance.ConformanceRequest.FromString(body))
        encoded = answer.SerializeToString()
        stdout.write(struct.pack("<I", len(encoded)) + encoded)
        stdout.flush()


if __name__ == "__main__":
    main()
