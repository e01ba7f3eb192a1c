"""Adds the files of the schema to the wheel; hatchling runs this when it builds one."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SchemaFiles(BuildHookInterface):
    """Puts the files that `turnwire.schema` points at into the wheel.

    An editable install gets no copies, which would grow old: there it points at the originals.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the files to a wheel that is not for an editable install."""
        if version == "standard":
            build_data["force_include"] |= {
                "proto": "turnwire/_data/proto",
                "generated/turnwire.binpb": "turnwire/_data/turnwire.binpb",
                "generated/jsonschema": "turnwire/_data/jsonschema",
            }
