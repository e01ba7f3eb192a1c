"""Parses the arguments of the commands that read many inputs."""

from __future__ import annotations

import argparse
import os
import re
from typing import NamedTuple

from turnwire._cli.arguments import add_reading, at_least
from turnwire.errors import excerpt
from turnwire.streams._framer import MAX_ELEMENT_BYTES

_ALLOWED = re.compile(r"([0-9]+(?:\.[0-9]+)?)(%?)")


class Allowed(NamedTuple):
    """The rejects that a run may have: a number, or a share of the elements in percent."""

    number: float
    is_share: bool

    def covers(self, rejected: int, elements: int) -> bool:
        """Reports whether a number of rejects among a number of elements is allowed."""
        limit = self.number * elements / 100 if self.is_share else self.number
        return rejected <= limit


NONE = Allowed(0, is_share=False)
"""The rejects that a run may have if nothing is said."""


def allowed(text: str) -> Allowed:
    """Parses a number or a percentage.

    >>> allowed("0.5%").covers(5, 1000), allowed("3").covers(4, 1000)
    (True, False)
    """
    match = _ALLOWED.fullmatch(text)
    if match is None or ("." in match[1] and not match[2]):
        reason = f"expected a number or a percentage such as 0.1%; got {excerpt(text)}"
        raise argparse.ArgumentTypeError(reason)
    return Allowed(float(match[1]), bool(match[2]))


def add_many(parser: argparse.ArgumentParser, *, unknown_default: str = "error") -> None:
    """Adds the inputs and the arguments about reading many of them."""
    add_inputs(parser, unknown_default=unknown_default)
    add_jobs(parser)
    parser.add_argument(
        "--allow-rejects",
        type=allowed,
        default=NONE,
        metavar="N|N%",
        help="exit with 0 where up to N elements, or N percent of them, were left out",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="leave out inputs that an earlier run with these options finished, such as one that "
        "was killed",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Adds the number of processes."""
    parser.add_argument(
        "--jobs",
        type=at_least(1),
        default=1,
        metavar="N",
        help=f"read inputs in N processes (this machine has {os.cpu_count() or 1} cores)",
    )


def add_inputs(parser: argparse.ArgumentParser, *, unknown_default: str = "error") -> None:
    """Adds the inputs, the way they are read, and a file for what is bad in them."""
    parser.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="a file, a pattern such as 'logs/*.ndjson.gz', or - for stdin",
    )
    add_reading(parser, unknown_default=unknown_default)
    parser.add_argument(
        "--max-element-bytes",
        type=at_least(1),
        default=MAX_ELEMENT_BYTES,
        metavar="N",
        help="the size of the largest element that is read (default: 64 MiB)",
    )
    parser.add_argument(
        "--column",
        metavar="NAME",
        help="the column of a Parquet file with the messages, as JSON texts or in the wire format "
        "(default: the only column of strings or binary values)",
    )
    parser.add_argument(
        "--rejects",
        metavar="FILE",
        help="write the elements that are left out to a file, each as it came on a line; it is "
        "compressed where its name ends in .gz or .zst",
    )
    parser.add_argument(
        "--descriptors",
        metavar="FILE",
        help="a serialized FileDescriptorSet that defines types of yours for --type",
    )
    parser.add_argument(
        "--import",
        dest="modules",
        metavar="MODULE",
        action="append",
        default=[],
        help="a Python module of generated classes, for --type; may be repeated",
    )
