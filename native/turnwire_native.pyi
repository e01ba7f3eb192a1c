"""The fast core of Turnwire. Programs use `turnwire`; this is what it runs on."""

from typing import final

__version__: str

@final
class Codec:
    """Transcodes one message type: JSON text to wire format and back.

    A method gives None for what only the pure backend can decide, be it valid or not. A codec has
    no state that a caller could see; threads share it.
    """

    def __new__(cls, file_descriptor_set: bytes, message_name: str, /) -> Codec:
        """Makes the tables of a message and of all that it refers to.

        Args:
            file_descriptor_set: A serialized `google.protobuf.FileDescriptorSet` that defines them.
            message_name: The message's full name.

        Raises:
            ValueError: The set does not define all of them.
        """

    def json_to_wire(
        self,
        data: str | bytes,
        ignore_unknown: bool = False,
        refuse_lossy: bool = False,
        /,
    ) -> bytes | None:
        """The wire format of the message whose JSON text is given.

        Args:
            data: One JSON value.
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
