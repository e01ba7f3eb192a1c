"""The rules of the JSON mapping as inputs: what is read as what, and what is refused.

`golden.py` makes one golden vector of each.
"""

from golden_rules import messages, numbers, texts, well_known
from golden_rules.rule import Rule

__all__ = ["RULES", "Rule"]

RULES = [*messages.RULES, *numbers.RULES, *texts.RULES, *well_known.RULES]
