"""Any message class as columns: Arrow schemas, tables of messages, and messages from tables.

It needs pyarrow: ``pip install "turnwire[arrow]"``. ``docs/arrow.md`` has the mapping of types.
"""

from turnwire.arrow._bigquery import bigquery_schema_of
from turnwire.arrow._options import Enums, OnMisfit
from turnwire.arrow._reading import parse, read
from turnwire.arrow._tables import from_arrow, schema_of, to_arrow

__all__ = [
    "Enums",
    "OnMisfit",
    "bigquery_schema_of",
    "from_arrow",
    "parse",
    "read",
    "schema_of",
    "to_arrow",
]
