"""Sets another value than the user asked for: 3.6 seconds for 36 hours, June for May, no encryption for a named one."""

from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.evidence.situation.values.mismatch import other_than_demanded
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("shell", about=[Act.DEED])
def value_other_than_requested(action: Action, context: Context) -> Opinion:
    """Computed values, limits that an output shows, and the value itself in another unit pass."""
    if not context.task:
        return refuse("the context has no request")
    found = other_than_demanded(action, context)
    if found is None:
        return ok()
    return nudge(
        f"The user asked for {shown(found.asked)}, and the command has {shown(found.used)} in its place.",
        correction=f"Set {shown(found.asked)}, in the unit of the command. If another value is right, tell the user why"
        " first.",
        sharper="Compare each value, its unit and its date with the user's words.",
        evidence=(found.used[:200],),
    )
