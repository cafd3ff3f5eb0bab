"""Makes a payment that this session has made already: same payee, same amount, same purpose."""

from supervisor.evidence.session.spending import amount_of, made_before
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, Refusal, block, ok, refuse, specialist

_AGAIN = Pattern(
    r"(?i)\b(again|twice|two|both|three|four|each|every|second|another|once more|repeat\w*|split|instal?ments?|times|"
    r"\d+ ?x|x ?\d+|noch ?mal|zwei\w*|deux|encore|dos|otra vez|due volte)\b"
)


@specialist("payment", needs_past=True)
def duplicate_payment(action: Action, context: Context) -> Opinion:
    payee = str(action.get("payee") or "").strip()
    if not payee:
        return refuse("it names no payee")
    amount = amount_of(action, "")
    if isinstance(amount, Refusal):
        return amount
    if not made_before(action, context, payee, amount):
        return ok()
    if context.task is None or _AGAIN.search(context.task[:16_384]):
        return ok(0.5)
    return block(f"{amount:,.2f} has been paid to {payee} for the same purpose in this session.", evidence=(payee,))
