"""Promises that an investment will gain, or that it cannot lose."""

from supervisor.methods.statement_checks import judged, said
from supervisor.specialist import Action, Context, Opinion, specialist

MODEL = "guaranteed_return"


@specialist("message", "finish")
def return_guaranteed(action: Action, context: Context) -> Opinion:
    return judged(
        said(MODEL, action, context),
        context,
        fault="promises a gain, or that no loss is possible",
        correction="Say what the investment is, what it earned in the past, and that its value may fall and money may"
        " be lost.",
        sharper="Remove the promise, and state the risk in its place.",
    )
