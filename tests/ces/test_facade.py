"""The façade holds every message class and enum of the API, and the accessors."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest
import turnwire_schema.ces.v1 as stubs
from google.protobuf.struct_pb2 import Struct

from turnwire import ces


def test_every_message_and_enum_is_there() -> None:
    expected: set[str] = set()
    for module in pkgutil.iter_modules(stubs.__path__):
        file = importlib.import_module(f"{stubs.__name__}.{module.name}").DESCRIPTOR
        expected |= set(file.message_types_by_name) | set(file.enum_types_by_name)
    schema = {name for name in ces.__all__ if hasattr(getattr(ces, name), "DESCRIPTOR")}
    assert schema == expected


def test_all_is_sorted_and_complete() -> None:
    assert ces.__all__ == sorted(ces.__all__)
    for name in ces.__all__:
        assert getattr(ces, name) is not None


def test_each_public_function_is_documented_with_an_example_and_its_errors() -> None:
    for name in ces.__all__:
        if name[0].islower():
            # Python 3.13 takes the indent off itself.
            documented = inspect.getdoc(getattr(ces, name)) or ""
            assert ">>> " in documented, name
            assert "Raises:\n    TypeError: " in documented, name


def test_messages_of_another_library_are_refused_with_advice() -> None:
    builder = ces.SessionBuilder()
    for read in (ces.text_of, ces.args_of, ces.error_of, builder.add, ces.Session.collect):
        with pytest.raises(TypeError, match=r"FromString\(theirs\.SerializeToString\(\)\)"):
            read(Struct())  # type: ignore[arg-type]
