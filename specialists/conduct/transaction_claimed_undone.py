"""Says that it has booked, paid, refunded or cancelled something, and no step of the session could have."""

from supervisor.evidence.session.deeds import Deed, claims_of, closing_words, could_have
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("finish")
def transaction_claimed_undone(action: Action, context: Context) -> Opinion:
    if not context.history:
        return refuse("nothing is known of what was done")
    claim = claims_of(closing_words(action), context).get(Deed.TRANSACTION)
    if not claim or could_have(Deed.TRANSACTION, context):
        return ok()
    return nudge(
        f"It says “{claim[:160]}”, and every step of this session only read something.",
        correction="Do it with a tool and look at what the tool answers, or say openly that it is not done.",
        sharper="Take that sentence out, or do what it says first.",
        confidence=0.9,
        evidence=(claim[:300],),
    )
