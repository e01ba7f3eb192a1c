"""The views that notebooks show as markup. The one place that looks up a room above its own."""

from __future__ import annotations

import importlib
from typing import Final

from turnwire._views import View

_MARKUP: Final = "turnwire.report._fragment"


class ShownView(View):
    """A view that notebooks show as HTML.

    The markup comes from `turnwire.report`, which imports the views itself. So it is looked up by
    its name when a notebook asks.

    >>> from turnwire import ces
    >>> turn = ces.Turn(index=1, outputs=(ces.SessionOutput(text="Rack <4>"),))
    >>> "Rack &lt;4&gt;" in (turn._repr_html_() or "")
    True
    """

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Returns markup for notebooks; None, for which they show the repr, where it fails.

        Without the extra ``html`` it is None too.
        """
        try:
            markup: str = importlib.import_module(_MARKUP).html_of(self)
        except Exception:  # a cell must show its value, however strange its data are
            return None
        return markup
