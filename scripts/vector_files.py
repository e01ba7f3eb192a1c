"""Reads the test vectors; tests/vectors/README.md describes the files."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environment import ROOT
from json_rules import Refused

VECTORS = ROOT / "tests" / "vectors"


@dataclass(frozen=True)
class Vector:
    """One vector, with its inputs as bytes.

    Attributes:
        name: The vector's name, such as ``"ces/Chunk/text"`` or ``"int32/largest"``.
        type: The full name of the message type.
        is_example: Whether it is an example of a type; otherwise it belongs to a rule.
        json: The canonical JSON text; None if the vector has only refused inputs.
        binary: The wire format; None if the vector has only refused inputs.
        accepted: Other JSON texts of the same message, by input name.
        refused: Refused JSON texts, by input name.
    """

    name: str
    type: str
    is_example: bool
    json: bytes | None
    binary: bytes | None
    accepted: dict[str, bytes]
    refused: dict[str, Refused]

    @property
    def json_name(self) -> str:
        """The name of the canonical JSON text as an input."""
        return f"{self.name}.json"

    @property
    def binary_name(self) -> str:
        """The name of the wire format as an input."""
        return f"{self.name}.binary"

    @property
    def texts(self) -> dict[str, bytes]:
        """All JSON texts of the message, the canonical one first, by input name."""
        canonical = {} if self.json is None else {self.json_name: self.json}
        return canonical | self.accepted

    @property
    def inputs(self) -> list[str]:
        """The names of all inputs."""
        binary = [] if self.binary is None else [self.binary_name]
        return [*binary, *self.texts, *self.refused]


def read_vectors(folder: Path = VECTORS) -> list[Vector]:
    """Returns all vectors of a folder, in the order of the files' names."""
    return [
        _vector(entry, is_example=path.name.startswith("examples-"))
        for path in sorted(folder.glob("*.json"))
        for entry in json.loads(path.read_bytes())["vectors"]
    ]


def _vector(entry: dict[str, Any], *, is_example: bool) -> Vector:
    text, binary = entry["json"], entry["binary"]
    return Vector(
        name=entry["name"],
        type=entry["type"],
        is_example=is_example,
        json=None if text is None else text.encode(),
        binary=None if binary is None else base64.b64decode(binary),
        accepted={item["name"]: _data(item) for item in entry.get("accepted", [])},
        refused={
            item["name"]: Refused(_data(item), item["error"]) for item in entry.get("refused", [])
        },
    )


def _data(item: dict[str, str]) -> bytes:
    text = item.get("json")
    return base64.b64decode(item["base64"]) if text is None else text.encode()
