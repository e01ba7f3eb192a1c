"""`turnwire chart`: draws the charts of a Conversational Analytics conversation."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from turnwire._cli.arguments import add_recorded_source, at_least
from turnwire._cli.failure import InputError, UsageError, named
from turnwire._cli.files import STANDARD, shown, sink_of, suffix_of
from turnwire._cli.reading import recorded
from turnwire._cli.recordings import ANSWERS, answers_in, gda

EPILOG = """\
examples:
  turnwire chart answer.json -o packets.svg
  turnwire chart answer.json -o packets.png --index 2 --scale 3
  turnwire chart conversation.ndjson -o charts.svg --all     (charts-1.svg, charts-2.svg, ...)
"""
_SUFFIXES = (".svg", ".png", ".html")


def add(commands: Any) -> None:
    """Adds the parser of the command."""
    parser = commands.add_parser(
        "chart",
        help="draw the charts of a Conversational Analytics stream as SVG, PNG or a page",
        description="Draw a chart of a Conversational Analytics conversation. It needs vl-convert: "
        'pip install "turnwire[charts]".',
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_recorded_source(parser, ANSWERS.types)
    parser.add_argument(
        "-o",
        dest="output",
        metavar="PATH",
        required=True,
        type=_picture,
        help="the file to write; its suffix decides: .svg, .png, or .html for a page that draws it",
    )
    parser.add_argument(
        "--index", type=at_least(1), metavar="N", help="which of several charts, counted from 1"
    )
    parser.add_argument(
        "--all", action="store_true", help="draw all charts, with a number behind each name"
    )
    parser.add_argument(
        "--scale", type=_scale, metavar="X", default=2, help="pixels per unit in a PNG (default: 2)"
    )
    parser.set_defaults(run=_draw)


def _picture(name: str) -> str:
    if name == STANDARD or suffix_of(name) not in _SUFFIXES:
        *others, last = _SUFFIXES
        expected = f"a name that ends in {', '.join(others)} or {last}"
        raise argparse.ArgumentTypeError(f"expected {expected}; got {name!r}")
    return name


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0
    if not 0 < scale <= 16:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 16; got {text!r}")
    return scale


def _draw(arguments: argparse.Namespace) -> None:
    if arguments.all and arguments.index is not None:
        raise UsageError("--index chooses one chart, and --all draws all of them")
    with recorded(ANSWERS, arguments) as stored:
        charts = [
            chart
            for answer in answers_in(stored)
            for chart in answer.charts
            if chart.spec is not None
        ]
        for number, chart in _chosen(charts, arguments):
            with named(f"{shown(arguments.input)}: chart {number}"):
                picture = _drawn(chart, arguments)
            output = Path(arguments.output)
            name = output.with_stem(f"{output.stem}-{number}") if arguments.all else output
            with sink_of(str(name)) as sink:
                sink.write(picture)


def _chosen(
    charts: list[gda.Chart], arguments: argparse.Namespace
) -> Iterable[tuple[int, gda.Chart]]:
    """Returns the charts to draw, each with its number."""
    numbered = [*enumerate(charts, 1)]
    if arguments.all and charts:
        return numbered
    if arguments.index is None and len(charts) == 1:
        return numbered
    if arguments.index is not None and arguments.index <= len(charts):
        return [numbered[arguments.index - 1]]
    if not charts:
        reason = "it holds no chart with a specification"
    elif arguments.index is None:
        reason = f"it holds {len(charts)} charts: say --index N, or --all"
    else:
        reason = f"it holds {len(charts)} charts, and none with the number {arguments.index}"
    raise InputError(shown(arguments.input), reason)


def _drawn(chart: gda.Chart, arguments: argparse.Namespace) -> bytes:
    suffix = suffix_of(arguments.output)
    if suffix == ".png":
        return chart.to_png(arguments.scale)
    return (chart.to_svg() if suffix == ".svg" else chart.to_html()).encode()
