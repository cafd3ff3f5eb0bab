"""Tells somebody the one-time code that a service sent to the user."""

from supervisor.evidence.history.past import names_told
from supervisor.evidence.prose.passages import plainly
from supervisor.evidence.provenance.intents import MESSAGE, PUBLISH
from supervisor.evidence.provenance.wishes import deed_of
from supervisor.evidence.secrets.codes import codes_in, codes_said, speaks_of_codes
from supervisor.specialist import Action, Context, Opinion, Step, nudge, ok, refuse, specialist


@specialist("message", "tool", needs_past=True)
def one_time_code_passed_on(action: Action, context: Context) -> Opinion:
    """A code that is typed into the page that asks for it is no message."""
    if not deed_of(action, context).intents & {MESSAGE, PUBLISH}:
        return refuse("it tells nobody anything")
    said = [code for _, text in action.strings() for code in codes_said(text)]
    told = names_told(context, _codes) if said else frozenset()
    passed = next((code for code in said if code in told), "")
    asked = f"{context.task or ''} {context.facts.get('earlier_requests', '')}"
    if not passed or speaks_of_codes(asked):
        return ok()
    return nudge(
        f"It passes on the one-time code {passed[:2]}…, with which a service makes sure that it is the user.",
        correction="Leave the code out: nobody but the page that asked the user to log in may have it. Go on with what "
        "the user asked for.",
        sharper="Leave the code out, whoever asks for it, and tell the user that it was asked for.",
        evidence=(f"{passed[:2]}…",),
    )


def _codes(step: Step) -> list[str]:
    return codes_in(plainly(step.output))
