"""The name of an API stands in its own files, in the catalogue, and in few others."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from turnwire._apis import API_BY_NAME, APIS, Api, full_name_of, mirror_name_of, short_names_of

ROOT = Path(__file__).resolve().parents[2]
SECOND = API_BY_NAME["gda"]
OWN = (
    "proto/*",
    "generated/*",
    "interop/*",  # their message types are generated, and each signs a message of each API
    "tests/vectors/*",
    "tests/contract/*.tsv",
    "tests/protojson/*.jsonl",
    "tests/structure/public_names.txt",
    "docs/*",
    "examples/*",
    "*.md",
)
"""Generated and tabulated files, pages and programs in them, where a name has to be written out."""
MAX_FILES = 11


def files_that_name(api: Api) -> list[str]:
    """Returns the tracked files that spell an API's name and are not the API's own."""
    command = ["git", "grep", "-lIw", api.name, "--", ".", *(f":!{path}" for path in OWN)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        pytest.skip("needs the repository and git")
    own = re.compile(rf"(^|/)({api.name}|{api.alias})(/|_|\.)")
    return [file for file in done.stdout.splitlines() if not own.search(file)]


def test_few_files_spell_the_name_of_an_api() -> None:
    found = files_that_name(SECOND)
    assert "src/turnwire/_apis.py" in found
    assert len(found) <= MAX_FILES, (
        f"use turnwire._apis, or gda of support.analytics in tests: {found}"
    )


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_an_api_has_its_files(api: Api) -> None:
    for path in (
        f"proto/{api.package.replace('.', '/')}",
        f"src/turnwire/{api.name}",
        f"tests/{api.name}",
    ):
        assert (ROOT / path).is_dir(), path


@pytest.mark.parametrize("version", ["v1", "v1beta", "v1alpha"])
@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_googles_messages_have_their_mirror(api: Api, version: str) -> None:
    name = f"google.cloud.{api.name}.{version}.Message.Inner"
    assert mirror_name_of(name) == f"{api.package}.Message.Inner"


@pytest.mark.parametrize(
    "name",
    [
        "google.cloud.ces.v1",
        "google.cloud.ces.v1.",
        "google.cloud.ces.v2.Message",
        "google.cloud.ces.v1x.Message",
        "google.cloud.other.v1.Message",
        "turnwire_schema.ces.v1.Message",
        "",
    ],
)
def test_other_names_have_no_mirror(name: str) -> None:
    assert mirror_name_of(name) is None


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_short_names_and_full_names_are_told_apart(api: Api) -> None:
    full_name = f"{api.package}.Message.role"
    for short in short_names_of(full_name):
        assert full_name_of(short) == full_name
    assert full_name_of(full_name) == full_name
    for other in (api.name, api.alias, "Message", f"x.{api.alias}.Message", ""):
        assert full_name_of(other) == other
