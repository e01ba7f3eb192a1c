"""Adds the schema, the pages and a bill of materials to the wheel; hatchling runs this."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.requirements import Requirement


class WheelFiles(BuildHookInterface):
    """Puts the files that `turnwire.schema` and `turnwire help` read into the wheel.

    An editable install gets no copies, which would grow old: there it points at the originals.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the files to a wheel that is not for an editable install."""
        if version == "standard":
            build_data["force_include"] |= {
                "proto": "turnwire/_data/proto",
                "generated/turnwire.binpb": "turnwire/_data/turnwire.binpb",
                "generated/jsonschema": "turnwire/_data/jsonschema",
            } | self._pages()
            self._folder = tempfile.TemporaryDirectory()
            path = Path(self._folder.name) / "turnwire.cyclonedx.json"
            path.write_text(json.dumps(self._materials(), indent=2), encoding="utf-8")
            build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the temporary file."""
        if version == "standard":
            self._folder.cleanup()

    def _pages(self) -> dict[str, str]:
        """Returns the place in the wheel of each page of docs/."""
        root = Path(self.root)
        found = sorted((root / "docs").rglob("*.md"))
        pages = [path.relative_to(root).as_posix() for path in found]
        # The first page of the site has links alone.
        return {page: f"turnwire/_data/{page}" for page in pages if page != "docs/site/index.md"}

    def _materials(self) -> dict[str, Any]:
        """Returns a CycloneDX document, which is the same for the same pyproject.toml.

        The wheel holds no code of others: the components are the packages that it depends on, in
        any version that its metadata allows.
        """
        core = self.metadata.core
        names = [Requirement(each).name for each in core.dependencies]
        package = {
            "type": "library",
            "bom-ref": f"pkg:pypi/{core.name}@{self.metadata.version}",
            "name": core.name,
            "version": self.metadata.version,
            "purl": f"pkg:pypi/{core.name}@{self.metadata.version}",
            "licenses": [{"license": {"id": core.license_expression}}],
        }
        components = [
            {
                "type": "library",
                "bom-ref": f"pkg:pypi/{name}",
                "name": name,
                "purl": f"pkg:pypi/{name}",
                "scope": "required",
            }
            for name in names
        ]
        depends = {"ref": package["bom-ref"], "dependsOn": [each["bom-ref"] for each in components]}
        return {
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": {"component": package},
            "components": components,
            "dependencies": [depends, *({"ref": each["bom-ref"]} for each in components)],
        }
