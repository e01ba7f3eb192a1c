"""Looks for what Google has added to the APIs: run it, and review the difference.

    python scripts/upstream.py                 both of the following
    python scripts/upstream.py discovery       write tests/contract/discovery.tsv again
    python scripts/upstream.py clients         compare the schema with the newest public clients

The discovery document of CES comes from the newest Go module google.golang.org/api, or with
``--from pypi`` from the newest google-api-python-client. `tests/contract` then compares the schema
with the table. The clients are installed into .venv-clients; the exit status is 1 where one of them
has a field, an enum value or a type that the schema lacks.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compare_clients import CLIENT_PACKAGES
from environment import ROOT, make_environment

from turnwire import schema

TABLE = ROOT / "tests" / "contract" / "discovery.tsv"

_GO_MODULE = "google.golang.org/api"
_PYPI_PACKAGE = "google-api-python-client"
_PACKAGE = "turnwire_schema.ces.v1."
_HEADER = ("message", "json_name", "type", "label", "read_only")

Document = dict[str, Any]
Row = tuple[str, ...]


def from_go() -> Document:
    """Returns the discovery document of the newest Go module."""
    command = ["go", "mod", "download", "-json", f"{_GO_MODULE}@latest"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "go.mod").write_text("module upstream\n", encoding="utf-8")
        done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE)
    module = json.loads(done.stdout)
    print(f"{_GO_MODULE} {module['Version']}")
    return _document(Path(module["Dir"], "ces", "v1", "ces-api.json").read_bytes())


def from_pypi() -> Document:
    """Returns the discovery document of the newest Python package."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
        subprocess.run([*pip, "--disable-pip-version-check", _PYPI_PACKAGE], check=True)
        [wheel] = Path(folder).glob("*.whl")
        print(wheel.name)
        documents = "googleapiclient/discovery_cache/documents"
        return _document(zipfile.ZipFile(wheel).read(f"{documents}/ces.v1.json"))


SOURCES = {"go": from_go, "pypi": from_pypi}


def _document(data: bytes) -> Document:
    document: Document = json.loads(data)
    return document


def table(document: Document) -> Iterator[Row]:
    """Yields the facts of a discovery document about the messages of the schema."""
    # The document joins the names of nested messages: ConversationTurn is Conversation.Turn.
    names = {
        name.removeprefix(_PACKAGE).replace(".", ""): name.removeprefix(_PACKAGE)
        for name in schema.message_names()
        if name.startswith(_PACKAGE)
    }
    yield _HEADER
    yield ("revision", document["revision"], "", "", "")
    for joined, name in sorted(names.items(), key=lambda item: item[1]):
        properties = document["schemas"].get(joined, {}).get("properties", {})
        for json_name, found in sorted(properties.items()):
            repeated = found.get("type") == "array"
            type_name = _type(found["items"] if repeated else found, names)
            read_only = "yes" if found.get("readOnly") else ""
            yield (name, json_name, type_name, "repeated" if repeated else "", read_only)


def _type(found: dict[str, Any], names: dict[str, str]) -> str:
    """Returns the type of a property as the table writes it."""
    if "$ref" in found:
        return names.get(found["$ref"], str(found["$ref"]))
    if "enum" in found:
        return f"enum:{'|'.join(found['enum'])}"
    if found["type"] == "object":
        value = _type(found["additionalProperties"], names)
        return "Struct" if value == "any" else f"map<string,{value}>"
    return str(found.get("format", found["type"]))


def write_table(document: Document) -> None:
    """Writes the table of a discovery document, and prints what is new or gone."""
    rows = list(table(document))
    old = TABLE.read_text(encoding="utf-8").splitlines()
    new = ["\t".join(row) for row in rows]
    TABLE.write_text("\n".join([*new, ""]), encoding="utf-8")
    for sign, lines, others in (("-", old, new), ("+", new, old)):
        for line in lines:
            if line not in others:
                print(sign, line)
    print(f"{TABLE.relative_to(ROOT)}: revision {document['revision']}, {len(rows) - 2} fields")


def compare_newest_clients() -> bool:
    """Compares the schema with the newest clients, and returns whether it lacks nothing."""
    python = make_environment(ROOT / ".venv-clients", "--editable", ".", *CLIENT_PACKAGES)
    script = Path(__file__).with_name("compare_clients.py")
    return subprocess.run([python, "-W", "ignore", script], cwd=ROOT).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", nargs="?", choices=("discovery", "clients"))
    chosen = "go" if shutil.which("go") else "pypi"
    parser.add_argument("--from", dest="source", choices=SOURCES, default=chosen)
    arguments = parser.parse_args()
    if arguments.part != "clients":
        write_table(SOURCES[arguments.source]())
    if arguments.part == "discovery":
        return 0
    return 0 if compare_newest_clients() else 1


if __name__ == "__main__":
    sys.exit(main())
