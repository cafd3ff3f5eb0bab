"""Promises a customer a percentage, a sum or a deadline that is in no source of the deployment."""

from supervisor.evidence.business.promises import invented
from supervisor.evidence.business.sentences import POLICY_FACTS, policy_text
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("message", "finish", "ask_user", needs_facts=POLICY_FACTS)
def promise_without_source(action: Action, context: Context) -> Opinion:
    if not policy_text(context.facts).strip():
        return refuse("no written policy is known")
    promise = invented(action, context)
    if promise is None:
        return ok()
    return nudge(
        f"It promises {promise.figure}, which is in no source: {promise.sentence[:200]!r}",
        correction="Promise only what the policy says, with its own figures. For anything else, say that you will find "
        "out.",
        evidence=(promise.figure,),
    )
