"""Sets up the tests: for how long Hypothesis searches."""

import os

from hypothesis import settings

# A slow machine must not fail a test, so examples have no deadline. `make fuzz` tries more of them.
settings.register_profile(
    "turnwire", deadline=None, max_examples=int(os.environ.get("TURNWIRE_EXAMPLES", "30"))
)
settings.load_profile("turnwire")
