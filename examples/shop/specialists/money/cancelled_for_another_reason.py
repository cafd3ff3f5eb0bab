"""Cancels an order for a reason that the shop does not accept."""

from supervisor.evidence.business import operation
from supervisor.evidence.business.words import words
from supervisor.specialist import Action, Cause, Context, Fact, Opinion, nudge, ok, refuse, specialist

_REASONS = Fact(
    "cancellation_reasons",
    "The reasons that the shop accepts, in the client's words; case and blanks do not matter.",
    list[str],
    ["ordered twice"],
)


@specialist("tool", facts=[_REASONS])
def cancelled_for_another_reason(action: Action, context: Context) -> Opinion:
    accepted = context.facts.get("cancellation_reasons")
    if not isinstance(accepted, (list, tuple)) or not all(isinstance(reason, str) for reason in accepted):
        return refuse("the accepted reasons are not a list of texts", Cause.INFRASTRUCTURE)
    done = operation(action, context)
    if done.act != "cancel" or not done.of_kind("order") or "reason" not in action.args:
        return refuse("it cancels no order for a reason")
    given = action.text("reason")
    if words(given) in [words(reason) for reason in accepted]:
        return ok()
    return nudge(
        f"It cancels for {given!r}, which is none of the reasons that the shop accepts.",
        correction=f"Ask the client for the reason. Accepted are: {', '.join(accepted)}. For any other, do not cancel.",
        evidence=(given,),
    )
