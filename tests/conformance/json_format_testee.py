#!/usr/bin/env python3
"""Answers the official protobuf conformance runner with google's json_format, for comparison."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format
from testee import Library, answer_with


def read(message_class: Any, text: str, ignore: bool) -> Any:
    return json_format.Parse(text, message_class(), ignore_unknown_fields=ignore)


if __name__ == "__main__":
    errors = (json_format.ParseError, json_format.SerializeToJsonError)
    answer_with(Library("json_format", read, json_format.MessageToJson, errors))
