"""Makes the JSON Schemas in generated/jsonschema, or checks that they are up to date.

    python scripts/json_schema.py            write generated/jsonschema
    python scripts/json_schema.py --check    compare; exit 1 on any difference

Each API has two bundles (draft 2020-12), made from the descriptor set. Their ``$defs`` hold a
schema of each message and enum:

- ``ces.json`` describes all JSON that Turnwire reads.
- ``ces.types.json`` describes the JSON that it prints, for programs that generate types.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from committed_tree import bring_up_to_date
from environment import GENERATED
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from json_schema_form import Declaration, Form, Schema, definition_name
from json_schema_printed import PrintedForm
from json_schema_read import ReadForm

from turnwire import schema

# The identifiers are names; nothing needs to be found there.
_BASE = "https://turnwire.dev/schema/"
_FORMS: tuple[type[Form], ...] = (ReadForm, PrintedForm)


def declarations() -> dict[str, list[Declaration]]:
    """Returns the messages and enums of each API, nested ones too, by the name of the API."""
    files = FileDescriptorSet.FromString(schema.descriptor_set().read_bytes()).file
    pool = DescriptorPool()
    for file in files:
        pool.Add(file)
    found: dict[str, list[Declaration]] = {}
    for file in files:
        root, _, rest = file.package.partition(".")
        if root == "turnwire_schema":
            descriptor = pool.FindFileByName(file.name)
            declared = found.setdefault(rest.partition(".")[0], [])
            declared += descriptor.enum_types_by_name.values()
            for message in descriptor.message_types_by_name.values():
                declared += _with_nested(message)
    return found


def _with_nested(message: Descriptor) -> Iterator[Declaration]:
    if message.GetOptions().map_entry:
        return
    yield message
    yield from message.enum_types
    for nested in message.nested_types:
        yield from _with_nested(nested)


def bundle(name: str, declared: list[Declaration], form: type[Form]) -> Schema:
    """Returns the bundle of an API in one form.

    Raises:
        ValueError: Two definitions have the same name.
    """
    made = form()
    definitions = [(definition_name(found), made.definition(found)) for found in declared]
    by_name = dict(sorted([*definitions, *made.shared.items()]))
    if len(by_name) < len(definitions) + len(made.shared):
        raise ValueError(f"expected a name for each definition of {name}, got one name for two")
    package = declared[0].file.package
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{_BASE}{name}",
        "title": package,
        "description": form.DESCRIPTION.format(package=package),
        "$defs": by_name,
    }


def files() -> dict[str, bytes]:
    """Returns the content of each bundle, by the name of its file."""
    found: dict[str, Any] = {}
    for api, declared in declarations().items():
        for form in _FORMS:
            name = f"{api}{form.SUFFIX}"
            found[name] = bundle(name, declared, form)
    return {name: "\n".join(_lines(content)).encode() for name, content in found.items()}


def _lines(content: Schema) -> Iterator[str]:
    """Yields the lines of a bundle: one for each definition, which keeps differences short."""
    head = json.dumps({**content, "$defs": {}}, indent=1, ensure_ascii=False)
    yield head.removesuffix("}\n}")
    definitions = [
        f"  {json.dumps(name)}: {json.dumps(found, separators=(',', ':'), ensure_ascii=False)}"
        for name, found in content["$defs"].items()
    ]
    yield ",\n".join(definitions)
    yield " }\n}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    target = GENERATED / "jsonschema"
    return bring_up_to_date(target, ("",), files(), command="make generate", check=check)


if __name__ == "__main__":
    sys.exit(main())
