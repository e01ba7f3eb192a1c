"""The fields that an API requires, by the annotations of the schema."""

from __future__ import annotations

from functools import cache
from typing import Any

from google.api.field_behavior_pb2 import (  # type: ignore[import-untyped]
    REQUIRED,
    field_behavior,
)
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message


@cache
def required_fields_of(descriptor: Descriptor) -> tuple[FieldDescriptor, ...]:
    """The fields of a message that are annotated as required.

    >>> from turnwire_schema.ces.v1.conversation_pb2 import Conversation
    >>> [field.name for field in required_fields_of(Conversation.DESCRIPTOR)]
    ['turns']
    """
    return tuple(field for field in descriptor.fields if REQUIRED in _behaviors_of(field))


def missing_fields_of(message: Message) -> tuple[FieldDescriptor, ...]:
    """The required fields that are absent from a message, or empty messages in it.

    A number or bool without presence is never missing: its 0 or false may be meant.

    >>> from turnwire_schema.ces.v1.conversation_pb2 import Conversation
    >>> [field.name for field in missing_fields_of(Conversation())]
    ['turns']
    """
    present = {field.number: value for field, value in message.ListFields()}
    return tuple(
        field
        for field in required_fields_of(message.DESCRIPTOR)
        if _is_missing(field, present.get(field.number))
    )


def _behaviors_of(field: FieldDescriptor) -> Any:
    extensions: Any = field.GetOptions().Extensions  # the annotations have no stubs
    return extensions[field_behavior]


def may_be_missing(field: FieldDescriptor) -> bool:
    """Whether the value that a field has when it is unset means nothing.

    >>> from turnwire_schema.ces.v1.conversation_pb2 import Conversation
    >>> may_be_missing(Conversation.DESCRIPTOR.fields_by_name["turns"])
    True
    """
    is_number = field.cpp_type not in (FieldDescriptor.CPPTYPE_STRING, FieldDescriptor.CPPTYPE_ENUM)
    return field.has_presence or field.is_repeated or not is_number


def _is_missing(field: FieldDescriptor, value: object) -> bool:
    if value is None:
        return may_be_missing(field)
    return isinstance(value, Message) and not value.ByteSize()
