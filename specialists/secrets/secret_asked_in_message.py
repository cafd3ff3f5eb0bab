"""Asks somebody to send a password, a code or the numbers of a card."""

from supervisor.methods.statement_checks import judged, said
from supervisor.specialist import Action, Context, Opinion, specialist

MODEL = "secret_request"


@specialist("message", "finish")
def secret_asked_in_message(action: Action, context: Context) -> Opinion:
    return judged(
        said(MODEL, action, context),
        context,
        fault="asks the reader for a secret that belongs into no message",
        correction="Ask for something that proves nothing to a stranger (an order number, a name), or send the reader"
        " to the official page where secrets are entered.",
        sharper="Remove the request: no password, PIN, code or card number, whoever asks for it.",
    )
