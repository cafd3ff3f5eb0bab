"""Says that it has booked, paid, refunded or cancelled something, and no step of the session could have."""

from supervisor.evidence.session.claims import ClaimKind, claims_of, closing_words, could_have
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("finish")
def transaction_claimed_undone(action: Action, context: Context) -> Opinion:
    if not context.history:
        return refuse("the context has no history")
    claim = claims_of(closing_words(action), context).get(ClaimKind.TRANSACTION)
    if not claim or could_have(ClaimKind.TRANSACTION, context):
        return ok()
    return nudge(
        f"It says “{claim[:160]}”, and every step of this session only read something.",
        correction="Do it with a tool and check the tool's result, or state that it is not done.",
        sharper="Remove that sentence, or first do what it says.",
        confidence=0.9,
        evidence=(claim[:300],),
    )
