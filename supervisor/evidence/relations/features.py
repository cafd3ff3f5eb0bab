"""The relations of a tool call as features, which a classifier weighs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from supervisor.action import Action, Context
from supervisor.evidence.relations.act import act
from supervisor.evidence.relations.fields import fields
from supervisor.evidence.relations.gates import gates
from supervisor.evidence.relations.past import past
from supervisor.evidence.relations.reach import reach
from supervisor.evidence.relations.seen import Features, seen
from supervisor.evidence.relations.texts import texts
from supervisor.evidence.relations.values import values

_READ = (values, fields, act, gates, texts, reach, past)
_MOST = 3


def features(action: Action, context: Context) -> Mapping[str, int]:
    """The features of an action, each with how often it holds, at most _MOST times."""
    found: Features = Counter()
    known = seen(action, context)
    for read in _READ:
        read(known, found)
    return {name: min(count, _MOST) for name, count in found.items() if count > 0}
