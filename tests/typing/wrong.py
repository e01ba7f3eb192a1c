"""A consumer that is wrong on purpose; each line that a checker must report says so."""

from __future__ import annotations

import turnwire
from turnwire import ces


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
