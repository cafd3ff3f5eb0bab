"""Deletes or mutes alarms, monitors, dashboards, escalation policies or log groups, stops audit trails, or shortens
the retention of logs."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="hides failures of a system from its operators",
    correction="Leave alerts and trails on. Read which alerts fire (`describe-alarms`, `amtool alert query`), fix the"
    " cause, or propose a maintenance window with an end to the person on call.",
    sharper="Do not silence monitoring: tell the person on call.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def monitoring_silenced(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.MONITORING, verbs=DESTROYS | HALTS | {"weaken"})
    return judged(found, _ADVICE, action, context)
