"""A consumer that is wrong on purpose; each line that a checker must report says so."""

from __future__ import annotations

from typing import assert_never

import turnwire
from turnwire import ces
from turnwire import geminidataanalytics as gda


def forgets_a_member(message: gda.Message) -> str:
    kind = message.WhichOneof("kind")
    match kind:
        case "user_message":
            return message.user_message.text
        case None:
            return ""
        case _:
            assert_never(kind)  # error


def names_a_member_that_is_not_there(chunk: ces.Chunk) -> bool:
    return chunk.WhichOneof("data") == "txt"  # error


def names_a_oneof_that_is_not_there(chunk: ces.Chunk) -> None:
    chunk.WhichOneof("kind")  # error


def takes_a_number_for_text(chunk: ces.Chunk) -> None:
    chunk.text = 5  # error


def sets_a_field_that_is_not_there() -> ces.Chunk:
    return ces.Chunk(txt="hello")  # error


def takes_bytes_for_text(message: ces.Message) -> str:
    return turnwire.to_json(message)  # error


def reads_another_message(data: bytes) -> ces.Message:
    return turnwire.from_json(gda.Message, data)  # error
