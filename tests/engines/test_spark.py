"""Spark gives the rows of the local run, also where a task is killed."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from engines import recorded

from turnwire import bulk, ces

pyspark = pytest.importorskip("pyspark")

# Spark's own code, which runs in this process.
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(
        shutil.which("java") is None and not os.environ.get("CI"), reason="Spark needs Java"
    ),
]


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # of the workers
    session = (
        SparkSession.builder.master("local[2,4]")  # each task may run four times
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    yield session
    session.stop()


def test_the_rows_are_those_of_the_local_run(spark: Any, tmp_path: Path) -> None:
    recorded.write(tmp_path / "lines.parquet")
    lines = spark.read.parquet(str(tmp_path / "lines.parquet")).repartition(4)
    ddl = bulk.ddl(lines.schema, message=ces.Message)
    rows = lines.mapInArrow(recorded.TO_MESSAGES, ddl).toArrow()
    local = recorded.local_run()
    assert recorded.by_line(rows, local).equals(local)


def test_a_task_that_is_killed_changes_nothing(spark: Any, tmp_path: Path) -> None:
    recorded.write(tmp_path / "lines.parquet")
    killed = tmp_path / "killed"
    to_messages = recorded.TO_MESSAGES

    def dying(batches: Any) -> Any:
        for count, batch in enumerate(to_messages(batches)):
            if count == 2 and not killed.exists():
                killed.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    lines = spark.read.parquet(str(tmp_path / "lines.parquet")).repartition(4)
    rows = lines.mapInArrow(dying, bulk.ddl(lines.schema, message=ces.Message)).toArrow()
    assert killed.exists()
    local = recorded.local_run()
    assert recorded.by_line(rows, local).equals(local)


def test_tables_are_those_of_the_local_run(spark: Any) -> None:
    rows = list(recorded.sessions())
    options: dict[str, Any] = {"message": ces.RunSessionResponse, "tables": ("turns", "messages")}
    to_tables = bulk.mapper(**options, conversation="session")
    lines = spark.createDataFrame(rows, "value STRING, session STRING, offset BIGINT")
    lines = lines.repartition(3, "session").sortWithinPartitions("session", "offset")
    made = lines.mapInArrow(to_tables, bulk.ddl(lines.schema, **options))
    local = pa.Table.from_batches(to_tables(pa.Table.from_pylist(rows).to_batches()))
    assert made.where("error is not null").count() == 30

    def replies(table: pa.Table) -> list[Any]:
        found = (row["turns"] for row in table.to_pylist() if row["turns"])
        return sorted((row["conversation"], row["turn"], row["reply"]) for row in found)

    assert replies(made.toArrow()) == replies(local)
    assert len(replies(local)) == 2970


@pytest.mark.parametrize("message_class", [ces.Conversation, ces.RunSessionResponse])
def test_each_column_has_a_type_of_spark(spark: Any, message_class: Any) -> None:
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType

    source = pa.schema(
        [("value", pa.string()), ("n", pa.uint64()), ("at", pa.time64("us")), ("d", pa.date64())]
    )
    ddl = StructType.fromDDL(bulk.ddl(source, message=message_class))
    [batch] = bulk.mapper(message=message_class)(
        pa.Table.from_pylist([{"value": "{}", "n": 2**64 - 1}], source).to_batches()
    )
    assert from_arrow_schema(batch.schema).simpleString() == ddl.simpleString()
    assert batch["n"].to_pylist() == [2**64 - 1]
