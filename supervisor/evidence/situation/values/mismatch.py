"""Whether a command sets another value than the one that the request demands.

The user says 36 hours and the command has `retention.ms=3600`; the user says May 2025 and the partition is 202506. The
value of the request in any equivalent form, anywhere in the command, is enough. A value that the command computes is
not judged, nor one for which the history gives a reason.
"""

from __future__ import annotations

from functools import lru_cache

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.vietnamese import glossed
from supervisor.evidence.commands.acts import sort_of_words
from supervisor.evidence.situation.acting import is_acting
from supervisor.evidence.situation.values.beside import miscopied_rows, other_beside, raised_limits
from supervisor.evidence.situation.values.clock import other_times
from supervisor.evidence.situation.values.demands import demands
from supervisor.evidence.situation.values.direction import may_name_direction, other_directions
from supervisor.evidence.situation.values.named import (
    MACHINE,
    PAIR,
    musts,
    none_for_named,
    other_machines,
    other_settings,
    other_sizes,
    other_words,
)
from supervisor.evidence.situation.values.numbers import lost_points, other_numbers
from supervisor.evidence.situation.values.seen import MOST_TEXT, Mismatch, pattern
from supervisor.evidence.situation.values.spans import (
    longer_spans,
    may_name_span,
    more_than_one_day,
    no_end,
    other_days,
)
from supervisor.evidence.situation.values.ways import may_name_way, oftener, other_ways
from supervisor.evidence.situation.warned import script_text

_LONGEST = 1200  # characters of a request; longer ones are reports, whose values are examples
_MOST_COMMANDS = 64
_RULES = (
    other_numbers,
    lost_points,
    other_settings,
    none_for_named,
    other_machines,
    other_sizes,
    other_days,
    longer_spans,
    more_than_one_day,
    no_end,
    other_ways,
    oftener,
    other_directions,
)
# Rules that find by themselves whether the request has a value for them.
_ALONE = (other_words, other_times, other_beside, raised_limits, miscopied_rows)


def other_than_demanded(action: Action, context: Context) -> Mismatch | None:
    """The first value of an action with an effect that is another than the user demands."""
    found = mismatch(script_text(action, context), context)
    if found is None:
        return None
    commands = script(action, context).commands[:_MOST_COMMANDS]
    return found if any(is_acting(each) or sort_of_words(each.program, each.args) for each in commands) else None


def mismatch(text: str, context: Context) -> Mismatch | None:
    """The first value of a command text that is another than the user demands. Bounded work."""
    task, text = glossed(context.task or ""), text[:MOST_TEXT]
    if not task or len(task) > _LONGEST:
        return None
    rules = (*_RULES, *_ALONE) if _may_demand(task) else _ALONE
    return next((found for rule in rules for found in rule(text, task, context)), None)


@lru_cache(maxsize=64)
def _may_demand(task: str) -> bool:
    """Whether a request has any value."""
    patterns = (PAIR, MACHINE, musts(), pattern("one_up"), pattern("one_down"))
    return (
        bool(demands(task))
        or may_name_span(task)
        or may_name_way(task)
        or may_name_direction(task)
        or any(each.search(task) for each in patterns)
    )
