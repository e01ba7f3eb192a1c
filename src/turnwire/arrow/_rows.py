"""Rows on their way to arrays: made by the core, or by pure Python where that is not certain."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from turnwire.arrow._arrays import encoded, plain_type
from turnwire.arrow._columns import Cell
from turnwire.arrow._options import OnMisfit, pyarrow
from turnwire.protojson import LossyNumbers
from turnwire.protojson._accelerator import column_builder


class Rows:
    """Collects rows of one message class, in their order, and makes a struct array of them.

    `add` takes messages; it works without the core too. The other methods that add something return
    None, and add nothing, where only pure Python can decide.
    """

    def __init__(
        self,
        message_class: type[Message],
        cell: Cell,
        on_misfit: OnMisfit,
        *,
        unknown: str = "error",
        lossy_numbers: LossyNumbers = "round",
    ) -> None:
        self._cell = cell
        self._type = plain_type(cell.type)
        schema = pyarrow().schema(list(self._type))
        self._builder = column_builder(
            message_class, schema, on_misfit == "null", unknown, lossy_numbers
        )
        self._arrays: list[Any] = []
        # The last rows are in one of these two: in the builder, or here.
        self._values: list[Any] = []

    def __len__(self) -> int:
        in_builder = 0 if self._builder is None else len(self._builder)
        return sum(map(len, self._arrays)) + in_builder + len(self._values)

    def add(self, message: Message) -> int:
        """Adds a message, and returns its length in bytes.

        Raises:
            Misfit: A value does not fit its column.
        """
        if self._builder is not None:
            size = self._builder.add_message(message)
            if size is not None:
                return self._added(size)
        self.add_value(self._cell.take(message))
        # ByteSize() raises an error if a required field is missing.
        return len(message.SerializePartialToString())

    def add_value(self, value: Any) -> None:
        """Adds the value of a message for pyarrow, or None for a row that is null."""
        self._take_built()
        self._values.append(value)

    def add_json(self, text: bytes) -> int | None:
        """Adds the message of a JSON text, and returns the length of its wire format."""
        size = None if self._builder is None else self._builder.add_json(text)
        return None if size is None else self._added(size)

    def add_wire(self, data: bytes) -> int | None:
        """Adds the message of a wire format, and returns the length of that."""
        size = None if self._builder is None else self._builder.add_wire(data)
        return None if size is None else self._added(size)

    def add_column(self, column: Any, start: int, *, is_json: bool) -> int:
        """Adds the messages of an array of strings or binary values, from a row on.

        Returns:
            The number of the first row that only pure Python can decide, or of all rows.
        """
        if self._builder is None:
            return start
        validity, ends, values = column.buffers()
        # An array without rows may have no ends.
        if ends is None or not ends.size:
            return start
        before = len(self._builder)
        stop: int = self._builder.add_column(
            validity, ends, values, column.offset, start, len(column), is_json
        )
        if len(self._builder) > before:
            self._added(0)
        return stop

    def take(self) -> Any:
        """Returns the array of all rows, and begins anew."""
        self._take_built()
        self._take_values()
        arrays, self._arrays = self._arrays, []
        pa = pyarrow()
        if not arrays:
            return encoded(pa.array([], self._type), self._cell.type)
        array = arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays)
        return encoded(array, self._cell.type)

    def _added(self, size: int) -> int:
        """Takes the values that stand before the first row in the builder."""
        if self._values:
            self._take_values()
        return size

    def _take_values(self) -> None:
        if self._values:
            self._arrays.append(pyarrow().array(self._values, self._type))
            self._values = []

    def _take_built(self) -> None:
        if self._builder is not None and len(self._builder):
            self._arrays.append(pyarrow().array(self._builder.take()))
