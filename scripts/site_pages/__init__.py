"""Makes the pages of the site's reference, each from the place where its facts stand."""

from __future__ import annotations

from site_pages._code import pages_of_code
from site_pages._command_line import page_of_command_line
from site_pages._messages import pages_of_messages
from site_pages._tables import pages_of_tables

__all__ = ["reference_pages"]


def reference_pages() -> dict[str, str]:
    """Returns all pages of the reference in Markdown, by their paths."""
    return pages_of_code() | pages_of_messages() | pages_of_tables() | page_of_command_line()
