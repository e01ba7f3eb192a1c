"""Links to Looker: the page of an Explore that shows a query."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, urlencode, urlsplit

from turnwire_schema.geminidataanalytics.v1.datasource_pb2 import Datasource
from turnwire_schema.geminidataanalytics.v1.looker_pb2 import LookerQuery

from turnwire._arguments import require
from turnwire.protojson import to_json


def looker_url_of(query: LookerQuery, datasources: Iterable[Datasource] = ()) -> str | None:
    """The address of the Looker page that shows a query, to be given to people.

    Args:
        query: The query, such as one of `Answer.looker_queries`.
        datasources: Data sources that say which Looker instance has the query's Explore. Where
            none names the Explore, an instance that all Explores here have in common is taken.

    Returns:
        The address; None where the instance is not known, is in a private network, or has an
        address that does not begin with ``http`` or ``https``.

    Raises:
        TypeError: The query is not a `LookerQuery`, or a data source is not a `Datasource`.

    >>> from turnwire import geminidataanalytics as gda
    >>> explore = gda.LookerExploreReference(
    ...     looker_instance_uri="https://cafe.example", lookml_model="cafe", explore="sales"
    ... )
    >>> query = gda.LookerQuery(model="cafe", explore="sales", fields=["sales.cups"], limit="10")
    >>> looker_url_of(query, [gda.Datasource(looker_explore_reference=explore)])
    'https://cafe.example/explore/cafe/sales?fields=sales.cups&limit=10'
    """
    require(query, LookerQuery)
    return Instances(datasources).url_of(query)


class Instances:
    """The Looker instances of data sources, by Explore."""

    def __init__(self, datasources: Iterable[Datasource]) -> None:
        self._by_explore: dict[tuple[str, str], set[str]] = {}
        self._all: set[str] = set()
        for datasource in datasources:
            require(datasource, Datasource)
            if datasource.HasField("looker_explore_reference"):
                explore = datasource.looker_explore_reference
                key = (explore.lookml_model, explore.explore)
                self._by_explore.setdefault(key, set()).add(explore.looker_instance_uri)
                self._all.add(explore.looker_instance_uri)

    def url_of(self, query: LookerQuery) -> str | None:
        """The address of the page that shows a query; see `looker_url_of`."""
        instances = self._by_explore.get((query.model, query.explore), self._all)
        if len(instances) != 1 or not query.model or not query.explore:
            return None
        (uri,) = instances
        base = _base_address(uri)
        if base is None:
            return None
        page = f"{base}/explore/{quote(query.model, safe='')}/{quote(query.explore, safe='')}"
        parameters = _parameters_of(query)
        return f"{page}?{urlencode(parameters)}" if parameters else page


def _base_address(uri: str) -> str | None:
    address = (uri if "://" in uri else f"https://{uri}").rstrip("/")
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    plain = address.isprintable() and not set(address) & set(" <>\"'\\^`{|}?#")
    is_page = parts.scheme in ("http", "https") and bool(parts.netloc)
    return address if is_page and plain else None


def _parameters_of(query: LookerQuery) -> list[tuple[str, str]]:
    if query.client_id:  # Looker keeps the query under this id
        return [("qid", query.client_id)]
    parameters: list[tuple[str, str]] = []
    if query.fields:
        parameters.append(("fields", ",".join(query.fields)))
    parameters += [
        (f"f[{each.field}]", each.value) for each in query.filters if each.HasField("value")
    ]
    if query.sorts:
        parameters.append(("sorts", ",".join(query.sorts)))
    if query.limit:
        parameters.append(("limit", query.limit))
    if query.dynamic_fields:
        fields = (to_json(each, proto_names=True).decode() for each in query.dynamic_fields)
        parameters.append(("dynamic_fields", f"[{','.join(fields)}]"))
    return parameters
