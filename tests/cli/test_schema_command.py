"""`turnwire schema`, `--version` and the help texts."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest
from cli.commands import failure_of, output_of

from turnwire import schema


def test_list_gives_a_short_name_a_line() -> None:
    names = output_of("schema", "list").decode().splitlines()
    assert len(names) == len(schema.message_names()) == 118
    assert "ces.SessionOutput.DiagnosticInfo" in names


def test_show_gives_the_declaration_with_its_comments() -> None:
    shown = output_of("schema", "show", "ces.Chunk").decode()
    assert "message Chunk {" in shown
    assert schema.comment_of("ces.Chunk").splitlines()[0] in shown
    assert schema.comment_of("ces.Chunk.text").splitlines()[0] in shown


def test_show_of_an_unknown_name_offers_the_nearest() -> None:
    status, said = failure_of("schema", "show", "ces.Chunc")
    assert status == 2
    assert 'the schema has no "ces.Chunc"; did you mean ces.Chunk?' in said


def test_export_of_the_descriptor_set(tmp_path: Path) -> None:
    output_of("schema", "export", "descriptors", "-o", tmp_path / "all.binpb")
    assert (tmp_path / "all.binpb").read_bytes() == schema.descriptor_set().read_bytes()
    assert output_of("schema", "export", "descriptors") == schema.descriptor_set().read_bytes()


def test_export_of_the_proto_files(tmp_path: Path) -> None:
    output_of("schema", "export", "protos", "-o", tmp_path)
    name = Path("turnwire_schema/ces/v1/message.proto")
    assert (tmp_path / name).read_bytes() == (schema.proto_root() / name).read_bytes()
    assert failure_of("schema", "export", "protos")[0] == 2


def test_version() -> None:
    assert output_of("--version").decode() == f"turnwire {version('turnwire')}\n"


@pytest.mark.parametrize("command", [[], ["convert"], ["schema"]])
def test_help_has_examples(command: list[str]) -> None:
    assert "examples:\n  turnwire " in output_of(*command, "--help").decode()
