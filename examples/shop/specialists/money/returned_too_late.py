"""Takes back what was handed over too long ago."""

from datetime import UTC, datetime, timedelta
from typing import Any

from supervisor.evidence.business import business, operation
from supervisor.specialist import Action, Context, Fact, Opinion, nudge, ok, refuse, specialist

_HANDED_OVER = "SELECT handed_over_at FROM purchase WHERE purchase_no = :purchase"
_COLUMNS = ("handed_over_at", "delivered_at", "delivery_date", "delivered_on")
_USUAL_DAYS = 30
_WINDOW = Fact(
    "return_window_days", "The days after the handover in which a purchase can be returned; 30 by default.", float, 30
)


@specialist("tool", facts=[_WINDOW])
async def returned_too_late(action: Action, context: Context) -> Opinion:
    done = operation(action, context)
    orders = done.of_kind("order")
    if done.act != "return" or not orders:
        return refuse("it takes nothing back")
    if done.reads:
        return ok()  # a trial
    record = business(action, context).find("order", orders[0].id)
    handed_over = next((record.values[name] for name in _COLUMNS if record.values.get(name)), None) if record else None
    if handed_over is None and record is None:
        rows = await context.query(_HANDED_OVER, purchase=orders[0].id)
        handed_over = rows[0]["handed_over_at"] if rows else None
    since = _time(handed_over)
    days = context.facts.get("return_window_days", _USUAL_DAYS)
    if since is None or not isinstance(days, int):
        return refuse("the date of the handover is unknown")
    if context.now - since <= timedelta(days=days):
        return ok()
    return nudge(
        f"It was handed over on {since:%Y-%m-%d}, more than {days} days ago.",
        correction="Tell the client that the time for returns is over, and what the guarantee covers instead.",
        evidence=(orders[0].id,),
    )


def _time(value: Any) -> datetime | None:
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
