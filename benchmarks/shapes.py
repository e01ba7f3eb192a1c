"""The five shapes of JSON that the benchmarks measure, with their message classes."""

from __future__ import annotations

import base64
import json
import random
from typing import Any, NamedTuple

from google.protobuf.message import Message
from turnwire_schema.ces.v1 import message_pb2 as ces_message_pb2
from turnwire_schema.ces.v1 import session_pb2

from turnwire import schema


class Shape(NamedTuple):
    """A JSON text and the message class that reads it."""

    name: str
    message_class: type[Message]
    text: bytes


TOOL = "projects/airline-assistant/locations/eu/apps/travel-desk/tools/find_seats"


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _ces_message(index: int) -> dict[str, Any]:
    return {
        "role": "Reservierung" if index % 2 else "user",
        "chunks": [
            {
                "text": f"I would like to change seat {index} on tomorrow's flight, please. "
                "Are there two seats side by side?"
            },
            {
                "toolCall": {
                    "tool": TOOL,
                    "id": f"call-{index:05}",
                    "displayName": "Find free seats",
                    "args": {"flight": "LH 123", "row": index, "window": True, "near": None},
                }
            },
            {
                "toolResponse": {
                    "tool": TOOL,
                    "id": f"call-{index:05}",
                    "displayName": "Find free seats",
                    "response": {"result": {"seats": ["12A", "14F"], "price": 12.5}},
                }
            },
            {"transcript": "Café – größer ist besser"},
            {"payload": {"type": "card", "title": "Seats", "score": 0.875}},
        ],
        "eventTime": "2025-11-05T10:15:30.123456Z",
    }


def _rows(count: int) -> dict[str, Any]:
    random_numbers = random.Random(7)
    rows = [
        {
            "id": index,
            "name": f"customer {index}",
            "region": random_numbers.choice(["north", "south", "east", "west"]),
            "revenue": round(random_numbers.uniform(0, 100_000), 2),
            "active": index % 3 == 0,
            "note": None if index % 5 else "prüfen",
        }
        for index in range(count)
    ]
    fields = [{"name": name, "type": "STRING"} for name in rows[0]]
    result = {"name": "result", "schema": {"fields": fields}, "data": rows}
    return {"timestamp": "2025-11-05T10:15:30Z", "systemMessage": {"data": {"result": result}}}


def _diagnostics(count: int) -> dict[str, Any]:
    messages = [_ces_message(index) for index in range(count)]
    for message in messages:
        del message["chunks"][3:]
    output = {"text": "Done.", "turnIndex": 1, "diagnosticInfo": {"messages": messages}}
    return {"outputs": [output]}


def shapes() -> list[Shape]:
    """All five, smallest first."""
    image = base64.b64encode(random.Random(3).randbytes(1_000_000)).decode()
    picture = {"chunks": [{"image": {"mimeType": "image/png", "data": image}}]}
    return [
        Shape("small CES message", ces_message_pb2.Message, _text(_ces_message(1))),
        Shape("diagnostics", session_pb2.RunSessionResponse, _text(_diagnostics(200))),
        Shape("1,000 rows", schema.message_class("gda.Message"), _text(_rows(1000))),
        Shape("50,000 rows", schema.message_class("gda.Message"), _text(_rows(50_000))),
        Shape("1 MB image", ces_message_pb2.Message, _text(picture)),
    ]
