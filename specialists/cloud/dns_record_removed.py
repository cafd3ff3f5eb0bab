"""Removes DNS records, zones or domains."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="removes names that others look up",
    correction="Export the zone first (`list-resource-record-sets`, `record-sets export`), find out who uses the"
    " record, and change it in place rather than delete it.",
    sharper="Leave the zone as it is and ask its owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def dns_record_removed(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.DNS, verbs=DESTROYS | HALTS | {"apply"})
    return judged(found, _ADVICE, action, context)
