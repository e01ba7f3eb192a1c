"""Messages go between Turnwire and Google's own clients, as bytes and as JSON, both ways.

A provisional field is in no client, because no public number is known, and so is left out here.
"""

from __future__ import annotations

import random
import subprocess
import sys
from importlib import metadata

import pytest
from compare_clients import Pair, lacks, pairs
from google.protobuf import json_format
from google.protobuf.message import Message
from interop_google.fillings import fill
from support.cases import for_each

import turnwire
from turnwire import schema
from turnwire._apis import API_BY_NAME, APIS, full_name_of

PAIRS = pairs()
FILLINGS = 6

# Older clients, which older versions of protobuf need, lack the newest of v1beta.
COMPLETE_CLIENT = (0, 13, 5)
IN_NO_OLDER_CLIENT = {
    full_name_of(f"gda.{name}")
    for name in (
        "BigtableDatabaseReference",
        "BigtableReference",
        "DynamicField",
        "FirestoreDatabaseReference",
        "FirestoreReference",
        "TokenUsage",
    )
}
# Google's discovery document alone has these.
IN_NO_CLIENT = {"turnwire_schema.ces.v1.Citations.InlineCitation"}


def wire(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def known(message: Message) -> Message:
    """A copy without unknown fields."""
    copy = type(message)()
    copy.CopyFrom(message)
    copy.DiscardUnknownFields()
    return copy


def fillings(pair: Pair) -> list[tuple[Message, Message]]:
    """The same random content as a message of either side; each side is filled in turn."""
    made = []
    for seed in range(FILLINGS):
        here, there = (pair.ours, pair.theirs) if seed % 2 else (pair.theirs, pair.ours)
        filled = here()
        fill(filled, there.DESCRIPTOR, random.Random(f"{pair} {seed}"))
        twin = there.FromString(wire(filled))
        made.append((filled, twin) if seed % 2 else (twin, filled))
    return made


def test_every_message_is_in_one_of_the_clients() -> None:
    found = {pair.ours.DESCRIPTOR.full_name for pair in PAIRS}
    version = metadata.version(f"google-cloud-{API_BY_NAME['gda'].name}")
    older = tuple(map(int, version.split("."))) < COMPLETE_CLIENT
    missing = IN_NO_CLIENT | (IN_NO_OLDER_CLIENT if older else set())
    assert set(schema.message_names()) - found == missing
    assert len(PAIRS) > 200


@for_each("pair", PAIRS, ids=repr)
def test_the_schema_lacks_nothing_of_the_client(pair: Pair) -> None:
    assert lacks(pair) == []


@for_each("pair", PAIRS, ids=repr)
def test_bytes_go_both_ways(pair: Pair) -> None:
    for ours, theirs in fillings(pair):
        assert wire(ours) == wire(theirs)
        assert wire(known(ours)) == wire(known(theirs)) == wire(ours)
        assert pair.ours.FromString(wire(theirs)) == ours
        assert pair.theirs.FromString(wire(ours)) == theirs


@for_each("pair", PAIRS, ids=repr)
def test_json_goes_both_ways(pair: Pair) -> None:
    for ours, theirs in fillings(pair):
        assert turnwire.from_json(pair.ours, json_format.MessageToJson(theirs)) == ours
        assert json_format.Parse(turnwire.to_json(ours), pair.theirs()) == theirs


@for_each("pair", PAIRS, ids=repr)
def test_json_goes_to_the_wrapper_classes_and_back(pair: Pair) -> None:
    for ours, theirs in fillings(pair):
        wrapper = pair.proto_plus.deserialize(wire(theirs))
        printed = pair.proto_plus.to_json(wrapper, always_print_fields_with_no_presence=False)
        assert turnwire.from_json(pair.ours, printed) == ours
        assert pair.proto_plus.from_json(turnwire.to_json(ours).decode()) == wrapper


CLIENT = "".join(
    f"from google.cloud import {api.name}_v1 as {api.alias}_v1, {api.name}_v1beta\n" for api in APIS
)
TURNWIRE = "".join(f"import {api.views} as {api.alias}\n" for api in APIS)
USE = """
ours = gda.Message(user_message={"text": "hello"})
theirs = gda_v1.Message.deserialize(ours.SerializeToString())
assert theirs.user_message.text == "hello"
assert ces.Message.FromString(ces_v1.Message.serialize(ces_v1.Message(role="user"))).role == "user"
"""


@pytest.mark.parametrize("imports", [(CLIENT, TURNWIRE), (TURNWIRE, CLIENT)])
def test_both_can_be_imported_in_either_order(imports: tuple[str, str]) -> None:
    # google.api_core warns of Python versions that it will drop one day.
    command = [sys.executable, "-W", "error", "-W", "ignore::FutureWarning", "-c"]
    done = subprocess.run([*command, "\n".join([*imports, USE])], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
