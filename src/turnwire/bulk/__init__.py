"""Recordings by the million: record batches of JSON texts in, columns out, on any engine.

`convert` is one pure function over Arrow record batches; Spark, Beam, DuckDB and Polars run the
same function. It needs pyarrow: ``pip install "turnwire[arrow]"``. ``docs/bulk.md`` says which
engine fits when.
"""

from turnwire.bulk._beam import beam_transform
from turnwire.bulk._collecting import tables
from turnwire.bulk._converting import convert, schema
from turnwire.bulk._spark import ddl, mapper
from turnwire.bulk._tables import TABLES, Column, Table

__all__ = [
    "TABLES",
    "Column",
    "Table",
    "beam_transform",
    "convert",
    "ddl",
    "mapper",
    "schema",
    "tables",
]
