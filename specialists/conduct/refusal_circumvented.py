"""Does in another way what it was just refused to do."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.session.refusals import harms_of, refused_harms
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_ABOUT = [Act.DELETE, Act.MOVE, Act.SEND, Act.DATABASE, Act.RESOURCE, Act.SERVICE, Act.PROCESS, Act.REVEAL]


@specialist("shell", "python", "javascript", "file_edit", "file_delete", about=_ABOUT, needs_past=True)
def refusal_circumvented(action: Action, context: Context) -> Opinion:
    """The very same action proposed again is judged by whoever refused it; here it is the other route that counts."""
    refused = refused_harms(context)
    if not refused:
        return ok()
    for harm, effect in harms_of(effects(action, context)):
        step = refused.get(harm)
        if step is None or (step.tool == action.tool and step.args == action.args):
            continue
        if not is_named(harm.target, context):
            return nudge(
                f"What it does to {shown(harm.target)} ({harm.act}) was refused before, by {step.tool}.",
                correction="Do not look for another way to the same end. Do what the refusal said to do instead, or"
                " tell the user what was refused and why you need it.",
                sharper="It stays refused, whatever program does it. Go on without it, or ask the user.",
                evidence=(effect.text[:200],),
            )
    return ok()
