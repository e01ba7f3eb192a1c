"""Tries the wheel that is installed: reads and prints a message, and looks for the notices."""

from importlib.metadata import files

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.struct_pb2 import DESCRIPTOR, Struct
from turnwire_native import Codec, Scanner

TEXT = '{"a":[1.5,null,true,"é"]}'.encode()


def main() -> None:
    """Fails where the core does not work or the wheel is not complete."""
    file_set = FileDescriptorSet()
    DESCRIPTOR.CopyToProto(file_set.file.add())
    codec = Codec(Struct, file_set.SerializeToString(), Struct.DESCRIPTOR.full_name)
    message = codec.parse(TEXT, "error", "round")
    assert message["a"][0] == 1.5
    assert codec.print(message) == TEXT
    scanner = Scanner()
    scanner.load(TEXT)
    assert scanner.resume(0) == len(TEXT)
    names = {file.name for file in files("turnwire-native") or ()}
    assert {"LICENSE", "THIRD_PARTY_NOTICES.txt"} <= names
    print("works")


if __name__ == "__main__":
    main()
