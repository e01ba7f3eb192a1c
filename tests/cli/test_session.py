"""`turnwire session`: the same facts for people and for programs, whatever tells of the session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.commands import failure_of, output_of, turnwire
from cli.recordings import ANSWER, SESSION, options_of
from support.scenarios import scenarios

import turnwire as tw
from turnwire import ces, streams


def test_people_see_all_that_happened() -> None:
    shown = output_of("session", SESSION).decode()
    assert shown.startswith(
        'turn 1\n  default variables: {"boat": null, "guests": 1, "luggage": {"kind": "none"}, '
        '"paid": false}\n  user: Which boats cross tonight?\n  tool calls:\n    find_boats({"eve'
    )
    assert "\n  image: Deck plan of the Otter, the cabin marked in amber (image/png, 89 " in shown
    assert "\n  audio: 128 bytes\n" in shown
    reply = "  reply: Two boats cross tonight:\n      - 18:40 Heron\n      - 20:10 Otter\n"
    assert reply in shown
    assert '\n    light_lantern({"colour": "amber"}) -> pending\n' in shown
    assert '\n      ask_river({"hour": 20}) -> ok "calm" [agent Skipper]\n' in shown
    assert '\n        read_wind({"gauge": "bridge"}) -> error {"code": 14, ' in shown
    assert '\nvariables:\n  boat: "Otter"\n' in shown
    assert "/agents/boarding-desk (Boarding Desk)\n" in shown
    assert "\nactive agent: boarding-desk\n" in shown
    assert shown.splitlines()[-1].startswith('ended: yes, {"reason": "booked", ')


NAMES = [f"projects/p/locations/eu/apps/a/conversations/{name}" for name in ("ann", "bob")]
STORED = [
    ces.Conversation(
        name=name,
        turns=[
            ces.Conversation.Turn(
                messages=[ces.Message(role="user", chunks=[ces.Chunk(text=name[-3:])])]
            )
        ],
    )
    for name in NAMES
]


@pytest.mark.parametrize("command", [("session",), ("report", "--to", "markdown")])
def test_one_of_several_stored_conversations(command: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "stored.ndjson"
    tw.write(STORED, path)
    status, said = failure_of(*command, path)
    assert status == 1
    assert NAMES[0] in said
    assert NAMES[1] in said
    assert "--conversation NAME" in said
    for name in ("bob", NAMES[1]):
        shown = output_of(*command, path, "--conversation", name).decode()
        assert "bob" in shown
        assert "ann" not in shown
    status, said = failure_of(*command, path, "--conversation", "eve")
    assert status == 1
    assert f'no conversation "eve"; it holds "{NAMES[0]}"' in said
    others = [ces.Conversation(name=f"o/{each.name}", turns=each.turns) for each in STORED]
    tw.write([*STORED, *others], path)
    status, said = failure_of(*command, path, "--conversation", "bob")
    assert status == 1
    assert "say the whole name" in said
    assert "bob" in output_of(*command, path, "--conversation", others[1].name).decode()


@pytest.mark.parametrize("names", [("", "a/b"), ("a/b", "")])
def test_a_conversation_without_a_name_is_not_part_of_another(
    names: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "stored.ndjson"
    tw.write([ces.Conversation(name=name, turns=STORED[0].turns) for name in names], path)
    status, said = failure_of("session", path)
    assert status == 1
    assert "give each its own file" in said


def test_an_error_stands_after_the_conversation_that_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "stored.ndjson"
    tw.write(STORED, path)
    path.write_bytes(path.read_bytes() + b'{"name":')
    done = turnwire("report", path, "--to", "markdown", "--conversation", "bob")
    assert done.returncode == 1
    assert "bob" in done.stdout.decode()
    assert "error in the recording" in done.stdout.decode()


def test_programs_get_one_object() -> None:
    line = output_of("session", "--json", SESSION)
    assert line.count(b"\n") == 1
    facts = json.loads(line)
    assert json.loads(output_of("session", "--indent", "-", stdin=SESSION.read_bytes())) == facts
    assert [(turn["completed"], turn["audioBytes"]) for turn in facts["turns"]] == [
        (True, 0),
        (True, 0),
        (True, 128),
    ]
    assert [(one["depth"], one["name"]) for one in facts["toolExchanges"]][3:7] == [
        (0, "plan_crossing"),
        (1, "ask_river"),
        (2, "read_tide"),
        (2, "read_wind"),
    ]
    assert facts["openToolCalls"] == []  # the session has ended: nobody waits for light_lantern
    assert facts["ended"]["escalated"] is False
    empty = turnwire("session", "--json", "-", stdin=b"[]")
    assert json.loads(empty.stdout).keys() == facts.keys()
    assert (empty.returncode, empty.stderr.count(b"it holds no message")) == (0, 1)


def flattened(exchanges: list[dict[str, Any]], depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yields expected exchanges in the form of the command: a list in the order of the tree."""
    for exchange in exchanges:
        yield {"depth": depth, **{key: exchange[key] for key in exchange if key != "children"}}
        yield from flattened(exchange.get("children", []), depth + 1)


def stated(expected: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Returns the found facts that the scenario states."""
    return {key: found[key] for key in expected}


@pytest.mark.parametrize("case", scenarios("ces"), ids=lambda case: case["id"])
def test_scenario(case: dict[str, Any]) -> None:
    stdin = case["input"].encode()
    # Nothing but the content tells the type.
    done = turnwire("session", "--json", *options_of(case), "-", stdin=stdin)
    expected, facts = case["expect"], json.loads(done.stdout)
    assert done.returncode == (1 if expected.get("error") else 0)
    assert done.stderr.startswith(b"turnwire: stdin: ") == bool(expected.get("error"))
    if "turns" in expected:
        turns = zip(expected["turns"], facts["turns"], strict=True)
        assert all(stated(turn, found) == turn for turn, found in turns)
    if "exchanges" in expected:
        exchanges = zip(flattened(expected["exchanges"]), facts["toolExchanges"], strict=True)
        assert all(stated(exchange, found) == exchange for exchange, found in exchanges)
    for key, name in (("variables", "variables"), ("active_agent", "activeAgent")):
        if key in expected:
            assert facts[name] == expected[key]
    if expected.get("ended"):
        assert facts["ended"]["metadata"] == expected["ended"]["metadata"]


OUTPUT = ces.SessionOutput(turn_index=1, text="Rack 4.")
SAID = ces.Message(role="Front Desk", chunks=[ces.Chunk(text="Rack 4.")])
OTHERS = [
    ces.RunSessionResponse(outputs=[OUTPUT]),
    ces.BidiSessionServerMessage(session_output=OUTPUT),
    ces.Conversation(turns=[ces.Conversation.Turn(messages=[SAID])]),
    ces.Message(role="user", chunks=[ces.Chunk(text="Rack 4.")]),
    OUTPUT,
]


@pytest.mark.parametrize("item", OTHERS, ids=lambda item: item.DESCRIPTOR.name)
@pytest.mark.parametrize("before", [b"", b"{}\n"], ids=["first", "later"])
def test_the_content_tells_the_type(item: ces.SessionItem, before: bytes, tmp_path: Path) -> None:
    (tmp_path / "recorded").write_bytes(before + tw.to_json(item))
    named = output_of("session", "--type", item.DESCRIPTOR.name, tmp_path / "recorded")
    assert b": Rack 4." in named
    assert output_of("session", tmp_path / "recorded") == named


@pytest.mark.parametrize("item", OTHERS, ids=lambda item: item.DESCRIPTOR.name)
def test_in_the_wire_format_the_type_is_named(item: ces.SessionItem, tmp_path: Path) -> None:
    streams.write([item], tmp_path / "recorded.delimited", "delimited")
    named = ["--type", item.DESCRIPTOR.name]
    assert b": Rack 4." in output_of("session", *named, tmp_path / "recorded.delimited")
    assert output_of("session", *named, "-", stdin=tw.to_json(item)) == output_of(
        "session", *named, tmp_path / "recorded.delimited"
    )


def test_unknown_names_do_not_change_the_type() -> None:
    body = b'{"outputs":[{"text":"Rack 4."}],"role":"new","chunks2":1}'
    status, said = failure_of("session", "--unknown", "error", "-", stdin=body)
    assert status == 1
    assert "unknown field" in said
    assert b"reply: Rack 4." in output_of("session", "--unknown", "ignore", "-", stdin=body)


@pytest.mark.parametrize("options", [[], ["--unknown", "warn"]])
def test_unknown_things_are_reported_at_the_end_and_hide_nothing(options: list[str]) -> None:
    line = b'{"outputs":[{"text":"Rack 4.","mood":1},{"mood":2}],"new":{"x":1}}\n'
    done = turnwire("session", *options, "-", stdin=line * 2)
    assert done.returncode == 0
    assert b"reply: Rack 4.Rack 4." in done.stdout
    assert done.stderr.decode().splitlines() == [
        "turnwire: warning: stdin: line 1: element 0: unknown at $.outputs[0].mood; "
        "4 times unknown at $.outputs[*].mood",
        "turnwire: warning: stdin: line 1: element 0: unknown at $.new; 2 times unknown at $.new",
    ]


def test_many_unknown_paths_are_cut() -> None:
    members = ",".join(f'"new{number}":1' for number in range(30))
    done = turnwire("session", "-", stdin=b'{"outputs":[{"text":"a",%s}]}' % members.encode())
    assert done.returncode == 0
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 21
    assert lines[-1] == "turnwire: warning: stdin: 10 more unknown paths"


def test_unknown_paths_beyond_a_bound_are_only_counted() -> None:
    members = ",".join(f'"new{number}":1' for number in range(1005))
    done = turnwire("session", "-", stdin=b'{"outputs":[{"text":"a",%s}]}' % members.encode())
    assert done.returncode == 0
    assert done.stderr.decode().splitlines()[-2:] == [
        "turnwire: warning: stdin: 980 more unknown paths",
        "turnwire: warning: stdin: 5 more unknown things at further paths",
    ]


def test_unknown_objects_may_come_first() -> None:
    body = b'{"heartbeat":{}}\n' * 3 + tw.to_json(OTHERS[1])
    done = turnwire("session", "-", stdin=body)
    assert done.returncode == 0
    assert b"reply: Rack 4." in done.stdout
    assert done.stderr.count(b"\n") == 1
    assert b"unknown at $.heartbeat; 3 times" in done.stderr


@pytest.mark.parametrize("options", [[], ["--unknown", "ignore"], ["--unknown", "error"]])
@pytest.mark.parametrize(
    ("named", "body", "reason"),
    [
        ("Conversation", b'{"outputs":[{"text":"a"}]}', "this holds no Conversation; it looks like "
         "RunSessionResponse: say --type RunSessionResponse"),
        ("Conversation", b'{"userMessage":{"text":"a"}}', "this looks like Conversational "
         "Analytics messages; use turnwire answer"),
        (None, b'{"zoo":1,"yak":2,"owl":3,"elk":4}', 'this is not a CES session: no '
         'RunSessionResponse, BidiSessionServerMessage, Conversation, Message or SessionOutput '
         'has a member "elk", "owl", "yak", …'),
        ("Message", b'{"yak":1}', 'this is not a CES session: no Message has a member "yak"'),
    ],
)  # fmt: skip
def test_a_type_that_does_not_fit_the_recording_is_an_error(
    named: str | None, body: bytes, reason: str, options: list[str]
) -> None:
    types = ["--type", named] if named else []
    done = turnwire("session", *options, *types, "-", stdin=body)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"turnwire: stdin: {reason}\n"


@pytest.mark.parametrize("name", ["Message", "ces.Message", "turnwire_schema.ces.v1.Message"])
def test_types_go_by_all_their_names(name: str) -> None:
    shown = output_of("session", "--type", name, "-", stdin=tw.to_json(OTHERS[3]))
    assert b": Rack 4." in shown


def test_a_recording_of_an_answer_is_sent_to_the_other_command() -> None:
    status, said = failure_of("session", ANSWER)
    assert status == 1
    assert said.endswith("this looks like Conversational Analytics messages; use turnwire answer\n")


def test_an_active_agent_is_shown_only_where_it_is_known() -> None:
    assert b"active agent" not in output_of("session", "-", stdin=tw.to_json(OTHERS[0]))


@pytest.mark.parametrize("command", ["session", "answer"])
def test_of_an_input_that_is_an_error_the_error_alone_is_shown(command: str) -> None:
    done = turnwire(command, "-", stdin=b'{"error": {"code": 7, "message": "No."}}')
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.endswith(b"the service reported 7: No.\n")


def test_messages_before_an_error_are_shown() -> None:
    cut = SESSION.read_bytes()[:2000]
    done = turnwire("session", "-", stdin=cut)
    assert done.returncode == 1
    assert done.stdout.startswith(b"turn 1")
    assert done.stdout.endswith(b"ended: no\n")
    assert done.stderr.startswith(b"turnwire: stdin: line 8: element 7: ")
    assert done.stderr.count(b"\n") == 1


def test_an_error_of_the_service_is_reported_after_the_messages_before_it() -> None:
    body = tw.to_json(OTHERS[0]) + b'\n{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}\n'
    done = turnwire("session", "-", stdin=body)
    assert done.returncode == 1
    assert b"turn 1 (not completed)\n  reply: Rack 4.\n" in done.stdout
    assert b"RESOURCE_EXHAUSTED" in done.stderr


def test_a_chain_of_sub_agents_of_any_depth() -> None:
    calls = [
        ces.Chunk(tool_call=ces.ToolCall(id=f"c{n}", tool="t/a", parent_tool_call_id=f"c{n - 1}"))
        for n in range(3000)
    ]
    stdin = tw.to_json(ces.Message(role="agent", chunks=calls))
    facts = json.loads(output_of("session", "--json", "-", stdin=stdin))
    assert facts["toolExchanges"][-1]["depth"] == 2999


def test_data_cannot_steer_the_terminal() -> None:
    call = ces.ToolCall(id="c", display_name="a\x1b[2J", agent_name="b\x9b")
    call.args.update({"c": "\x9b\x07"})
    message = ces.Message(role="user\x1b", chunks=[ces.Chunk(tool_call=call)])
    said = ces.Message(role="user\x1b", chunks=[ces.Chunk(text="\x1b]0;x\x07")])
    body = tw.to_json(message) + tw.to_json(said)
    shown = output_of("session", "-", stdin=body).decode()
    assert all(character.isprintable() or character == "\n" for character in shown)


def test_wrong_usage_exits_2_and_missing_files_exit_3() -> None:
    assert failure_of("session")[0] == 2
    assert failure_of("session", "--type", "Chunk", "-")[0] == 2
    assert failure_of("session", "missing.json")[0] == 3
    assert failure_of("session", ".")[0] == 3


def test_help_has_examples() -> None:
    assert "examples:\n  turnwire session " in output_of("session", "--help").decode()
