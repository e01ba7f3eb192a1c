"""Makes a page for each message and enum of the schema, from the comments in the .proto files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from google.api.field_behavior_pb2 import (  # type: ignore[import-untyped]
    FieldBehavior,
    field_behavior,
)
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from turnwire import schema
from turnwire._apis import APIS, ROOT

_EXAMPLES = Path(__file__).resolve().parents[1] / "message_examples"


def pages_of_messages() -> dict[str, str]:
    """Returns a page for each message and enum and an index of each API, by their paths."""
    made: dict[str, str] = {}
    for api in APIS:
        examples = json.loads((_EXAMPLES / f"{api.name}.json").read_text(encoding="utf-8"))
        folder = f"reference/messages/{api.name}"
        names: list[str] = []
        for full_name in schema.message_names():
            if not full_name.startswith(f"{api.package}."):
                continue
            message = _descriptor_of(full_name)
            short = _rest(full_name)
            lines = [*_message(message, examples.get(short, {})), *_foot(message)]
            made[f"{folder}/{short}.md"] = "\n".join(lines)
            names.append(short)
        for enum in _enums(api.package):
            short = _rest(enum.full_name)
            made[f"{folder}/{short}.md"] = "\n".join([*_enum(enum), *_foot(enum)])
            names.append(short)
        contents = "\n".join(sorted(names))
        made[f"{folder}/index.md"] = (
            f"# Messages of {api.title}\n\nThe proto package is `{api.package}`.\n\n"
            f"```{{toctree}}\n:maxdepth: 1\n\n{contents}\n```\n"
        )
    return made


def _descriptor_of(full_name: str) -> Descriptor:
    return cast(Descriptor, schema.message_class(full_name).DESCRIPTOR)


def _enums(package: str) -> Iterator[EnumDescriptor]:
    files: dict[str, Any] = {}
    for full_name in schema.message_names():
        if full_name.startswith(f"{package}."):
            message = _descriptor_of(full_name)
            files[message.file.name] = message.file
            yield from cast(list[EnumDescriptor], message.enum_types)
    for file in files.values():
        yield from file.enum_types_by_name.values()


def _message(message: Descriptor, examples: dict[str, object]) -> Iterator[str]:
    yield from _head(message, "message")
    if message.fields:
        yield "## Fields"
        yield ""
    for field in message.fields:
        yield f"### `{field.name}`"
        yield ""
        yield " · ".join(_facts(field))
        yield ""
        yield from _comment(field.full_name)
    yield "## In JSON"
    yield ""
    for value in examples.values():
        yield "```json"
        yield json.dumps(value, ensure_ascii=False, indent=2)
        yield "```"
        yield ""


def _enum(enum: EnumDescriptor) -> Iterator[str]:
    yield from _head(enum, "enum")
    yield "## Values"
    yield ""
    for value in enum.values:
        yield f"### `{value.name}`"
        yield ""
        yield f"Number {value.number}"
        yield ""
        yield from _comment(f"{enum.full_name}.{value.name}")


def _head(declared: Descriptor | EnumDescriptor, kind: str) -> Iterator[str]:
    yield f"# {_rest(declared.full_name)}"
    yield ""
    yield f"The {kind} `{declared.full_name}`."
    yield ""
    yield from _comment(declared.full_name)


def _foot(declared: Descriptor | EnumDescriptor) -> Iterator[str]:
    yield "---"
    yield ""
    yield f"This page is made of the comments in `proto/{declared.file.name}`."


def _comment(full_name: str) -> Iterator[str]:
    text = schema.comment_of(full_name)
    if text:
        yield text
        yield ""


def _facts(field: FieldDescriptor) -> Iterator[str]:
    yield _type_of(field)
    if field.json_name != field.name:
        yield f"JSON name `{field.json_name}`"
    provisional = " (provisional)" if schema.is_provisional(field.full_name) else ""
    yield f"number {field.number}{provisional}"
    for behavior in field.GetOptions().Extensions[field_behavior]:
        yield FieldBehavior.Name(behavior).lower().replace("_", " ")
    oneof = field.containing_oneof
    if oneof is not None and not oneof.name.startswith("_"):
        yield f"member of the oneof `{oneof.name}`"


def _type_of(field: FieldDescriptor) -> str:
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        key, value = entry.fields
        return f"map of {_name_of(key)} to {_name_of(value)}"
    return f"repeated {_name_of(field)}" if field.is_repeated else _name_of(field)


def _name_of(field: FieldDescriptor) -> str:
    declared = field.message_type or field.enum_type
    if declared is None:
        return f"`{_SCALARS[field.type]}`"
    if not declared.full_name.startswith(f"{ROOT}."):
        return f"`{declared.full_name}`"
    short = _rest(declared.full_name)
    return f"[`{short}`]({short}.md)"


def _rest(full_name: str) -> str:
    """Returns a name without its package: ``Conversation.Turn``."""
    return schema.short_name(full_name).partition(".")[2]


_SCALARS = {
    getattr(FieldDescriptor, name): name.removeprefix("TYPE_").lower()
    for name in vars(FieldDescriptor)
    if name.startswith("TYPE_")
}
