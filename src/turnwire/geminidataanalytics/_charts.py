"""Charts: the Vega specification, wherever the service put it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from turnwire_schema.geminidataanalytics.v1.analysis_pb2 import AnalysisEvent, AnalysisMessage
from turnwire_schema.geminidataanalytics.v1.chart_pb2 import Blob, ChartMessage, ChartResult
from turnwire_schema.geminidataanalytics.v1.message_pb2 import Message, SystemMessage

from turnwire._arguments import wrong_class
from turnwire._notebooks import ShownView
from turnwire.charts import Grammar, grammar_of, to_html, to_png, to_svg
from turnwire.charts._grammar import unwrapped
from turnwire.errors import ChartError, ParseError
from turnwire.protojson import to_dict

_HOLDERS: Final = (
    Message,
    SystemMessage,
    ChartMessage,
    ChartResult,
    AnalysisMessage,
    AnalysisEvent,
)


@dataclass(frozen=True, slots=True, repr=False)
class Chart(ShownView):
    """A chart that the service drew: its Vega specification, its rendered image, or both.

    Attributes:
        message: The part of the message that holds it.

    >>> from turnwire import geminidataanalytics as gda
    >>> result = gda.ChartResult()
    >>> result.vega_config.update({"mark": "bar"})
    >>> chart = gda.Chart(result)
    >>> chart, chart.spec, chart.image
    (Chart(vegaConfig), {'mark': 'bar'}, None)
    """

    message: ChartResult | AnalysisEvent

    @property
    def spec(self) -> dict[str, Any] | None:
        """The Vega specification, read at each access; see `vega_spec_of` for the errors."""
        return vega_spec_of(self.message)

    @property
    def image(self) -> Blob | None:
        """The rendered image, which is there only when the request's options asked for it."""
        if isinstance(self.message, ChartResult) and self.message.HasField("image"):
            return self.message.image
        return None

    @property
    def grammar(self) -> Grammar | None:
        """The grammar of the specification, ``"vega"`` or ``"vega-lite"``; None without one.

        Raises:
            ParseError, SerializeError: As for `spec`.
            ChartError: It is neither, or of a version that cannot be drawn.
        """
        spec = self.spec
        return None if spec is None else grammar_of(spec)

    def to_svg(self, *, data: Mapping[str, Any] | None = None) -> str:
        """Draws the specification as SVG; see `turnwire.charts.to_svg`.

        Args:
            data: The contents of what the specification names by a URL, by that URL.

        Raises:
            ParseError, SerializeError: As for `spec`.
            ChartError: The chart has no specification, or it cannot be drawn.
            MissingExtra: vl-convert is not installed: ``pip install "turnwire[charts]"``.

        >>> from turnwire import geminidataanalytics as gda
        >>> result = gda.ChartResult()
        >>> result.vega_config.update({"mark": "point", "data": {"values": [{}]}})
        >>> gda.Chart(result).to_svg()[:5]
        '<svg '
        """
        return to_svg(self._spec_to_draw(), data=data)

    def to_png(self, scale: float = 2, *, data: Mapping[str, Any] | None = None) -> bytes:
        """Draws the specification as PNG; see `turnwire.charts.to_png`.

        Args:
            scale: The pixels per unit of the specification's width and height.
            data: As for `to_svg`.

        Raises:
            ParseError, SerializeError, ChartError, MissingExtra: As for `to_svg`.
            ValueError: The scale is not a positive number of at most 16.
        """
        return to_png(self._spec_to_draw(), scale, data=data)

    def to_html(self, *, data: Mapping[str, Any] | None = None) -> str:
        """Returns a page that draws the specification; see `turnwire.charts.to_html`.

        Args:
            data: As for `to_svg`.

        Raises:
            ParseError, SerializeError, ChartError, MissingExtra: As for `to_svg`.
        """
        return to_html(self._spec_to_draw(), data=data)

    def _spec_to_draw(self) -> dict[str, Any]:
        spec = self.spec
        if spec is not None:
            return spec
        drawn = f"; its image is of the type {self.image.mime_type!r}" if self.image else ""
        raise ChartError(f"the chart has no specification{drawn}", kind="missing")

    def _shown(self) -> list[str]:
        if isinstance(self.message, AnalysisEvent):
            return ["resultVegaChartJson"]
        held = ["vegaConfig"] if self.message.HasField("vega_config") else []
        if image := self.image:
            held.append(f"{image.mime_type:.40} of {len(image.data)} bytes")
        return held


def vega_spec_of(
    chart: Message | SystemMessage | ChartMessage | ChartResult | AnalysisMessage | AnalysisEvent,
) -> dict[str, Any] | None:
    """The Vega specification of a chart as a plain deep dict, or None where there is none.

    It stands in ``chart.result.vegaConfig``, or as JSON in a string in
    ``analysis.progressEvent.resultVegaChartJson``. JSON that was encoded twice, and a wrapper such
    as ``{"vegaConfig": …}``, are taken off. Each call returns a new dict that the caller may
    change. Nulls are None, and whole numbers below 10**16 are int.

    Raises:
        TypeError: The argument is not one of these messages.
        ParseError: A string does not hold the JSON of an object.
        SerializeError: A number in ``vegaConfig`` is NaN or infinite, which JSON cannot send.

    >>> from turnwire import geminidataanalytics as gda
    >>> chart = gda.ChartResult()
    >>> chart.vega_config.update({"mark": "bar", "width": 420})
    >>> vega_spec_of(chart)
    {'mark': 'bar', 'width': 420}
    """
    source = chart_in(chart)
    if isinstance(source, AnalysisEvent):
        return _spec_in(source.result_vega_chart_json, "resultVegaChartJson", source)
    if source is None or not source.HasField("vega_config"):
        return None
    return _spec_in(to_dict(source.vega_config), "vegaConfig", source)


def chart_in(
    chart: Message | SystemMessage | ChartMessage | ChartResult | AnalysisMessage | AnalysisEvent,
) -> ChartResult | AnalysisEvent | None:
    """The part of a message that holds a chart: a specification, an image, or both."""
    match chart:
        case Message():
            return chart_in(chart.system_message)
        case SystemMessage():
            if chart.WhichOneof("kind") == "analysis":
                return chart_in(chart.analysis)
            return chart_in(chart.chart)
        case ChartMessage():
            return chart_in(chart.result)
        case AnalysisMessage():
            return chart_in(chart.progress_event)
        case ChartResult():
            return chart if chart.HasField("vega_config") or chart.HasField("image") else None
        case AnalysisEvent():
            return chart if chart.WhichOneof("kind") == "result_vega_chart_json" else None
        case _:
            raise wrong_class(chart, *_HOLDERS)


def _spec_in(value: Any, name: str, message: ChartResult | AnalysisEvent) -> dict[str, Any]:
    """The specification in a value: JSON in a string is read, wrappers are taken off."""
    fields = message.DESCRIPTOR.fields_by_camelcase_name
    path, field = (name,), fields[name].full_name
    try:
        return unwrapped(value)
    except ParseError as error:
        error.path, error.field = path, field
        raise
