"""Uses the library of each extra once. Run where the wheel is installed with the extra `all`."""

from __future__ import annotations

import importlib
import io

import turnwire
from turnwire import ces
from turnwire._apis import API_BY_NAME

RESULT = {
    "name": "loans",
    "schema": {"fields": [{"name": "day", "type": "DATE"}, {"name": "n", "type": "NUMERIC"}]},
    "data": [{"day": "2026-01-31", "n": "0.10"}],
}
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000002000000030802000000368849d6"
    "0000000a49444154789c6300010000050001"
)


def try_compression() -> None:
    import zstandard

    packed = zstandard.ZstdCompressor().compress(b'{"role":"user"}\n')
    [message] = turnwire.read(ces.Message, io.BytesIO(packed))
    assert message.role == "user"


def try_frames() -> None:
    gda = importlib.import_module(API_BY_NAME["gda"].views)
    content = {"systemMessage": {"data": {"result": RESULT}}}
    [table] = gda.Answer.collect(turnwire.from_dict(gda.Message, content)).results
    assert table.to_arrow().num_rows == 1
    assert list(table.to_pandas().columns) == ["day", "n"]
    assert table.to_polars().columns == ["day", "n"]


def try_columns() -> None:
    messages = [ces.Message(role="user")]
    table = turnwire.arrow.to_arrow(ces.Message, messages)
    assert list(turnwire.arrow.from_arrow(ces.Message, table)) == messages


def try_images() -> None:
    size = ces.image_size_of(ces.Image(mime_type="image/png", data=PNG))
    assert size is not None
    assert (size.width, size.height) == (2, 3)


def try_pages() -> None:
    session = ces.Session.collect(ces.Message(role="user", chunks=[ces.Chunk(text="Ahoy!")]))
    assert "Ahoy!" in turnwire.report.html(session)


def try_charts() -> None:
    assert turnwire.charts.to_svg({"mark": "bar", "data": {"values": [{"n": 1}]}}).startswith(
        "<svg"
    )


def main() -> None:
    try_compression()
    try_frames()
    try_columns()
    try_images()
    try_pages()
    try_charts()
    print("done")


if __name__ == "__main__":
    main()
