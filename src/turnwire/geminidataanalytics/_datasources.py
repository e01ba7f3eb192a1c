"""The data sources that the agent chose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

from google.protobuf.message import Message as ProtobufMessage
from turnwire_schema.geminidataanalytics.v1.datasource_pb2 import Datasource

from turnwire._views import View, short_repr

Kind = Literal[
    "",
    "bigquery_table_reference",
    "bigquery_property_graph_reference",
    "studio_datasource_id",
    "looker_explore_reference",
    "alloy_db_reference",
    "spanner_reference",
    "cloud_sql_reference",
    "bigtable_reference",
    "firestore_reference",
]


@dataclass(frozen=True, slots=True, repr=False)
class ChosenDatasource(View):
    """A data source that a query of the agent, or its look at the schema, names.

    Attributes:
        message: The data source as it came, with its schema where that is known.

    >>> from turnwire import geminidataanalytics as gda
    >>> table = gda.BigQueryTableReference(project_id="p", dataset_id="shop", table_id="loans")
    >>> ChosenDatasource(gda.Datasource(bigquery_table_reference=table))
    ChosenDatasource('bigquery_table_reference', 'p.shop.loans')
    """

    message: Datasource

    @property
    def kind(self) -> Kind:
        """The name of the member that refers to the data source; ``""`` where none does."""
        return self.message.WhichOneof("reference") or ""

    @property
    def name(self) -> str:
        """The names in the reference, joined by dots, such as ``project.dataset.table``.

        Of a Looker Explore they are the model and the Explore. Tables of a database are in
        `tables`.
        """
        kind = self.kind
        match kind:
            case "studio_datasource_id":
                return self.message.studio_datasource_id
            case "looker_explore_reference":
                explore = self.message.looker_explore_reference
                return ".".join(filter(None, (explore.lookml_model, explore.explore)))
            case "bigquery_table_reference" | "bigquery_property_graph_reference":
                return _ids_in(getattr(self.message, kind))
            case (
                "alloy_db_reference"
                | "spanner_reference"
                | "cloud_sql_reference"
                | "bigtable_reference"
                | "firestore_reference"
            ):
                return _ids_in(getattr(self.message, kind).database_reference)
            case "":
                return ""
            case _:
                assert_never(kind)

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables or collections of a database that are named; of a BigQuery table its name."""
        kind = self.kind
        match kind:
            case "bigquery_table_reference":
                return (self.name,)
            case (
                "alloy_db_reference"
                | "spanner_reference"
                | "cloud_sql_reference"
                | "bigtable_reference"
            ):
                database = getattr(self.message, kind).database_reference
                listed = database.table_ids
            case "firestore_reference":
                database = self.message.firestore_reference.database_reference
                listed = database.collection_ids
            case (
                "studio_datasource_id"
                | "looker_explore_reference"
                | "bigquery_property_graph_reference"
                | ""
            ):
                return ()
            case _:
                assert_never(kind)
        described = (table.table_id for table in database.database_table_references)
        return tuple(dict.fromkeys((*listed, *described)))

    def _shown(self) -> list[str]:
        return [repr(self.kind), short_repr(self.name)]


def reference_key(datasource: Datasource) -> bytes:
    """The reference without its schema: equal for two mentions of one data source."""
    bare = Datasource()
    bare.CopyFrom(datasource)
    bare.ClearField("schema")
    bare.ClearField("struct_schema")
    for kind in ("bigquery_table_reference", "looker_explore_reference"):
        if bare.HasField(kind):
            getattr(bare, kind).ClearField("schema")
    return bare.SerializeToString(deterministic=True)


def _ids_in(reference: ProtobufMessage) -> str:
    """The singular ids of a reference in the order of the fields' numbers, joined by dots."""
    ids = (
        value
        for field, value in reference.ListFields()
        if field.name.endswith("_id") and isinstance(value, str)
    )
    return ".".join(ids)
