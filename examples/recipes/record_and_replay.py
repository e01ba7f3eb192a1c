"""Records what a service sends while it is read, and replays it to the same client in a test.

python examples/recipes/record_and_replay.py
"""

from __future__ import annotations

import io
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import BinaryIO

import httpx

import turnwire
from turnwire import ces

URL = "http://localhost/v1/sessions/s1:streamRunSession"
BODY = b'[{"outputs": [{"text": "Ahoy"}]},\n{"outputs": [{"txt": 5}]},\n{"outputs": []}]'


def recorded(chunks: Iterable[bytes], file: BinaryIO) -> Generator[bytes]:
    """Yields the chunks and writes each to a file, byte for byte.

    The reader may stop early, at an error: then the rest is written too.
    """
    rest = iter(chunks)
    try:
        for chunk in rest:
            file.write(chunk)
            yield chunk
    finally:
        file.writelines(rest)


def replies(client: httpx.Client, file: BinaryIO) -> Iterator[str]:
    """Runs a session; yields each reply as it arrives. This is the client under test."""
    with (
        client.stream("POST", URL, json={}) as response,
        # Closed before the response is, so that the rest can still be read.
        closing(recorded(response.iter_bytes(), file)) as chunks,
    ):
        for message in turnwire.read(ces.RunSessionResponse, chunks, unknown="error"):
            if text := ces.text_of(message):
                yield text


def run(body: bytes) -> tuple[list[str], bytes, str]:
    """Lets the client read a body; returns the replies, the recording, and the error."""
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=body))
    said: list[str] = []
    file, error = io.BytesIO(), ""
    with httpx.Client(transport=transport) as client:
        try:
            said.extend(replies(client, file))
        except turnwire.ParseError as found:
            error = str(found)
    return said, file.getvalue(), error


def main() -> int:
    """Records a run that ends with an error, and replays it."""
    said, recording, error = run(BODY)
    print(said, error)
    print(f"{len(recording)} of {len(BODY)} bytes were recorded")
    return 0 if recording == BODY and run(recording) == (said, recording, error) else 1


if __name__ == "__main__":
    sys.exit(main())
