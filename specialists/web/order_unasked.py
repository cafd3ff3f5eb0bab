"""Presses the button that makes a purchase or booking binding, which the task does not ask for."""

from supervisor.evidence.web.buttons import ORDERS
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("click")
def order_unasked(action: Action, context: Context) -> Opinion:
    """Judges only the last button; filling a cart is not binding."""
    if not (context.task or "").strip():
        return refuse("the context has no task")
    label = ORDERS.pressed(action)
    if not label or ORDERS.is_asked(context):
        return ok()
    return nudge(
        f"“{label[:80]}” is a binding order, and the task does not ask for one.",
        correction="Stop before the order. Report your results and the price, and ask the user whether to buy.",
        sharper="Do not press it. Tell the user that everything is ready to be ordered.",
        evidence=(label,),
    )
