"""Says that it has sent a message, and no step of the session could have."""

from supervisor.evidence.session.claims import ClaimKind, claims_of, closing_words, could_have
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("finish")
def message_claimed_unsent(action: Action, context: Context) -> Opinion:
    if not context.history:
        return refuse("the context has no history")
    claim = claims_of(closing_words(action), context).get(ClaimKind.MESSAGE)
    if not claim or could_have(ClaimKind.MESSAGE, context):
        return ok()
    return nudge(
        f"It says “{claim[:160]}”, and nothing in this session sends a message.",
        correction="Send the message with a tool and check the tool's result, or state that it was not sent.",
        sharper="Remove that sentence, or send the message first.",
        confidence=0.9,
        evidence=(claim[:300],),
    )
