"""Reads and writes messages of a user's own `.proto` file, which imports that of CES.

cd examples/recipes/own_proto
python -m grpc_tools.protoc -I . $(turnwire schema includes) --python_out=. --pyi_out=. rating.proto
python rate.py
"""

from __future__ import annotations

import sys

from rating_pb2 import Rating

import turnwire
from turnwire import ces

LINES = b"""\
{"conversation": "c-1", "rated": {"role": "desk", "chunks": [{"text": "At 18:40."}]}, "stars": 5}
{"conversation": "c-2", "rated": {"role": "desk", "chunks": [{"text": 18.4}]}, "stars": 1}
{"conversation": "c-3", "rated": {"role": "desk"}, "complaint": "No reply."}
"""


def opinion_of(rating: Rating) -> str:
    """Returns an opinion as words."""
    if rating.WhichOneof("opinion") == "complaint":
        return rating.complaint
    return "★" * rating.stars


def main() -> int:
    """Reads ratings, and writes one."""
    errors: list[turnwire.ParseError] = []
    for rating in turnwire.read(Rating, LINES, on_error=errors.append):
        # The class of the field is the one of turnwire.ces, so its functions take the message.
        rated: ces.Message = rating.rated
        print(f"{rating.conversation}: {ces.text_of(rated) or '-'} {opinion_of(rating)}")
    print(*errors)
    written = turnwire.to_json(Rating(rated=ces.Message(role="user"), stars=4))
    print(written.decode())
    return 0 if turnwire.from_json(Rating, written).stars == 4 else 1


if __name__ == "__main__":
    sys.exit(main())
