"""Checks a program of another language beyond the test vectors.

- Live: Python writes a varint-delimited stream, the program signs each message of it, and Python
  reads the signed ones. Unknown fields survive.
- Facts: the TypeScript program walks over recorded conversations and finds the same facts as
  Python's accessors.
- Descriptor set: it gives the same code as the .proto files.
- Package: the npm package holds the built files and nothing else.
"""

from __future__ import annotations

import importlib
import io
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from environment import ROOT
from google.protobuf.message import Message

import turnwire
from turnwire import ces
from turnwire._apis import API_BY_NAME

M = TypeVar("M", bound=Message)

gda: Any = importlib.import_module(API_BY_NAME["gda"].views)

Call = Callable[[list[str], bytes], bytes]
"""Runs a language's program with arguments and stdin, and returns its stdout."""

_SCENARIOS = (
    "ces_client_tool_calls",
    "ces_diagnostics_repeat_reply",
    "ces_tool_results",
    "gda_every_message_kind",
    "gda_final_text_after_followups",
    "gda_several_results",
)
# Field 20000, a varint, which no message type has.
_UNKNOWN_FIELD = b"\x80\xe2\x09\x05"


def live_problems(language: str, call: Call) -> list[str]:
    """Sends a stream of each API through a program and reports what came back wrong."""
    signature = f" [{language}]"

    def sign_response(response: ces.RunSessionResponse) -> None:
        for output in response.outputs:
            if output.HasField("text"):
                output.text += signature

    def sign_message(message: Any) -> None:
        message.message_id += signature

    responses = _examples(ces.RunSessionResponse, "ces_session.ndjson")
    responses[0].outputs[0].MergeFromString(_UNKNOWN_FIELD)
    messages = _examples(gda.Message, "analytics_answer.json")
    messages[0].MergeFromString(_UNKNOWN_FIELD)
    return [
        *_live_problems(call, responses, sign_response),
        *_live_problems(call, messages, sign_message),
    ]


def _examples(message_class: type[M], name: str) -> list[M]:
    return list(turnwire.read(message_class, ROOT / "examples" / name))


def _live_problems(call: Call, messages: list[M], sign: Callable[[M], None]) -> list[str]:
    message_class = type(messages[0])
    name = message_class.DESCRIPTOR.full_name
    stream = io.BytesIO()
    turnwire.write(messages, stream, "delimited")
    answer = call(["change", name], stream.getvalue())
    signed = list(turnwire.read(message_class, answer, format="delimited"))
    for message in messages:
        sign(message)
    if len(signed) != len(messages):
        return [f"live: {len(messages)} {name} went out, {len(signed)} came back"]
    # Compared as bytes: equality of messages does not look at unknown fields.
    return [
        f"live: {name} number {index} came back different"
        for index, (got, want) in enumerate(zip(signed, messages, strict=True))
        if got.SerializeToString(deterministic=True) != want.SerializeToString(deterministic=True)
    ]


def fact_problems(call: Call) -> list[str]:
    """Compares the program's plain walk over conversations with Python's accessors."""
    scenarios = [
        scenario
        for path in sorted((ROOT / "tests" / "scenarios").glob("*.jsonl"))
        for scenario in map(json.loads, path.read_bytes().splitlines())
        if scenario["id"] in _SCENARIOS
    ]
    lines = "".join(json.dumps(scenario) + "\n" for scenario in scenarios)
    answer = [json.loads(line) for line in call(["facts"], lines.encode()).splitlines()]
    wanted = [_facts(scenario) for scenario in scenarios]
    if len(answer) != len(wanted):
        return [f"facts: {len(wanted)} conversations went out, {len(answer)} came back"]
    return [
        f"facts: expected {want}, got {got}"
        for got, want in zip(answer, wanted, strict=True)
        if got != want
    ]


def _facts(scenario: dict[str, Any]) -> dict[str, Any]:
    data = scenario["input"].encode()
    if scenario["api"] == "ces":
        session = ces.Session.collect(turnwire.read(ces.RunSessionResponse, data))
        reply = "".join(turn.reply for turn in session.turns)
        tools = [exchange.name for exchange in _in_order(session.tool_exchanges)]
        return {"id": scenario["id"], "reply": reply, "tools": tools}
    answer = gda.Answer.collect(turnwire.read(gda.Message, data))
    results = [table.name for table in answer.results]
    return {"id": scenario["id"], "answer": answer.text, "results": results}


def _in_order(exchanges: Iterable[ces.ToolExchange]) -> Iterable[ces.ToolExchange]:
    for exchange in exchanges:
        yield exchange
        yield from _in_order(exchange.children)


def image_problems(run: Callable[[list[str]], bytes], folder: Path) -> list[str]:
    """Generates from the committed descriptor set and compares with the code from proto/."""
    image = str(ROOT / "generated" / "turnwire.binpb")
    with tempfile.TemporaryDirectory() as elsewhere:
        run(["buf", "generate", image, "--path", "turnwire_schema", "--output", elsewhere])
        files = [path for path in Path(elsewhere).rglob("*") if path.is_file()]
        different = [
            path
            for path in (file.relative_to(elsewhere) for file in files)
            if not (folder / path).exists()
            or (folder / path).read_bytes() != (elsewhere / path).read_bytes()
        ]
    if not files:
        return ["descriptor set: it generated nothing"]
    return [f"descriptor set: {path} differs from that of proto/" for path in sorted(different)]


def package_problems(listing: bytes, folder: Path) -> list[str]:
    """Compares the listing of `npm pack --dry-run --json` with the built files."""
    packed = {file["path"] for file in json.loads(listing)[0]["files"]}
    sources = [path.relative_to(folder / "src") for path in (folder / "src").rglob("*.ts")]
    built = {f"dist/{path.with_suffix(suffix)}" for path in sources for suffix in (".js", ".d.ts")}
    wanted = built | {"package.json", "README.md", "LICENSE"}
    return [
        *(f"package: {path} is missing" for path in sorted(wanted - packed)),
        *(f"package: {path} should not be in it" for path in sorted(packed - wanted)),
    ]
