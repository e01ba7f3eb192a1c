"""Record batches as they come, cut to a size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from turnwire.arrow._options import pyarrow
from turnwire.bulk._texts import stored

MAX_ROWS = 4096
"""The most rows that are converted at once."""

MAX_BYTES = 8 * 2**20
"""The most bytes of texts that are converted at once; a longer text stands alone."""


def batches_of(source: Any) -> Iterator[Any]:
    """Yields the record batches of a table, a reader, or an iterable of batches."""
    pa = pyarrow()
    if isinstance(source, pa.RecordBatch):
        source = [source]
    elif isinstance(source, pa.Table):
        source = source.to_batches()
    elif not isinstance(source, Iterable):
        raise TypeError(f"expected an iterable of record batches, got {type(source).__name__}")
    for batch in source:
        if not isinstance(batch, pa.RecordBatch):
            raise TypeError(f"expected a RecordBatch, got {type(batch).__name__}")
        yield batch


def taken(source: Any, indices: Any) -> Any:
    """Returns the values of an array, or the rows of a batch, at one or more indices."""
    pa = pyarrow()
    try:
        return source.take(indices)
    except pa.ArrowNotImplementedError:  # views, and types with views in them
        if isinstance(source, pa.RecordBatch):
            arrays = [taken(array, indices) for array in source.columns]
            return pa.RecordBatch.from_arrays(arrays, schema=source.schema)
        return pa.concat_arrays([source.slice(index, 1) for index in indices.to_pylist()])


def pieces_of(batch: Any, column: str) -> Iterator[Any]:
    """Yields a batch in pieces of at most `MAX_ROWS` rows and `MAX_BYTES` bytes in a column."""
    from pyarrow import compute

    texts = stored(batch.column(column)).cast(pyarrow().large_binary())  # views have no lengths
    start = size = 0
    lengths = compute.call_function("binary_length", [texts])
    for row, length in enumerate(lengths.to_pylist()):
        if row > start and (row - start == MAX_ROWS or size + (length or 0) > MAX_BYTES):
            yield batch.slice(start, row - start)
            start, size = row, 0
        size += length or 0
    if start < batch.num_rows:
        yield batch.slice(start)
