"""Takes more from an account, a wallet or a gift card than is left on it."""

from supervisor.evidence.business import Record, business, operation
from supervisor.evidence.business.amounts import Money, column_amount, moves_money, requested_amount
from supervisor.evidence.business.store import named_records
from supervisor.evidence.business.words import listed, plain_id
from supervisor.evidence.changes.asked import is_named
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

_HOLDS_MONEY = listed("account wallet gift_card giftcard voucher certificate card payment_method instrument fund purse")
_BALANCES = ("available_balance", "available", "balance", "current_balance", "remaining_balance", "remaining")
_BEYOND = ("overdraft_limit", "overdraft", "credit_limit")


@specialist("payment", "tool")
async def amount_above_balance(action: Action, context: Context) -> Opinion:
    """Cards and accounts with a credit line are not judged: their balance is not a limit."""
    known, done = business(action, context), operation(action, context)
    asked = requested_amount(action, known.schema)
    if not moves_money(done) or done.act == "refund" or asked is None:
        return refuse("it names no amount to take")
    own = tuple(each for each in done.named if not each.others and plain_id(each.id) not in known.changed)
    for named, record in await named_records(own, known, action, context):
        left = _left(record)
        if left is None or asked.amount <= left + 0.005:
            continue
        reason = f"It takes {asked} from {record.kind} {named.id}, where {Money(left, asked.currency)} are left."
        if is_named(f"{asked.amount:g}", context) or is_named(f"{asked.amount:.2f}", context):
            return flag(reason, evidence=(named.id,))
        return nudge(
            reason,
            correction="Take no more than is left, or use another means of payment that the user chooses. Tell the "
            "user what is left.",
            evidence=(named.id, str(asked)),
        )
    return ok()


def _left(record: Record) -> float | None:
    """The amount that can be taken from it; None for a record without money, or with a credit line."""
    if record.kind not in _HOLDS_MONEY and record.kind.rpartition("_")[2] not in _HOLDS_MONEY:
        return None
    if "credit" in f"{record.kind} {record.values.get('type')} {record.values.get('source')}".lower():
        return None
    names = (*_BALANCES, "amount") if record.is_instrument else _BALANCES
    left, beyond = column_amount(record, "", *names), column_amount(record, "", *_BEYOND)
    return None if left is None else left + abs(beyond or 0.0)
