"""Reading with a callable for unknown members against leaving them out in silence.

python benchmarks/unknown.py [--runs 11] [--pure]
"""

from __future__ import annotations

import json
import sys
from typing import Any

from protojson import medians, runs_asked_for, shown


def with_members(value: Any) -> Any:
    """A copy of a JSON value in which every message has a member that is unknown."""
    if isinstance(value, list):
        return [with_members(item) for item in value]
    if not isinstance(value, dict):
        return value
    plain = {"args", "response", "payload"}
    copy = {key: item if key in plain else with_members(item) for key, item in value.items()}
    return copy | {"newField": {"a": [1, 2]}}


def main() -> int:
    runs = runs_asked_for(__doc__.splitlines()[0])

    import shapes

    import turnwire

    rows = shapes._rows(5_000)
    rows["systemMessage"]["data"]["result"]["newField"] = 1
    conversation = with_members(shapes._diagnostics(200))
    row_class, conversation_class = shapes.shapes()[3][1], shapes.shapes()[1][1]
    print(f"backend {turnwire.backend}")
    for name, message_class, value in (
        ("5,000 rows, one unknown member", row_class, rows),
        ("diagnostics, one in every message", conversation_class, conversation),
    ):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        paths: list[Any] = []
        turnwire.from_json(message_class, text, unknown=paths.append)
        ways: dict[str, Any] = {
            "ignore": lambda c=message_class, t=text: turnwire.from_json(c, t, unknown="ignore"),
            "callable": lambda c=message_class, t=text: turnwire.from_json(c, t, unknown=len),
        }
        took = medians(ways, runs)
        ratio = took["callable"] / took["ignore"]
        print(
            f"{name:<36}{len(paths):>6} paths  ignore {shown(took['ignore']):>9}  "
            f"callable {shown(took['callable']):>9}  × {ratio:.2f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
