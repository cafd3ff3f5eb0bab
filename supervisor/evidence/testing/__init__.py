"""What a test file checks, in whatever language and framework: what each assertion asks, which answers the test sets
itself, which failures it hides, and which databases its fixtures empty. `frameworks.yaml` has the words.

A reader takes a text, which may be a part of a file.
"""

from __future__ import annotations

from supervisor.evidence.testing.assertions import Assertion, Strength, assertions, sample_lines
from supervisor.evidence.testing.comparisons import compared_with_itself
from supervisor.evidence.testing.emptied import empties_any_database
from supervisor.evidence.testing.stand_ins import StandIn, asserted_stand_ins, is_named_after
from supervisor.evidence.testing.swallowed import swallowed_failure
from supervisor.evidence.testing.weaker import weaker_assertion

__all__ = [
    "Assertion",
    "StandIn",
    "Strength",
    "asserted_stand_ins",
    "assertions",
    "compared_with_itself",
    "empties_any_database",
    "is_named_after",
    "sample_lines",
    "swallowed_failure",
    "weaker_assertion",
]
