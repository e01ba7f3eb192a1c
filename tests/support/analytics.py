"""Makes messages of Conversational Analytics: a question, a text, a result."""

from __future__ import annotations

from typing import Any

from turnwire import from_dict
from turnwire import geminidataanalytics as gda


def user(text: str, **members: Any) -> gda.Message:
    return from_dict(gda.Message, {"userMessage": {"text": text}, **members})


def system(content: dict[str, Any], **members: Any) -> gda.Message:
    return from_dict(gda.Message, {"systemMessage": content, **members})


def text(text_type: str, *parts: str) -> gda.Message:
    return system({"text": {"textType": text_type, "parts": list(parts)}})


def result(name: str, *rows: dict[str, Any]) -> gda.Message:
    return system({"data": {"result": {"name": name, "data": list(rows)}}})
