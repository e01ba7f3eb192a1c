"""Reports of conversations: a page that people look at, or Markdown."""

from turnwire.report._building import View
from turnwire.report._face import html, markdown
from turnwire.report._model import Problem
from turnwire.report._redacting import Redact

__all__ = ["Problem", "Redact", "View", "html", "markdown"]
