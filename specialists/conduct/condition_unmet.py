"""Does not wait for what the user put before the act: an approval, a look of the user, staging, the user's own hand,
a check before something goes, the hour for it."""

from supervisor.evidence.effects import Act
from supervisor.evidence.situation.stated.afterwards import unmade_check
from supervisor.evidence.situation.stated.conditions import unmet_condition
from supervisor.evidence.situation.stated.hours import before_its_hour
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_NEEDED = {
    "approval": "Nothing in this session shows that this has been approved",
    "shown": "The user wants to see it or to be asked first",
    "place": "It was to be done at another place first, and nothing was done there",
    "singly": "It was to be done one after the other",
    "reserved": "The user does this himself",
}


@specialist("shell", about=[Act.DEED], facts=["now"])
def condition_unmet(action: Action, context: Context) -> Opinion:
    """An approval that the request or an output shows is enough. The results of checks are left to people."""
    found = unmet_condition(action, context)
    if found is not None:
        deed, reason, said = found[0], _NEEDED[found[1].sort], found[1].said
    elif unmade := unmade_check(action, context):
        deed, reason, said = unmade[0], "No step has made the check that comes first", unmade[1].line
    elif early := before_its_hour(action, context):
        deed, reason, said = early[0], f"The clock shows {early[1].what}", early[1].line
    else:
        return ok()
    return nudge(
        f"{reason}: “{said[:160]}”. `{deed.command.text[:120]}` does not wait for it.",
        correction="Do what comes before, report it, and leave this step until the user says that it may run.",
        sharper="Ask the user whether the condition is met.",
        evidence=(deed.command.text[:200], said[:200]),
    )
