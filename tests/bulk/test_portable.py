"""The function for engines: it can be pickled, and its types are those that engines have."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from support.analytics import gda, user

from turnwire import bulk, ces

pa = pytest.importorskip("pyarrow")


def types_in(kind: Any) -> list[Any]:
    """Returns a type and all types in it."""
    inner = [kind.field(index).type for index in range(kind.num_fields)]
    return [kind, *(found for each in inner for found in types_in(each))]


@pytest.mark.parametrize(
    "options",
    [
        {"message": ces.Conversation},
        {"message": gda.Message},
        {"message": ces.RunSessionResponse, "tables": ("turns", "spans"), "conversation": "s"},
    ],
)
def test_a_mapper_can_be_pickled_and_avoids_types_that_spark_lacks(options: Any) -> None:
    source = pa.table(
        {
            "value": pa.array(['{"a": 1}', "{}"]),
            "s": pa.array(["one", "two"]).dictionary_encode(),
            "key": pa.array([2**64 - 1, None], pa.uint64()),
            "small": pa.array([1, 2], pa.uint8()),
            "clock": pa.array([1, None], pa.time64("us")),
            "wide": pa.array([1, None], pa.decimal256(60, 2)),
            "took": pa.array([5, None], pa.duration("ns")),
            "at": pa.array([1500, None], pa.timestamp("ns", "Europe/Prague")),
            "tags": pa.array([["x"], None], pa.large_list(pa.large_string())),
        }
    )
    to_rows = pickle.loads(pickle.dumps(bulk.mapper(**options)))
    batches = list(to_rows(source.to_batches()))
    for field in batches[0].schema:
        for kind in types_in(field.type):
            name = str(kind)
            assert not pa.types.is_unsigned_integer(kind)
            assert not pa.types.is_dictionary(kind)
            assert not name.startswith(("time64", "duration", "decimal256", "large_"))
            assert not pa.types.is_timestamp(kind) or name == "timestamp[us, tz=UTC]"
    rows = [row for batch in batches for row in batch.to_pylist()]
    bad = next(row for row in rows if row["error"] is not None)
    assert (bad["key"], bad["took"], bad["tags"]) == (2**64 - 1, 5, ["x"])
    assert bad["error"]["kind"] == "unknown"
    assert bad["at"].microsecond == 1
    ddl = bulk.ddl(source.schema, **{k: v for k, v in options.items() if k != "conversation"})
    assert "`key` DECIMAL(20, 0), `small` SMALLINT, `clock` STRING, `wide` STRING" in ddl
    assert "`took` BIGINT, `at` TIMESTAMP, `tags` ARRAY<STRING>" in ddl


def test_names_are_quoted() -> None:
    source = pa.schema([("value", pa.string()), ("a `b`", pa.int64())])
    assert bulk.ddl(source, message=ces.Blob).startswith("`a ``b``` BIGINT, ")
    with pytest.raises(TypeError, match="StructType"):
        bulk.ddl("value STRING", message=ces.Blob)


def test_tables_of_messages_at_hand() -> None:
    found = bulk.tables(gda.Message, [user("How many?")], conversation="c", names=["answers"])
    [row] = found["answers"].to_pylist()
    assert (row["conversation"], row["turn"], row["question"]) == ("c", 1, "How many?")
    empty = bulk.tables(ces.Message, [])
    assert empty["spans"].num_rows == 0
    assert all(table.schema == bulk.TABLES[name].schema for name, table in empty.items())
    with pytest.raises(TypeError, match="expected a Message"):
        bulk.tables(ces.Message, [user("Hi")])  # type: ignore[list-item]
