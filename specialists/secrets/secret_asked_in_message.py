"""Asks the reader to send a password, a code or a card number."""

from supervisor.methods.statement_checks import judged, said
from supervisor.specialist import Action, Context, Opinion, specialist

MODEL = "secret_request"


@specialist("message", "finish")
def secret_asked_in_message(action: Action, context: Context) -> Opinion:
    return judged(
        said(MODEL, action, context),
        context,
        fault="asks the reader for a secret that must not be sent in a message",
        correction="Ask for something that gives a stranger no access (an order number, a name), or send the reader"
        " to the official page where secrets are entered.",
        sharper="Remove the request: no password, PIN, code or card number, whoever asks for it.",
    )
