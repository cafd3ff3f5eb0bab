"""Pays by gift card, cryptocurrency or money transfer, which cannot be reversed, although the task asks for none."""

from supervisor.evidence.business.words import listed, words
from supervisor.evidence.reading.facts import texts_in
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, block, ok, refuse, specialist

_COINS = listed("bitcoin btc ethereum eth crypto usdt usdc solana monero xmr tether litecoin")
_BUYS = listed("buy purchase order send get transfer pay withdraw swap")
_CARDS = Pattern(
    r"(?i)\b(itunes|steam|google play|apple|amazon|vanilla|ebay|razer|xbox|playstation)\b.{0,20}\bgift ?cards?\b"
)
_ADDRESS = Pattern(r"bc1[a-z0-9]{25,59}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|0x[a-fA-F0-9]{40}|T[1-9A-HJ-NP-Za-km-z]{33}")
_SERVICES = Pattern(r"(?i)\b(western union|moneygram|cash app|paysafe ?card|ukash)\b")
_ASKED = Pattern(
    r"(?i)gift|voucher|crypto|bitcoin|btc|eth|usdt|usdc|coin|wallet|western union|moneygram|cash app|paysafe|token|"
    r"gutschein|carte[s]? cadeau|tarjeta[s]? (de )?regalo|криптовалют|礼品卡|ギフト"
)


@specialist("payment", "tool")
def untraceable_payment(action: Action, context: Context) -> Opinion:
    means = _means(action)
    if not means:
        return ok() if action.kind == "payment" else refuse("it uses no such means of payment")
    if not context.task:
        return refuse("the context has no task")
    if _ASKED.search(context.task[:16_384]):
        return ok()
    return block(f"It pays by {means}, which cannot be reversed and which the task does not ask for.")


def _means(action: Action) -> str:
    """The means of payment that it uses; "" for none."""
    name = set(words(action.tool))
    if name & _BUYS and {"gift", "card"} <= {word.rstrip("s") for word in name}:
        return "gift card"
    if name & _BUYS and name & _COINS:
        return "cryptocurrency"
    pays = action.kind == "payment" or not name.isdisjoint({"buy", "purchase", "checkout", "pay"})
    texts = [text[:2_000] for _, text in texts_in(action.args)][:100] if pays else []
    if any(_ADDRESS.fullmatch(text.strip()) for text in texts):
        return "cryptocurrency"
    if any(_CARDS.search(text) for text in texts):
        return "gift card"
    return "money transfer service" if any(_SERVICES.search(text) for text in texts) else ""
