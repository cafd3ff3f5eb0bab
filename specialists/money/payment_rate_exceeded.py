"""Makes more payments in a period than the deployment allows."""

from collections.abc import Mapping
from datetime import timedelta

from supervisor.evidence.reading.facts import is_whole_number
from supervisor.evidence.session.spending import SPENDING, times_made
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Cause, Context, Opinion, block, ok, refuse, specialist

_IDENTIFIER = Pattern(r"[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?")
_COUNT = "SELECT count(*) AS made FROM {table} WHERE {at} > :since"


@specialist(*SPENDING, needs_facts=["rates"], facts=["rates"])
async def payment_rate_exceeded(action: Action, context: Context) -> Opinion:
    """The fact `rates` maps a kind to `{most, minutes, table, at}`. Without a table, the session's payments count."""
    rates = context.facts.get("rates")
    rate = rates.get(action.kind) if isinstance(rates, Mapping) else None
    if rate is None:
        return refuse("no rate is set")
    most, minutes = (rate.get("most"), rate.get("minutes", 1_440)) if isinstance(rate, Mapping) else (rate, 1_440)
    if not is_whole_number(most, least=1) or not is_whole_number(minutes, least=1):
        return refuse("rates is neither a count nor {most, minutes, table, at}", Cause.INFRASTRUCTURE)
    table, at = (rate.get("table"), rate.get("at")) if isinstance(rate, Mapping) else (None, None)
    made = times_made(action, context)
    if table is not None:
        if not all(isinstance(name, str) and _IDENTIFIER.fullmatch(name) for name in (table, at)):
            return refuse("rates names a table or a column that is not an identifier", Cause.INFRASTRUCTURE)
        since = (context.now - timedelta(minutes=minutes)).strftime("%Y-%m-%d %H:%M:%S")
        rows = await context.query(_COUNT.format(table=table, at=at), since=since)
        made = max(made, int(rows[0]["made"]))
    if made < most:
        return ok()
    return block(f"{made} {action.kind}s have been made in {minutes} minutes, and {most} are allowed.")
