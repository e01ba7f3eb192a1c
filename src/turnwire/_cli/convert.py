"""`turnwire convert`: reads messages in one format and writes them in another."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from turnwire._cli import on_error, standard
from turnwire._cli.converting import Conversion, merge, part_format
from turnwire._cli.failure import UsageError, named
from turnwire._cli.files import STANDARD, is_same, shown, sink_of
from turnwire._cli.formats import (
    FORMATS,
    PARQUET,
    described_formats,
    format_of_output,
    write_messages,
)
from turnwire._cli.inputs import format_of, inputs_of
from turnwire._cli.many import add_many
from turnwire._cli.own_types import class_of, own_types_of
from turnwire._cli.reading import messages_of
from turnwire._cli.runner import Totals, check_allowed, check_not_input, run_many
from turnwire._replacing import replacing

EPILOG = f"""\
formats:
{described_formats()}

examples:
  turnwire convert --type ces.Message message.json -o message.binpb
  turnwire convert --type gda.Message answer.json --to ndjson
  turnwire convert --type gda.Message 'logs/*.ndjson.gz' -o good.ndjson.gz --rejects bad.ndjson
  turnwire convert --type gda.Message 'logs/*.ndjson.gz' -o tables/ --to parquet --jobs 4
  curl ... | turnwire convert --type gda.Message -o answer.delimited -
  turnwire convert --type ces.RunSessionResponse --unknown warn log.ndjson --to array
"""


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "convert",
        help="convert messages between JSON, NDJSON, array, wire and text formats, and to Parquet",
        description="Convert messages from one format to another, checking each of them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--type",
        dest="type_name",
        metavar="NAME",
        required=True,
        help="the message type: ces.Message, gda.Message, or a full name",
    )
    add_many(parser)
    parser.add_argument(
        "--on-error",
        choices=on_error.CHOICES,
        help="an element that is not such a message stops the command (raise, the default for one "
        "input), is left out (skip), or is left out and reported (warn, the default for many)",
    )
    parser.add_argument("--to", dest="target", choices=FORMATS, help="the format of the output")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUTPUT",
        default=STANDARD,
        help="a file, or a folder (its name ends in /) with a file for each input; they appear "
        "only when they are complete (default: stdout)",
    )
    parser.set_defaults(run=_convert)


def _convert(arguments: argparse.Namespace) -> None:
    own_types_of(arguments).load()
    class_of(arguments.type_name)
    target: str | None = arguments.target or format_of_output(arguments.output)
    if target is None:
        reason = f"{arguments.output}: its suffix tells no format; say it with --to"
        raise UsageError(reason)
    arguments.inputs = inputs_of(arguments.inputs)
    if _is_for_many(arguments, target):
        _convert_many(arguments, target)
    else:
        _convert_one(arguments, target)


def _is_for_many(arguments: argparse.Namespace, target: str) -> bool:
    asks_for_it = arguments.jobs > 1 or arguments.resume or arguments.rejects is not None
    is_large = _is_folder(arguments.output) or PARQUET in (
        target,
        *(format_of(name, arguments.source) for name in arguments.inputs),
    )
    return len(arguments.inputs) != 1 or asks_for_it or is_large


def _is_folder(output: str) -> bool:
    return output != STANDARD and (output.endswith("/") or Path(output).is_dir())


def _convert_one(arguments: argparse.Namespace, target: str) -> None:
    arguments.on_error = arguments.on_error or "raise"
    if arguments.on_error != "raise":
        check_not_input(arguments.output, arguments.inputs)
    [arguments.input] = arguments.inputs
    # A message that cannot be written is an error in the input as well.
    with (
        messages_of(class_of(arguments.type_name), arguments) as messages,
        sink_of(arguments.output) as sink,
        named(shown(arguments.input)),
    ):
        write_messages(messages, sink, target, printable=arguments.output == STANDARD)


def _convert_many(arguments: argparse.Namespace, target: str) -> None:
    if arguments.on_error == "raise":
        raise UsageError("--on-error raise is for one input; --allow-rejects counts for several")
    output: str = arguments.output
    if output == STANDARD and (target == PARQUET or arguments.resume):
        raise UsageError("this needs an output: say it with -o")
    check_not_input(output, arguments.inputs)
    if arguments.rejects is not None and is_same(arguments.rejects, output):
        raise UsageError(f"{output}: it cannot be the output and the file of rejects")
    if _is_folder(output):
        suffix = FORMATS[target].suffixes[0] if FORMATS[target].suffixes else ".json"
        totals = _run(arguments, target, suffix, Path(output))
    else:
        with _parts_folder(output) as folder:
            totals = _run(arguments, part_format(target), _part_suffix(output, target), folder)
            _merge(totals, arguments, target, folder)
    if arguments.on_error == "skip":
        totals.groups.clear()
    check_allowed(totals, arguments.allow_rejects)


def _run(arguments: argparse.Namespace, target: str, suffix: str, folder: Path) -> Totals:
    work = Conversion(
        arguments.type_name,
        target,
        suffix,
        arguments.source,
        arguments.at,
        arguments.unknown,
        arguments.max_element_bytes,
        arguments.column,
    )
    own = own_types_of(arguments)
    return run_many(work, arguments, folder, (work, own, arguments.output, arguments.target))


def _part_suffix(output: str, target: str) -> str:
    """Returns the suffix of the outputs of parts: compressed ones can follow one another."""
    if output == STANDARD or part_format(target) != target:
        return f".{part_format(target)}"
    return "".join(Path(output).suffixes[-2:]) or f".{target}"


@contextmanager
def _parts_folder(output: str) -> Generator[Path]:
    """Yields the folder of the outputs of parts, which stays until their output is complete."""
    if output == STANDARD:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)
        return
    path = Path(output)
    folder = path.with_name(f".{path.name}.parts")
    finished = path.with_name(f".{path.name}.finished")
    shutil.rmtree(finished, ignore_errors=True)
    yield folder
    # A kill finds either all parts or none.
    folder.replace(finished)
    shutil.rmtree(finished)


def _merge(totals: Totals, arguments: argparse.Namespace, target: str, folder: Path) -> None:
    files = [path for of_part in totals.files for path in of_part]
    output, message_class = arguments.output, class_of(arguments.type_name)
    if output == STANDARD:
        merge(files, standard.stdout(), target, message_class)
    elif part_format(target) == target:  # the parts are compressed where the output is
        with replacing(Path(output), owner=folder) as file:
            merge(files, file, target, message_class)
    else:
        with sink_of(output, owner=folder) as sink:
            merge(files, sink, target, message_class)
