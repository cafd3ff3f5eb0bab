"""Promises a customer a share, a sum or a deadline that stands in no source of the deployment."""

import re

from supervisor.evidence.business.amounts import Money, sums_in
from supervisor.evidence.business.sentences import POLICY_FACTS, policy_text
from supervisor.evidence.facts import texts_in
from supervisor.evidence.recipients import body_of
from supervisor.evidence.utterances import recent
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_MOST = 64 * 1024  # characters of the facts that are read
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_PROMISES = Pattern(
    r"(?i)\b(our polic(y|ies)|we (offer|will|can|guarantee)|we'll"
    r"|i(?:'ll| will| can) (give|offer|refund|credit|apply|grant)"
    r"|you(?:'ll| will| can) (get|receive|claim|apply|return|be)|you(?:'re| are) (entitled|eligible)|guarantee\w*)\b"
)
_SHARE = Pattern(r"(\d{1,3}(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)")
_DEADLINE = Pattern(
    r"(?i)\b(?:within|up to|for|in|at least)\s(?:the (?:first|next) )?(\d{1,3})[ -]?"
    r"(days?|hours?|weeks?|months?|years?)\b"
)
_COMPENSATION = Pattern(r"(?i)\b(credit|voucher|compensat\w*|goodwill|discount|coupon|certificate|bonus|cashback)\b")


@specialist("message", "finish", "ask_user", needs_facts=POLICY_FACTS)
def promise_without_source(action: Action, context: Context) -> Opinion:
    """Sources are the facts, the task and what tools returned; without a written policy nothing is known."""
    if not policy_text(context.facts).strip():
        return refuse("no written policy is known")
    text = body_of(action) if action.kind == "message" else action.text("summary") or action.text("question")
    promises = [sentence for sentence in _SENTENCE.split(text[:_MOST])[:500] if _PROMISES.search(sentence)]
    if not promises:
        return ok()
    source = _sources(context)
    for sentence in promises:
        invented = _invented(sentence, source)
        if invented:
            return nudge(
                f"It promises {invented}, which stands in no source: {sentence.strip()[:200]!r}",
                correction="Promise only what the policy says, in its own figures; say that you will find out what you "
                "do not know.",
                evidence=(invented,),
            )
    return ok()


def _sources(context: Context) -> str:
    facts = "\n".join(text for _, text in texts_in(context.facts))[: 4 * _MOST]
    told = "\n".join(each.text for each in recent(context))[: 4 * _MOST]
    return f"{context.task or ''}\n{facts}\n{told}".lower()


def _invented(sentence: str, source: str) -> str:
    """The first figure of a promise that no source has; "" where all have one."""
    for share in _SHARE.finditer(sentence):
        if not re.search(rf"(?<![\d.]){re.escape(share[1])}(\.0+)?\s?(%|per ?cent)", source):
            return share[0]
    for deadline in _DEADLINE.finditer(sentence):
        if not re.search(rf"(?<!\d){deadline[1]}(?!\d)", source):
            return deadline[0]
    if _COMPENSATION.search(sentence):
        known = {each.amount for each in sums_in(source)}
        return next((str(each) for each in sums_in(sentence) if not _is_known(each, known, source)), "")
    return ""


def _is_known(money: Money, known: set[float], source: str) -> bool:
    return money.amount in known or re.search(rf"(?<![\d.]){re.escape(f'{money.amount:g}')}(?!\d)", source) is not None
