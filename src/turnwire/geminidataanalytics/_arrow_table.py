"""The rows of a result as an Arrow table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from turnwire_schema.geminidataanalytics.v1.data_pb2 import DataResult

from turnwire.arrow._options import OnMisfit, check_on_misfit, pyarrow
from turnwire.errors import ParseError
from turnwire.geminidataanalytics._arrow_cells import (
    arrow_type_of,
    exact_shape,
    fitter,
    form_of,
    scalar_class,
    text_of,
)
from turnwire.geminidataanalytics._cells import Misfit, cast_for
from turnwire.geminidataanalytics._column_types import TYPE_BY_NAME
from turnwire.geminidataanalytics._csv import unique_names
from turnwire.geminidataanalytics._rows import columns_of, lenient_rows, rows_of
from turnwire.geminidataanalytics._shapes import Shape, shape_of
from turnwire.protojson._accelerator import print_columns

_FIELD = DataResult.DESCRIPTOR.fields_by_name["data"].full_name


class TableColumn(NamedTuple):
    """One column of a table.

    Attributes:
        name: Its name, with a number behind it if the schema has the name twice.
        field: Its name in the schema, and the key of its cells.
        type: The API's type, as it came; ``""`` without a schema.
        mode: The API's mode, as it came.
        arrow: The Arrow type, as pyarrow writes it.

    >>> from turnwire import geminidataanalytics as gda
    >>> schema = gda.Schema(fields=[gda.Field(name="rides", type="INTEGER", mode="REQUIRED")])
    >>> gda.Table(gda.DataResult(schema=schema)).column_types
    (TableColumn(name='rides', field='rides', type='INTEGER', mode='REQUIRED', arrow='int64'),)
    """

    name: str
    field: str
    type: str
    mode: str
    arrow: str


def table_columns(result: DataResult) -> tuple[TableColumn, ...]:
    """Returns the columns of a result with their types."""
    return tuple(
        TableColumn(source.name, source.field, source.type, source.mode, str(source.arrow))
        for source in _Sources(result).columns
    )


def arrow_table(result: DataResult, on_misfit: OnMisfit) -> Any:
    """Returns the Arrow table of a result; `Table.to_arrow` has the rules."""
    check_on_misfit(on_misfit)
    pa = pyarrow()
    sources = _Sources(result)
    is_strict = on_misfit == "error" and bool(result.schema.fields)
    ready = sources.ready_arrays(strict=is_strict)
    if is_strict and ready is None:
        _refuse_other_cells(result)
    ready = ready or {}
    arrays = [
        ready[source.name] if source.name in ready else sources.array_of(source, on_misfit)
        for source in sources.columns
    ]
    fields = []
    for source, array in zip(sources.columns, arrays, strict=True):
        metadata = {"turnwire.type": source.type} if source.type else None
        fields.append(pa.field(source.name, array.type, metadata=metadata))
    if not fields:  # pyarrow would forget the number of rows, as a table without columns has none
        return pa.table({})
    return pa.table(arrays, schema=pa.schema(fields))


def text_rows(result: DataResult) -> Iterator[list[str | None]]:
    """Yields the rows as texts, as they came; of a name that comes twice, the first one."""
    names = columns_of(result)
    for row in lenient_rows(result, {name: Shape() for name in names}):
        yield [text_of(row.get(name)) for name in names]


def _refuse_other_cells(result: DataResult) -> None:
    known = {field.name for field in result.schema.fields}
    for index, row in enumerate(result.data):
        for name in row.fields:
            if name not in known:
                raise _error(Misfit("the schema has no such column", (name,)), index)


def _error(misfit: Misfit, index: int) -> ParseError:
    path = ("data", index, *misfit.path)
    return ParseError(misfit.reason, kind="value", path=path, field=_FIELD)


class _Source(NamedTuple):
    name: str
    field: str
    type: str
    mode: str
    shape: Shape

    @property
    def arrow(self) -> Any:
        return arrow_type_of(self.shape)


class _Sources:
    """The columns of a result and their cells, each read when it is needed."""

    def __init__(self, result: DataResult) -> None:
        self._result = result

    @cached_property
    def columns(self) -> list[_Source]:
        fields = self._result.schema.fields
        if not fields:
            # The names of `columns_of`, which would look at each row in Python.
            names = sorted(set[str]().union(*self._plain_rows))
            return [_Source(name, name, "", "", self._found_shape(name)) for name in names]
        names = unique_names([field.name for field in fields])
        return [
            _Source(name, field.name, field.type, field.mode, exact_shape(shape_of(field)))
            for name, field in zip(names, fields, strict=True)
        ]

    @cached_property
    def _plain_rows(self) -> list[dict[str, Any]]:
        if not self._result.schema.fields:
            return rows_of(self._result)
        return lenient_rows(self._result, {name: Shape() for name in columns_of(self._result)})

    @cached_property
    def _typed_rows(self) -> list[dict[str, Any]]:
        # Nested cells stay plain here: only their casts know where in them a misfit is.
        shapes: dict[str, Shape] = {}
        for source in self.columns:
            is_scalar = source.shape.scalar is not None
            shapes.setdefault(source.field, source.shape if is_scalar else Shape())
        return lenient_rows(self._result, shapes)

    def _found_shape(self, name: str) -> Shape:
        """Returns the shape of a column that no schema describes."""
        kinds = {type(row.get(name)) for row in self._plain_rows} - {type(None)}
        for classes, type_name in _FOUND_TYPES:
            if kinds and kinds <= classes:
                return Shape(type_name, TYPE_BY_NAME[type_name])
        return Shape()

    def ready_arrays(self, *, strict: bool) -> dict[str, Any] | None:
        """Returns the arrays by the names of their columns that the core makes.

        Args:
            strict: Whether cells of other columns have to be refused. None means that there may be
                some, or that the core decides nothing.
        """
        first: dict[str, _Source] = {}
        for source in self.columns:
            first.setdefault(source.field, source)
        wanted = [(field, form_of(source.shape), source.arrow) for field, source in first.items()]
        made = print_columns(self._result, "data", wanted, strict=strict)
        if made is None:
            return None
        arrays = zip(first.values(), made, strict=True)
        return {
            source.name: pyarrow().array(array) for source, array in arrays if array is not None
        }

    def array_of(self, source: _Source, on_misfit: OnMisfit) -> Any:
        pa = pyarrow()
        cells = self._cells(source)
        expected = scalar_class(source.arrow)
        if source.shape.scalar is not None and set(map(type, cells)) <= {expected, type(None)}:
            try:
                return pa.array(cells, source.arrow)
            except (pa.ArrowException, OverflowError, ValueError):
                pass  # The loop finds the cell.
        is_strict = on_misfit != "null"
        cast, fit = _nested_cast(source.shape, is_strict), fitter(source.shape, strict=is_strict)
        fitting: list[Any] = []
        for index, cell in enumerate(cells):
            try:
                fitting.append(None if cell is None else fit(cast(cell)))
            except Misfit as misfit:
                if on_misfit == "string":
                    return pa.array(map(text_of, self._plain(source)), pa.string())
                raise _error(misfit.below(source.field), index) from None
        return pa.array(fitting, source.arrow)

    def _cells(self, source: _Source) -> list[Any]:
        first = next(other for other in self.columns if other.field == source.field)
        if source is first:
            return [row.get(source.field) for row in self._typed_rows]
        # The schema has the name twice, and perhaps another type.
        is_scalar = source.shape.scalar is not None
        cast = cast_for(source.shape if is_scalar else Shape(), strict=False)
        return [None if cell is None else cast(cell) for cell in self._plain(source)]

    def _plain(self, source: _Source) -> list[Any]:
        return [row.get(source.field) for row in self._plain_rows]


def _nested_cast(shape: Shape, is_strict: bool) -> Callable[[Any], Any]:
    """Returns the cast of cells that are still plain."""
    return cast_for(Shape() if shape.scalar is not None else shape, strict=is_strict)


_FOUND_TYPES: tuple[tuple[set[type], str], ...] = (
    ({bool}, "BOOLEAN"),
    ({str}, "STRING"),
    ({int}, "INTEGER"),
    ({int, float}, "FLOAT"),
)
"""The classes of all cells of a column without a schema, and the type that they make."""
