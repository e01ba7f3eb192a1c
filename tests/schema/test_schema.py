"""`turnwire.schema`: names, comments, and files that work without the generated code."""

from __future__ import annotations

import pickle

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import turnwire
from turnwire import schema
from turnwire._apis import APIS, Api


@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
def test_a_declaration_goes_by_its_full_name_its_short_name_and_the_alias(api: Api) -> None:
    names = [name for name in schema.message_names() if name.startswith(f"{api.package}.")]
    assert names
    for full_name in names:
        short = schema.short_name(full_name)
        below = full_name.removeprefix(f"{api.package}.")
        assert short == f"{api.name}.{below}"
        for spelling in (short, f"{api.alias}.{below}"):
            assert schema.message_class(spelling) is schema.message_class(full_name)
            assert schema.comment_of(spelling) == schema.comment_of(full_name)
            assert schema.describe(spelling) == schema.describe(full_name)
            assert schema.short_name(spelling) == short


def test_every_message_belongs_to_an_api_of_the_catalogue() -> None:
    for name in schema.message_names():
        assert any(name.startswith(f"{api.package}.") for api in APIS), name


def test_names_of_other_packages_stay_as_they_are() -> None:
    assert schema.short_name("google.protobuf.Struct") == "google.protobuf.Struct"


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("ces.Chunk", "One piece of content in a message."),
        ("ces.Chunk.data", "The data of the chunk."),
        ("ces.Chunk.text", "Optional. Text data."),
        ("ces.AudioEncoding", "The encoding of audio samples."),
        ("ces.AudioEncoding.LINEAR16", "Linear PCM, 16 bits per sample."),
        ("gda.TextMessage.TextType.THOUGHT", "A thought that the model generated."),
    ],
)
def test_every_kind_of_declaration_has_a_comment_and_a_description(name: str, start: str) -> None:
    assert schema.comment_of(name).startswith(start)
    assert f"// {start}" in schema.describe(name)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("ces.Mesage", "ces.Message"),
        ("gda.Mesage", "gda.Message"),
        ("turnwire_schema.ces.v1.Chunks", "turnwire_schema.ces.v1.Chunk"),
        ("Message", "ces.Message or gda.Message"),
        ("Chunk", "ces.Chunk"),
        ("Chunk.text", "ces.Chunk.text"),
    ],
)
def test_the_error_of_an_unknown_name_offers_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(schema.UnknownNameError) as caught:
        schema.comment_of(name)
    assert str(caught.value) == f'the schema has no "{name}"; did you mean {nearest}?'
    assert isinstance(caught.value, KeyError)
    assert isinstance(caught.value, turnwire.TurnwireError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_name_like_no_other_gets_no_advice() -> None:
    with pytest.raises(schema.UnknownNameError, match=r'^the schema has no message "§"$'):
        schema.message_class("§")


def test_the_descriptor_set_makes_messages_without_generated_code() -> None:
    pool = descriptor_pool.DescriptorPool()
    data = schema.descriptor_set().read_bytes()
    for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
        pool.AddSerializedFile(file.SerializeToString())
    name = "turnwire_schema.ces.v1.Message"
    dynamic = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    wire = schema.message_class(name)(role="user").SerializeToString()
    assert dynamic.FromString(wire).role == "user"


def test_the_proto_files_are_those_of_the_descriptor_set() -> None:
    files = descriptor_pb2.FileDescriptorSet.FromString(schema.descriptor_set().read_bytes()).file
    root = schema.proto_root()
    assert {file.name for file in files if file.package.startswith("turnwire_schema.")} == {
        path.relative_to(root).as_posix() for path in root.rglob("*.proto")
    }
