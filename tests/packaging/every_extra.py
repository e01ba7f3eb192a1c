"""Uses the library of each named extra once.

    python every_extra.py zstd arrow ...

It is run where the wheel is installed with these extras.
"""

from __future__ import annotations

import importlib
import io
import sys
from typing import Any

import turnwire
from turnwire import _cli, ces
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


def try_gzip() -> None:
    from zlib_ng import gzip_ng

    packed = gzip_ng.compress(b'{"role":"user"}\n')
    [message] = turnwire.read(ces.Message, io.BytesIO(packed))
    assert message.role == "user"


def table() -> Any:
    gda = importlib.import_module(API_BY_NAME["gda"].views)
    content = {"systemMessage": {"data": {"result": RESULT}}}
    [table] = gda.Answer.collect(turnwire.from_dict(gda.Message, content)).results
    return table


def try_pandas() -> None:
    assert list(table().to_pandas().columns) == ["day", "n"]


def try_polars() -> None:
    assert table().to_polars().columns == ["day", "n"]


def try_columns() -> None:
    assert table().to_arrow().num_rows == 1
    messages = [ces.Message(role="user")]
    columns = turnwire.arrow.to_arrow(ces.Message, messages)
    assert list(turnwire.arrow.from_arrow(ces.Message, columns)) == messages


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


def try_terminal() -> None:
    from turnwire._cli.help import rendered

    assert "\n" in rendered("# Ahoy", 40)
    assert "#" not in rendered("# Ahoy", 40)


def try_completion() -> None:
    assert _cli.run(["completion", "bash"]) == 0


def try_spark() -> None:
    """Runs the function that Spark calls, which needs pandas for its columns of Arrow."""
    import pandas
    import pyarrow

    lines = pandas.DataFrame({"value": ['{"role": "user"}']})
    mapped = turnwire.bulk.mapper(message=ces.Message)
    [batch] = mapped(iter([pyarrow.RecordBatch.from_pandas(lines)]))
    assert batch.to_pandas()["message"][0]["role"] == "user"


def try_beam() -> None:
    import apache_beam
    from apache_beam.testing.util import assert_that, equal_to

    with apache_beam.Pipeline("DirectRunner") as pipeline:
        lines = pipeline | apache_beam.Create(['{"role": "user"}'])
        rows = lines | turnwire.bulk.beam_transform(message=ces.Message)
        roles = rows.messages | apache_beam.Map(lambda row: row["message"]["role"])
        assert_that(roles, equal_to(["user"]))


TRIES = {
    "zstd": try_compression,
    "gzip": try_gzip,
    "arrow": try_columns,
    "pandas": try_pandas,
    "polars": try_polars,
    "terminal": try_terminal,
    "completion": try_completion,
    "images": try_images,
    "html": try_pages,
    "charts": try_charts,
    "spark": try_spark,
    "beam": try_beam,
}


def main(extras: list[str]) -> None:
    for name in extras:
        TRIES[name]()
    print("done", *extras)


if __name__ == "__main__":
    main(sys.argv[1:])
