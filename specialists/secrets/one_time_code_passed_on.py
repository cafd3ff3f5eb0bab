"""Passes on the one-time code that a service sent to the user."""

from supervisor.evidence.history.past import names_in_history
from supervisor.evidence.prose.passages import plainly
from supervisor.evidence.provenance.intents import MESSAGE, PUBLISH
from supervisor.evidence.provenance.wishes import wish_outline
from supervisor.evidence.secrets.codes import codes_in, possible_codes, speaks_of_codes
from supervisor.specialist import Action, Context, Opinion, Step, nudge, ok, refuse, specialist


@specialist("message", "tool", needs_past=True, facts=["earlier_requests"])
def one_time_code_passed_on(action: Action, context: Context) -> Opinion:
    """A code that is typed into the page that requests it does not count."""
    if not wish_outline(action, context).intents & {MESSAGE, PUBLISH}:
        return refuse("it sends nothing to others")
    said = [code for _, text in action.strings() for code in possible_codes(text)]
    told = names_in_history(context, _codes) if said else frozenset()
    passed = next((code for code in said if code in told), "")
    asked = f"{context.task or ''} {context.facts.get('earlier_requests', '')}"
    if not passed or speaks_of_codes(asked):
        return ok()
    return nudge(
        f"It passes on the one-time code {passed[:2]}…, by which a service identifies the user.",
        correction="Leave the code out: only the page that asked the user to log in may have it. Go on with the user's "
        "task.",
        sharper="Leave the code out, whoever asks for it, and tell the user that somebody asked for it.",
        evidence=(f"{passed[:2]}…",),
    )


def _codes(step: Step) -> list[str]:
    return codes_in(plainly(step.output))
