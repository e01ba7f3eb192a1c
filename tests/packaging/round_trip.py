"""Uses the package in an environment that holds only it and its dependencies."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys

import turnwire
from turnwire import ces, schema
from turnwire._apis import APIS


def main() -> None:
    assert "site-packages" in str(turnwire.__file__)
    message = turnwire.from_json(ces.Message, '{"role": "user", "chunks": [{"text": "hello"}]}')
    again = ces.Message.FromString(message.SerializeToString())
    assert turnwire.to_json(again) == b'{"role":"user","chunks":[{"text":"hello"}]}'
    for api in APIS:
        views = importlib.import_module(api.views)
        assert turnwire.from_json(views.Message, "{}") == views.Message()
        bundle = json.loads((schema.json_schema_root() / f"{api.name}.json").read_bytes())
        assert "Message" in bundle["$defs"]
    for name in schema.message_names():
        assert schema.message_class(name).DESCRIPTOR.full_name == name
        assert schema.comment_of(name)
        assert f"message {name.rpartition('.')[2]} {{" in schema.describe(name)
    for topic in ("streams", "five-minutes", "log-safely"):
        command = [sys.executable, "-I", "-m", "turnwire", "help", topic]
        assert subprocess.run(command, check=True, capture_output=True).stdout.startswith(b"# ")
    print("done")


if __name__ == "__main__":
    main()
