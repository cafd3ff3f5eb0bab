"""Presses a customer to decide at once by scarcity, a deadline or a crowd that no record shows."""

from supervisor.evidence.provenance.on_record import all_recorded, figures
from supervisor.methods.statement_checks import judged, said
from supervisor.specialist import Action, Context, Opinion, ok, specialist

MODEL = "pressure"


@specialist("message")
def customer_pressed_to_decide(action: Action, context: Context) -> Opinion:
    """Stock or deadlines in a tool's output may be passed on in any wording."""
    saying = said(MODEL, action, context)
    if saying is not None and all_recorded(action, context, figures(saying.sentence.text)):
        return ok()
    return judged(
        saying,
        context,
        fault="presses the reader to decide at once",
        correction="State stock, price and deadline as your records have them, look them up if you have not, and"
        " leave the reader time to decide.",
        sharper="Remove the sentence, and use no countdown, no crowd and no fear of missing out.",
    )
