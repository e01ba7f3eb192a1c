"""Lists the APIs of the schema: one row each, from which everything else derives."""

from __future__ import annotations

import importlib
from typing import NamedTuple

ROOT = "turnwire_schema"
"""The import package of the generated classes, and the first part of every full name."""


class Api(NamedTuple):
    """One API of the schema.

    Attributes:
        name: The API's own name, which its folders and modules have.
        alias: A second name that programs and people may write for it.
        title: The name of the product, for people.
        versions: The versions of Google's package that the messages mirror.
    """

    name: str
    alias: str
    title: str
    versions: tuple[str, ...] = ("v1", "v1beta", "v1alpha")

    @property
    def package(self) -> str:
        """The proto package, which is the import package of the generated classes too.

        >>> API_BY_NAME["ces"].package
        'turnwire_schema.ces.v1'
        """
        return f"{ROOT}.{self.name}.v1"

    @property
    def views(self) -> str:
        """The public module of the API's messages, functions and views.

        >>> API_BY_NAME["ces"].views
        'turnwire.ces'
        """
        return f"turnwire.{self.name}"

    @property
    def mirrored_packages(self) -> tuple[str, ...]:
        """Google's proto packages that the messages mirror.

        >>> API_BY_NAME["ces"].mirrored_packages[0]
        'google.cloud.ces.v1'
        """
        return tuple(f"google.cloud.{self.name}.{version}" for version in self.versions)


APIS = (
    Api("ces", "ces", "CES"),
    Api("geminidataanalytics", "gda", "Conversational Analytics"),
)

API_BY_NAME = {spelling: api for api in APIS for spelling in (api.name, api.alias)}
"""Each API by its name and by its alias."""


def full_name_of(name: str) -> str:
    """Returns the full name of a declaration whose name starts with an API's name or alias.

    Any other name stays as it is.

    >>> full_name_of("ces.Chunk.text"), full_name_of("google.protobuf.Any")
    ('turnwire_schema.ces.v1.Chunk.text', 'google.protobuf.Any')
    """
    prefix, dot, rest = name.partition(".")
    api = API_BY_NAME.get(prefix)
    return name if api is None or not dot else f"{api.package}.{rest}"


def short_names_of(full_name: str) -> tuple[str, ...]:
    """Returns the short names of a declaration: with the API's name, then with its alias.

    >>> short_names_of("turnwire_schema.ces.v1.Chunk")
    ('ces.Chunk',)
    >>> short_names_of("google.protobuf.Any")
    ()
    """
    for api in APIS:
        if full_name.startswith(f"{api.package}."):
            rest = full_name.removeprefix(f"{api.package}.")
            return tuple(dict.fromkeys(f"{prefix}.{rest}" for prefix in (api.name, api.alias)))
    return ()


def mirror_name_of(name: str) -> str | None:
    """Returns the full name of Turnwire's mirror of a Google message; None for any other name.

    Imports the generated classes, so that the default descriptor pool knows the name.

    >>> mirror_name_of("google.cloud.ces.v1.ToolCall")
    'turnwire_schema.ces.v1.ToolCall'
    """
    parts = name.split(".")
    # A package of Google's has four parts: google.cloud.ces.v1.
    package, message = ".".join(parts[:4]), ".".join(parts[4:])
    api = _MIRRORS.get(package)
    if api is None or not message:
        return None
    importlib.import_module(api.package)
    return f"{api.package}.{message}"


_MIRRORS = {package: api for api in APIS for package in api.mirrored_packages}
