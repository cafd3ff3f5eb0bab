"""Promises a customer money or goods that the business's own written policy does not allow."""

from supervisor.evidence.prose.text import nearest_passages
from supervisor.methods.judge import asks, doubted
from supervisor.methods.statement_checks import said
from supervisor.specialist import Action, Context, Opinion, ok, refuse, specialist

MODEL = "promise"
MOST_READ = 4_000  # characters of a message, because it is read in the host's event loop
_QUESTION = "Does the statement promise a customer something that the policy does not allow?"


@specialist("message", "finish", needs_facts=["policy"], facts=["policy"])
async def promise_not_in_policy(action: Action, context: Context) -> Opinion:
    """A small classifier finds the promise; the model compares it with the most similar passages of the policy."""
    policy = _policy(context)
    if not policy.strip():
        return refuse("the facts contain no written policy")
    if sum(len(text) for _, text in action.strings()) > MOST_READ:
        return refuse(f"the message has more than {MOST_READ:,} characters")
    promise = said(MODEL, action, context)
    if promise is None:
        return ok()
    passages = await nearest_passages.unhurried(policy, promise.sentence.text, limit=MOST_READ)
    answer = await asks(context, _QUESTION, policy=passages or policy, statement=promise.sentence.text)
    if not answer.yes:
        return ok(answer.confidence)
    return doubted(
        answer,
        f"The policy does not allow “{promise.shown}”.",
        correction="Promise only what the policy allows, in its own words, or say that you will ask the person who"
        " decides about it.",
        sharper="Remove the promise.",
        evidence=(promise.shown,),
    )


def _policy(context: Context) -> str:
    """The policy's text: one, or a list of them."""
    stated = context.facts.get("policy")
    texts = stated if isinstance(stated, (list, tuple)) else [stated]
    return "\n".join(text for text in texts if isinstance(text, str))
