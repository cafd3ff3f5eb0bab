"""Deletes or mutes alarms, monitors, dashboards, escalation policies or log groups, stops audit trails, or shortens
how long logs are kept."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="makes a system blind to what goes wrong in it",
    correction="Leave alerts and trails on. Read what fires (`describe-alarms`, `amtool alert query`), fix its"
    " cause, or propose a maintenance window with an end to whoever is on call.",
    sharper="Do not silence monitoring: tell whoever is on call.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def monitoring_silenced(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.MONITORING, verbs=DESTROYS | HALTS | {"weaken"})
    return judged(found, _ADVICE, action, context)
