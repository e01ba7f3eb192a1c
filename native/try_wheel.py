"""Reads and prints a message with the core that is installed; so each wheel is tried."""

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.struct_pb2 import DESCRIPTOR, Struct
from turnwire_native import Codec, Scanner

TEXT = '{"a":[1.5,null,true,"é"]}'.encode()


def main() -> None:
    """Fails where the core does not do what it must."""
    files = FileDescriptorSet()
    DESCRIPTOR.CopyToProto(files.file.add())
    codec = Codec(Struct, files.SerializeToString(), Struct.DESCRIPTOR.full_name)
    message = codec.parse(TEXT, "error", "round")
    assert message["a"][0] == 1.5
    assert codec.print(message) == TEXT
    scanner = Scanner()
    scanner.load(TEXT)
    assert scanner.resume(0) == len(TEXT)
    print("works")


if __name__ == "__main__":
    main()
