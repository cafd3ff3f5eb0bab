"""Does in another way what was just refused."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.session.refusals import harms_of, refused_harms
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_ABOUT = [Act.DELETE, Act.MOVE, Act.SEND, Act.DATABASE, Act.RESOURCE, Act.SERVICE, Act.PROCESS, Act.REVEAL]


@specialist("shell", "python", "javascript", "file_edit", "file_delete", about=_ABOUT, needs_past=True)
def refusal_circumvented(action: Action, context: Context) -> Opinion:
    """Judges only other routes to a refused effect. The specialist that refused the action judges its repetition."""
    refused = refused_harms(context)
    if not refused:
        return ok()
    for harm, effect in harms_of(effects(action, context)):
        step = refused.get(harm)
        if step is None or (step.tool == action.tool and step.args == action.args):
            continue
        if not is_named(harm.target, context):
            return nudge(
                f"The same effect on {shown(harm.target)} ({harm.act}) was refused before, in a call of {step.tool}.",
                correction="Do not look for another way to the same effect. Follow the correction of the refusal, or"
                " tell the user what was refused and why you need it.",
                sharper="This effect stays refused, whatever program causes it. Go on without it, or ask the user.",
                evidence=(effect.text[:200],),
            )
    return ok()
