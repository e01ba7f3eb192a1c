"""`turnwire schema`, `--version` and the help texts."""

from __future__ import annotations

import shlex
from importlib.metadata import version
from pathlib import Path

import pytest
from cli.commands import failure_of, output_of

import turnwire
from turnwire import schema
from turnwire._apis import APIS, Api


def test_list_gives_a_short_name_a_line() -> None:
    names = output_of("schema", "list").decode().splitlines()
    assert len(names) == len(schema.message_names())
    assert "ces.SessionOutput.DiagnosticInfo" in names


def test_list_gives_the_enums_too() -> None:
    names = output_of("schema", "list", "--enums").decode().splitlines()
    assert {"ces.AudioEncoding", schema.short_name("gda.TextMessage.TextType")} < {*names}
    assert names == sorted({*names} - {*map(schema.short_name, schema.message_names())})
    assert all(schema.describe(name).count("\nenum ") == 1 for name in names)


def test_show_gives_the_declaration_with_its_comments() -> None:
    shown = output_of("schema", "show", "ces.Chunk").decode()
    assert "message Chunk {" in shown
    assert schema.comment_of("ces.Chunk").splitlines()[0] in shown
    assert schema.comment_of("ces.Chunk.text").splitlines()[0] in shown


def test_show_of_an_unknown_name_offers_the_nearest() -> None:
    status, said = failure_of("schema", "show", "ces.Chunc")
    assert status == 2
    assert 'the schema has no "ces.Chunc"; did you mean ces.Chunk?' in said
    assert "turnwire schema list" in failure_of("schema", "show", "ces")[1]


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_the_alias_of_an_api_is_a_name_too(api: Api) -> None:
    full_name = next(name for name in schema.message_names() if name.startswith(api.package))
    names = [full_name.replace(api.package, spelling) for spelling in (api.alias, api.name)]
    by_alias, by_name = (output_of("schema", "show", name) for name in names)
    assert by_alias == by_name
    for name in names:
        assert output_of("convert", "-", "--type", name, stdin=b"{}") == b"{}\n"


def test_includes_are_options_of_protoc() -> None:
    options = shlex.split(output_of("schema", "includes").decode())
    folders = [Path(option.removeprefix("-I")) for option in options]
    assert folders == [*schema.include_paths()]
    for name in schema.message_names():
        file = schema.message_class(name).DESCRIPTOR.file
        for needed in (file, *file.dependencies):
            if not needed.name.startswith("google/protobuf/"):  # protoc's own
                assert sum((folder / needed.name).exists() for folder in folders) == 1


def test_export_of_the_descriptor_set(tmp_path: Path) -> None:
    output_of("schema", "export", "descriptors", "-o", tmp_path / "all.binpb")
    assert (tmp_path / "all.binpb").read_bytes() == schema.descriptor_set().read_bytes()
    assert output_of("schema", "export", "descriptors") == schema.descriptor_set().read_bytes()


def test_export_of_the_proto_files(tmp_path: Path) -> None:
    (tmp_path / "turnwire_schema/ces/v1").mkdir(parents=True)
    (tmp_path / "turnwire_schema/ces/v1/message.proto").write_text("old")
    (tmp_path / "other").write_text("stays")
    output_of("schema", "export", "protos", "-o", tmp_path)
    root = schema.proto_root()
    expected = {file.relative_to(root): file.read_bytes() for file in root.rglob("*.proto")}
    found = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*") if path.is_file()}
    assert found.pop(Path("other")).read_text() == "stays"
    assert {name: path.read_bytes() for name, path in found.items()} == expected


def test_export_of_the_json_schemas(tmp_path: Path) -> None:
    output_of("schema", "export", "jsonschema", "-o", tmp_path / "schemas")
    root = schema.json_schema_root()
    expected = {file.name: file.read_bytes() for file in root.iterdir()}
    found = {path.name: path.read_bytes() for path in (tmp_path / "schemas").iterdir()}
    assert found == expected
    assert len(found) == 2 * len(APIS)


def test_export_says_what_is_missing(tmp_path: Path) -> None:
    assert failure_of("schema", "export", "protos")[0] == 2
    assert "required: descriptors|protos|jsonschema" in failure_of("schema", "export")[1]
    (tmp_path / "file").touch()
    status, said = failure_of("schema", "export", "protos", "-o", "file", cwd=tmp_path)
    assert (status, said.count("\n")) == (3, 1)


def test_version() -> None:
    said = output_of("--version").decode()
    ours = version("turnwire")
    if turnwire.backend == "native":
        assert said == f"turnwire {ours} (native core {version('turnwire-native')})\n"
    else:
        assert said == f"turnwire {ours} (pure Python)\n"


@pytest.mark.parametrize("command", [[], ["convert"], ["schema"]])
def test_help_has_examples(command: list[str]) -> None:
    assert "examples:\n  turnwire " in output_of(*command, "--help").decode()


def test_help_has_every_exit_status() -> None:
    assert "\n  130, 143  " in output_of("--help").decode()
