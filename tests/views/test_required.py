"""Required fields come from the annotations of the schema."""

from __future__ import annotations

from support.analytics import gda

from turnwire._required import missing_fields_of, required_fields_of


def names(fields: object) -> list[str]:
    return [field.name for field in fields]  # type: ignore[attr-defined]


def test_the_annotations_decide() -> None:
    reference = gda.SpannerDatabaseReference
    assert names(required_fields_of(reference.DESCRIPTOR)) == [
        "project_id",
        "instance_id",
        "database_id",
        "engine",
    ]
    given = reference(project_id="p", engine=reference.POSTGRESQL)
    assert names(missing_fields_of(given)) == ["instance_id", "database_id"]


def test_an_empty_message_is_missing_and_a_list_too() -> None:
    context = gda.Context(datasource_references=gda.DatasourceReferences())
    assert names(missing_fields_of(context)) == ["datasource_references"]
    assert names(missing_fields_of(gda.LookerExploreReferences())) == ["explore_references"]
    assert names(missing_fields_of(gda.Field())) == []
