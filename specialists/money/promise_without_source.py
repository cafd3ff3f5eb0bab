"""Promises a customer a share, a sum or a deadline that stands in no source of the deployment."""

from supervisor.evidence.business.promises import invented
from supervisor.evidence.business.sentences import POLICY_FACTS, policy_text
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("message", "finish", "ask_user", needs_facts=POLICY_FACTS)
def promise_without_source(action: Action, context: Context) -> Opinion:
    if not policy_text(context.facts).strip():
        return refuse("no written policy is known")
    found = invented(action, context)
    if found is None:
        return ok()
    return nudge(
        f"It promises {found.figure}, which stands in no source: {found.sentence[:200]!r}",
        correction="Promise only what the policy says, in its own figures; say that you will find out what you "
        "do not know.",
        evidence=(found.figure,),
    )
