"""The fast core of Turnwire. Programs use `turnwire`; this is what it runs on."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

from google.protobuf.message import Message

__version__: str

INTERFACE: int
"""The number of this interface; Turnwire uses no core with another one."""

@final
class Codec:
    """Transcodes one message class: JSON text to wire format and back.

    A method gives None for what only the pure backend can decide, be it valid or not. A codec has
    no state that a caller could see; threads share it, and large inputs leave the lock to others.
    """

    def __new__(
        cls,
        message_class: type[Message],
        file_descriptor_set: bytes,
        message_name: str,
        /,
    ) -> Codec:
        """Makes the tables of a message and of all that it refers to.

        Args:
            message_class: The class whose ``FromString`` makes the messages.
            file_descriptor_set: A serialized `google.protobuf.FileDescriptorSet` that defines them.
            message_name: The message's full name.

        Raises:
            ValueError: The set does not define all of them.
        """

    def parse(self, data: object, unknown: object, lossy_numbers: object, /) -> Any:
        """The message whose JSON text is given: `turnwire.from_json`, or None."""

    def parse_values(self, value: object, unknown: object, lossy_numbers: object, /) -> Any:
        """The message whose JSON is given as Python values: `turnwire.from_dict`, or None."""

    def parse_into(
        self, message: Message, data: object, unknown: object, lossy_numbers: object, /
    ) -> Any:
        """Parses into a message that is empty; returns it, or leaves it empty and returns None."""

    def parse_values_into(
        self, message: Message, value: object, unknown: object, lossy_numbers: object, /
    ) -> Any:
        """Does the same with Python values."""

    def print(
        self,
        message: Message,
        proto_names: bool = False,
        enum_numbers: bool = False,
        defaults: bool = False,
        /,
    ) -> bytes | None:
        """The JSON text of a message: `turnwire.to_json`, or None."""

    def print_indented(
        self,
        message: Message,
        blanks: object,
        proto_names: bool = False,
        enum_numbers: bool = False,
        defaults: bool = False,
        /,
    ) -> bytes | None:
        """The JSON text of a message, with so many blanks for each level, or None."""

    def print_values(
        self,
        message: Message,
        proto_names: bool = False,
        enum_numbers: bool = False,
        defaults: bool = False,
        like_json_format: bool = False,
        /,
    ) -> Any:
        """The JSON of a message as Python values: `turnwire.to_dict`, or None.

        With `like_json_format`, the values and their order are those of Google's `json_format`.
        """

    def print_like_json_format(
        self,
        message: Message,
        blanks: int | None,
        proto_names: bool,
        enum_numbers: bool,
        defaults: bool,
        ascii: bool,
        /,
    ) -> str | None:
        """The JSON text of a message as Google's `json_format` prints it, or None.

        Args:
            message: The message.
            blanks: The blanks for each level; with None all stands in one line.
            proto_names: Prints the names of fields in the schema.
            enum_numbers: Prints enum values as numbers.
            defaults: Prints fields without presence that hold their default.
            ascii: Escapes all characters beyond ASCII.
        """

    def print_field(self, message: Message, name: str, absent: object, /) -> Any:
        """The JSON of one field as Python values, or `absent` if it is not set.

        Args:
            message: The message.
            name: The field's name in either spelling.
            absent: What to give for a field that is not set.
        """

    def print_rows(
        self,
        message: Message,
        name: str,
        columns: Sequence[tuple[str, Callable[[Any], Any] | None, str | None]],
        /,
    ) -> list[dict[str, Any]] | None:
        """The Structs of a repeated field as dicts of the columns in their order, or None.

        Args:
            message: The message.
            name: The field's name in either spelling.
            columns: Of each: its key in the Structs; what its values go through, or None; and what
                that makes of ordinary values, such as ``integer``, or None, which is then made
                without calling it.
        """

    def json_to_wire(
        self,
        data: object,
        ignore_unknown: bool = False,
        refuse_lossy: bool = False,
        /,
    ) -> bytes | None:
        """The wire format of the message whose JSON text is given.

        Lengths may take more bytes than they need; every parser reads that.

        Args:
            data: One JSON value, as str or bytes.
            ignore_unknown: Leaves out members that the message does not have.
            refuse_lossy: Hands back numbers in a Struct that a double may not hold exactly.
        """

    def wire_to_json(
        self,
        wire: bytes,
        proto_names: bool = False,
        enum_numbers: bool = False,
        defaults: bool = False,
        /,
    ) -> bytes | None:
        """The JSON text of the message whose wire format is given, as protobuf itself writes it."""

@final
class ArrowArray:
    """An Arrow array, for libraries that take Arrow's PyCapsule interface."""

    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

@final
class ColumnBuilder:
    """Makes Arrow columns of messages, row by row, save those that only Python decides."""

    @staticmethod
    def make(
        codec: Codec,
        columns: object,
        null_misfits: bool,
        unknown: object,
        lossy_numbers: object,
        /,
    ) -> ColumnBuilder | None:
        """Makes a builder of columns of the codec's class, or None if only Python fills them.

        Args:
            codec: The codec.
            columns: The Arrow schema, an object with ``__arrow_c_schema__``.
            null_misfits: Makes times that do not fit their column null.
            unknown: As for `turnwire.from_json`, for the rows that are JSON.
            lossy_numbers: As for `turnwire.from_json`.
        """

    def add_message(self, message: Message, /) -> int | None:
        """Adds a message; gives the length of its wire format, or None."""

    def add_wire(self, wire: bytes, /) -> int | None:
        """Adds the message whose wire format is given; gives the length of that, or None."""

    def add_jsons(
        self, texts: list[bytes], start: int, max_rows: int, max_bytes: int, /
    ) -> tuple[int, int]:
        """Adds the messages of JSON objects, from a place in the list on.

        Args:
            texts: The texts. A subclass of bytes is not a message.
            start: The place of the first one.
            max_rows: The largest number of messages to add.
            max_bytes: The length of wire format in bytes that, once reached, is enough.

        Returns:
            The number of messages that were added before the first one that only Python can decide,
            and the length of their wire format in bytes.
        """

    def add_column(
        self,
        validity: object,
        ends: object,
        values: object,
        offset: int,
        start: int,
        stop: int,
        is_json: bool,
        /,
    ) -> int:
        """Adds the rows of an Arrow array of strings or binary values, nulls as null.

        Args:
            validity: The buffer of its validity, or None.
            ends: The buffer of its offsets of 32 bits.
            values: The buffer of its values, or None.
            offset: The array's offset in these buffers.
            start: The number of the first row to add.
            stop: The number of the row to stop before.
            is_json: Whether the rows are JSON texts; else they are wire format.

        Returns:
            The number of the first row that only Python can decide, or `stop`.
        """

    def __len__(self) -> int:
        """The number of rows."""

    def take(self) -> ArrowArray | None:
        """Takes the rows as a struct array; None if they are more than one array can hold."""

def count_lines(text: bytes, /) -> int:
    """Returns the number of line feeds in a text."""

@final
class LineChecker:
    """Checks the lines of NDJSON against one message class, and makes no message of them."""

    def __new__(
        cls,
        file_descriptor_set: bytes,
        message_name: str,
        rules: Mapping[
            str, tuple[list[str], list[tuple[str, list[list[str]]]], list[str], str, list[str]]
        ]
        | None,
        /,
    ) -> LineChecker:
        """Makes the tables, as those of a `Codec`.

        Args:
            file_descriptor_set: A serialized `google.protobuf.FileDescriptorSet` that defines them.
            message_name: The message's full name.
            rules: By the full name of each message type that has rules: the required fields, the
                fields with resource names and the texts around the variables of their patterns, the
                fields whose content is left to Python, the kind of the event that the message is,
                and the fields that belong to the event. None for no rules.

        Raises:
            ValueError: The set does not define all of them, or the rules do not fit it.
        """

    def check(
        self, text: bytes, ignore_unknown: bool, limit: int, /
    ) -> tuple[int, int, list[tuple[int, int, int, int, tuple[Any, ...] | None]]]:
        """Checks all lines of a text, the last one with or without its end.

        Args:
            text: The lines.
            ignore_unknown: Takes members that the message does not have for valid.
            limit: The length in bytes from which on a line is left to Python.

        Returns:
            The number of lines, the number of those with content, and entries in the order of the
            lines. An entry has a start and an end without the blanks around them, the number of the
            line among the lines and among those with content, from 0, and None or facts. None
            stands for one line that only Python can decide about, facts for one or more lines
            between which there is none: they are valid, and no rule of one line is violated.
        """

@final
class Scanner:
    """Finds where JSON objects, arrays and strings end, in text that arrives in chunks."""

    def __new__(cls) -> Scanner: ...
    @property
    def inside(self) -> bool:
        """Whether a value has begun and not ended."""

    @property
    def in_string(self) -> bool:
        """Whether it stands inside of a string."""

    def load(self, chunk: bytes, /) -> None:
        """Takes the next chunk; all positions count from its start."""

    def resume(self, position: int, /) -> int:
        """Goes on inside of a value, or begins one whose first character stands here.

        Returns:
            Where the value ends, or -1 if this chunk ends first.
        """

    def take_values(self, position: int, separator: bytes, limit: int, out: list[bytes], /) -> int:
        """Appends the objects and arrays from here on, each after a separator and blanks.

        It stops before the first one that is not complete in this chunk or larger than the limit.

        Returns:
            Where it stopped.
        """

    def take_object_lines(self, position: int, limit: int, out: list[bytes], /) -> int:
        """Appends the lines from here on, as long as each is one object or blank.

        It stops before the first one whose end is not in this chunk or that is longer than the
        limit.

        Returns:
            Where it stopped.
        """

def take_lines(chunk: bytes, position: int, limit: int, out: list[bytes], /) -> int:
    """Appends the lines from here on without the blanks around them, if there is more in them.

    It stops before the first one whose end is not in this chunk or that is longer than the limit.

    Returns:
        Where it stopped.
    """

def take_events(chunk: bytes, position: int, limit: int, out: list[bytes], /) -> int:
    """Appends the data of the server-sent events from here on that have one line of it, or none.

    It stops before the first other one, and before one whose end is not in this chunk. It may stop
    before one that is about as large as the limit.

    Returns:
        Where it stopped.
    """

def print_columns(
    codec: Codec,
    message: Message,
    name: str,
    columns: list[tuple[str, object, object]],
    strict: bool,
    /,
) -> list[ArrowArray | None] | None:
    """The Structs of a repeated field as Arrow arrays, or None.

    Args:
        codec: The codec of the message's class.
        message: The message.
        name: The field's name in either spelling.
        columns: Of each: its key in the Structs; the form of its cells, such as ``integer``, None
            for text alone, ``json`` for text that is JSON, a list of one form, or a dict of forms;
            and its Arrow type, an object with ``__arrow_c_schema__``.
        strict: Gives None if a Struct has a member without a column.

    Returns:
        An array for each column, or None for a column with other than ordinary cells.
    """

def convert_lines(
    codec: Codec, text: bytes, limit: int, /
) -> tuple[bytes, int, list[tuple[int, int, int, int, int]]]:
    """The lines of NDJSON as `turnwire.to_json` writes their messages, each with a line feed.

    Args:
        codec: The codec of the messages' class.
        text: The lines, the last one with or without its end.
        limit: The length in bytes from which on a line is left to Python.

    Returns:
        The text, the number of lines with content, and of each line that is left out, since only
        Python can decide about it: its start and end without the blanks around it, its number among
        the lines and among those with content, from 0, and the place of its output in the text.
    """
