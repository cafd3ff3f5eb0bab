"""Presses the button that makes a purchase or booking binding, which the task does not ask for."""

from supervisor.evidence.web.buttons import ORDERS
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("click")
def order_unasked(action: Action, context: Context) -> Opinion:
    """Filling a cart binds nobody; this is about the last button."""
    if not (context.task or "").strip():
        return refuse("without a task nothing tells what was asked for")
    label = ORDERS.pressed(action)
    if not label or ORDERS.is_asked(context):
        return ok()
    return nudge(
        f"“{label[:80]}” is a binding order, and the task does not ask for one.",
        correction="Stop before the order. Report what you have found and what it costs, and ask the user whether to"
        " buy.",
        sharper="Do not press it. Tell the user that everything is ready to be ordered.",
        evidence=(label,),
    )
