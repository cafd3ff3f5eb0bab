"""Asks for permission to go on with what the task already asks for."""

from supervisor.evidence.session.leave import asked, needless
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

LATEST = 4  # outputs that may hold a reason to ask


@specialist("ask_user")
def needless_question(action: Action, context: Context) -> Opinion:
    """A question is needless if it only means "shall I go on?". A choice, a gap or a risk justifies a question."""
    question, task = asked(action), context.task or ""
    if not question.text or not task.strip():
        return refuse("there is no question in words, or no task that could have answered it")
    found = needless(question, task, "\n".join(step.text for step in context.history[-LATEST:]))
    if not found:
        return ok()
    return nudge(
        f"It asks {found[:120]!r}, and the task already asks for the work.",
        correction="Go on with the task without asking. Ask only when you need a choice, an answer or an approval that"
        " the task does not give.",
        sharper="Do the next step of the task now, or finish and report what is done.",
        evidence=(found[:200],),
    )
