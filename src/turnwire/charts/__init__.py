"""Pictures of Vega and Vega-Lite specifications, drawn without a network.

It needs vl-convert: ``pip install "turnwire[charts]"``. ``docs/charts.md`` has the details.
"""

from turnwire.charts._drawing import to_html, to_png, to_svg
from turnwire.charts._grammar import Grammar, grammar_of
from turnwire.errors import ChartError

__all__ = [
    "ChartError",
    "Grammar",
    "grammar_of",
    "to_html",
    "to_png",
    "to_svg",
]
