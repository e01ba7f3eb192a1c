"""Sets up the tests: for how long Hypothesis searches, and which modules have no doctests."""

import os
from importlib.util import find_spec

from hypothesis import settings

collect_ignore = [] if find_spec("turnwire_native") else ["src/turnwire/_native.py"]

# A slow machine must not fail a test, so examples have no deadline. `make fuzz` tries more of them.
settings.register_profile(
    "turnwire", deadline=None, max_examples=int(os.environ.get("TURNWIRE_EXAMPLES", "100"))
)
settings.load_profile("turnwire")
