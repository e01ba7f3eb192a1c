"""Finds the message type that a command line names, among those of the user too."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from google.protobuf import message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message

from turnwire import schema
from turnwire._cli.arguments import message_type
from turnwire._cli.failure import UsageError


@dataclass(frozen=True)
class OwnTypes:
    """The user's message types; it can be sent to another process, and loads them there.

    Attributes:
        descriptors: The file of a FileDescriptorSet, or None.
        modules: The names of Python modules with generated classes.
    """

    descriptors: str | None = None
    modules: tuple[str, ...] = ()

    def load(self) -> None:
        """Makes the types known to protobuf.

        Raises:
            UsageError: A file or module does not define types, or other ones of these names.
            OSError: The file cannot be read.
        """
        if self.modules and os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        for name in self.modules:
            try:
                importlib.import_module(name)
            except (Exception, SystemExit) as error:  # the module is the user's program
                reason = str(error) if isinstance(error, ImportError) else repr(error)
                raise UsageError(f"--import {name}: {reason}") from error
        if self.descriptors is not None:
            self._load_descriptors(self.descriptors)

    def _load_descriptors(self, name: str) -> None:
        try:
            files = FileDescriptorSet.FromString(Path(name).read_bytes()).file
        except DecodeError as error:
            raise UsageError(f"--descriptors {name}: {error}") from error
        waiting = {file.name: file for file in files}
        try:
            while waiting:
                _add_file(next(iter(waiting)), waiting)
        except KeyError as error:
            reason = f"it imports {error}, which is not in it (protoc --include_imports adds it)"
            raise UsageError(f"--descriptors {name}: {reason}") from error
        except TypeError as error:
            raise UsageError(f"--descriptors {name}: {error}") from error


def _add_file(name: str, waiting: dict[str, FileDescriptorProto]) -> None:
    """Makes a file known to protobuf, after those that it imports, whatever their order is.

    Raises:
        KeyError: An import is missing, or a file imports itself.
        TypeError: The file does not define types, or other ones of known names.
    """
    try:
        Default().FindFileByName(name)
        waiting.pop(name, None)
        return
    except KeyError:
        file = waiting.pop(name)
    for imported in file.dependency:
        _add_file(imported, waiting)
    Default().AddSerializedFile(file.SerializeToString())


def own_types_of(arguments: argparse.Namespace) -> OwnTypes:
    """Returns the types that the arguments of `add_inputs` name."""
    return OwnTypes(arguments.descriptors, tuple(arguments.modules))


def class_of(name: str) -> type[Message]:
    """Returns the message class that a short name of the schema or any full name means.

    Raises:
        UsageError: Nothing defines such a message.
    """
    try:
        return schema.message_class(name)
    except schema.UnknownNameError:
        pass
    try:
        found = Default().FindMessageTypeByName(name)
    except KeyError:
        try:
            return message_type(name)
        except argparse.ArgumentTypeError as error:
            raise UsageError(f"argument --type: {error}") from error
    return message_factory.GetMessageClass(found)
