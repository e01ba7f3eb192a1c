"""`from_dict` follows the JSON rules too, as far as a dict can hold their texts."""

from __future__ import annotations

import json
from typing import Any

from json_rules import Rule, rules
from support.cases import for_each

import turnwire

CHANGED_BY_JSON_LOADS = {
    "a float that overflows is infinite": [
        ("int32/largest", "overflow"),
        ("float/whole", "double-overflow"),
        ("double/largest", "above"),
        ("double/largest", "below"),
        ("struct/numbers", "overflow"),
        ("struct/numbers", "minus-overflow"),
    ],
    "a float is rounded": [("int64/largest", "fraction"), ("uint64/largest", "fraction")],
    "an integer has no negative zero": [
        ("float/minus-zero", "whole"),
        ("struct/minus-zero", "whole"),
    ],
    "UTF-16 is detected": [("string/encodings", "utf16")],
}
CHANGED = {key for keys in CHANGED_BY_JSON_LOADS.values() for key in keys}
ABOUT_TEXT = ("syntax", "duplicate")
"""Kinds of error that a dict cannot have."""


def value_of(data: bytes) -> Any:
    """Returns the value of a text; NotImplemented if json.loads cannot read it."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return NotImplemented


@for_each("rule", rules(), ids=lambda rule: rule.id)
def test_accepted_values(rule: Rule) -> None:
    for label, data in rule.texts.items():
        if (rule.id, label) not in CHANGED:
            message = turnwire.from_dict(rule.message_class, json.loads(data), **rule.options)
            assert turnwire.to_json(message) == rule.canonical, label


@for_each("rule", rules(), ids=lambda rule: rule.id)
def test_refused_values(rule: Rule) -> None:
    for label, refused in rule.refused.items():
        value = value_of(refused.data)
        about_text = refused.kind in ABOUT_TEXT or value is NotImplemented
        if about_text or (rule.id, label) in CHANGED:
            continue
        assert error_kind(rule, value) == refused.kind, label


def error_kind(rule: Rule, value: Any) -> str | None:
    try:
        turnwire.from_dict(rule.message_class, value, **rule.options)
    except turnwire.ParseError as error:
        return error.kind
    return None


def test_the_list_above_is_about_texts_that_exist() -> None:
    labels = {(rule.id, label) for rule in rules() for label in (*rule.texts, *rule.refused)}
    assert labels >= CHANGED
