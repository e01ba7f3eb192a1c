"""Leaves out of the doctests what can only be imported where the native core is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("turnwire_native") else ["src/turnwire/_native.py"]
