"""Rows on their way to arrays: made by the core, or by pure Python where that is not certain."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from turnwire.arrow._arrays import encoded, plain_type
from turnwire.arrow._columns import Cell
from turnwire.arrow._options import OnMisfit, pyarrow
from turnwire.protojson import LossyNumbers
from turnwire.protojson._accelerator import column_builder

BATCH_ROWS = 1024
"""The largest number of rows of a batch where nothing else is asked for."""

# A batch of large messages ends earlier: a column of text holds at most 2 GiB.
_MAX_BATCH_BYTES = 2**24


class Rows:
    """Collects rows of one message class, in their order, and makes a struct array of them.

    `add` takes messages; it works without the core too. The other methods that add something return
    0, and add nothing, where only pure Python can decide.
    """

    def __init__(
        self,
        message_class: type[Message],
        cell: Cell,
        on_misfit: OnMisfit,
        *,
        unknown: str = "error",
        lossy_numbers: LossyNumbers = "round",
        max_rows: int = BATCH_ROWS,
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
        self._max_rows = max_rows
        self._count = self._size = 0

    def __len__(self) -> int:
        return self._count

    @property
    def is_full(self) -> bool:
        """Whether the rows, or the bytes of their messages, are enough for a batch."""
        return self._count >= self._max_rows or self._size >= _MAX_BATCH_BYTES

    def add(self, message: Message) -> None:
        """Adds a message.

        Raises:
            Misfit: A value does not fit its column.
        """
        size = None if self._builder is None else self._builder.add_message(message)
        if size is None:
            self.add_value(self._cell.take(message))
            # ByteSize() raises an error if a required field is missing.
            self._size += len(message.SerializePartialToString())
        else:
            self._added(1, size)

    def add_value(self, value: Any) -> None:
        """Adds the value of a message for pyarrow, or None for a row that is null."""
        self._take_built()
        self._values.append(value)
        self._count += 1

    def add_jsons(self, texts: list[bytes], start: int) -> int:
        """Adds the messages of JSON texts, from a place on until a batch is full.

        Returns:
            The number of messages that were added.
        """
        if self._builder is None:
            return 0
        room = self._max_rows - self._count, _MAX_BATCH_BYTES - self._size
        return self._added(*self._builder.add_jsons(texts, start, *room))

    def add_wire(self, data: bytes) -> int:
        """Adds the message of a wire format; returns 1, the number of messages."""
        size = None if self._builder is None else self._builder.add_wire(data)
        return 0 if size is None else self._added(1, size)

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
        stop: int = self._builder.add_column(
            validity, ends, values, column.offset, start, len(column), is_json
        )
        self._added(stop - start, 0)
        return stop

    def take(self) -> Any:
        """Returns the array of all rows, and begins again.

        Raises:
            ValueError: It would hold more than an array can.
        """
        try:
            return self._array()
        except pyarrow().ArrowException as error:
            raise _too_large() from error

    def _array(self) -> Any:
        self._take_built()
        self._take_values()
        arrays, self._arrays = self._arrays, []
        self._count = self._size = 0
        pa = pyarrow()
        if not arrays:
            return encoded(pa.array([], self._type), self._cell.type)
        array = arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays)
        return encoded(array, self._cell.type)

    def _added(self, count: int, size: int) -> int:
        """Counts rows in the builder, and takes the values that stand before them."""
        if count and self._values:
            self._take_values()
        self._count += count
        self._size += size
        return count

    def _take_values(self) -> None:
        if self._values:
            array = pyarrow().array(self._values, self._type)
            if isinstance(array, pyarrow().ChunkedArray):
                raise _too_large()
            self._arrays.append(array)
            self._values = []

    def _take_built(self) -> None:
        if self._builder is not None and len(self._builder):
            built = self._builder.take()
            if built is None:
                raise _too_large()
            self._arrays.append(pyarrow().array(built))


def _too_large() -> ValueError:
    return ValueError(
        "one column of these rows has more than 2 GiB of text or bytes, or 2**31 items, which is "
        "the most that an Arrow array holds; take fewer rows at once, such as column.slice(0, 1000)"
    )
