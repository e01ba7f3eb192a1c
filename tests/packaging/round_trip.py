"""Uses the package in an environment that holds only it and its dependencies."""

from __future__ import annotations

import json

import turnwire
from turnwire import ces, schema
from turnwire import geminidataanalytics as gda


def main() -> None:
    assert "site-packages" in str(turnwire.__file__)
    message = turnwire.from_json(ces.Message, '{"role": "user", "chunks": [{"text": "hello"}]}')
    again = ces.Message.FromString(message.SerializeToString())
    assert turnwire.to_json(again) == b'{"role":"user","chunks":[{"text":"hello"}]}'
    assert turnwire.from_json(gda.Message, "{}") == gda.Message()
    for name in schema.message_names():
        assert schema.message_class(name).DESCRIPTOR.full_name == name
        assert schema.comment_of(name)
        assert f"message {name.rpartition('.')[2]} {{" in schema.describe(name)
    for api in ("ces", "geminidataanalytics"):
        bundle = json.loads((schema.json_schema_root() / f"{api}.json").read_bytes())
        assert "Message" in bundle["$defs"]
    print("done")


if __name__ == "__main__":
    main()
