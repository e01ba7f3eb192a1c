"""Sets up the tests: for how long Hypothesis searches."""

import os

from hypothesis import settings

# A slow machine must not fail a test, so examples have no deadline. CI and `make fuzz` try more.
settings.register_profile(
    "turnwire", deadline=None, max_examples=int(os.environ.get("TURNWIRE_EXAMPLES", "15"))
)
settings.load_profile("turnwire")
