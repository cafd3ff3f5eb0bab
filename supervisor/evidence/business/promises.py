"""Figures in promises that no source contains: a share, a deadline or a sum that only the agent has named.

Sources are the facts, the task and the outputs of tools. Without a written policy, no figure can be missing from it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import re2

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.business.amounts import Money, sums_in
from supervisor.evidence.business.sentences import policy_text
from supervisor.evidence.provenance.utterances import recent
from supervisor.evidence.reading.facts import texts_in
from supervisor.evidence.session.recipients import body_of

_MOST = 64 * 1024  # characters of the facts that are read
_MOST_SENTENCES = 500
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_PROMISES = re2.compile(
    r"(?i)\b(our polic(y|ies)|we (offer|will|can|guarantee)|we'll"
    r"|i(?:'ll| will| can) (give|offer|refund|credit|apply|grant)"
    r"|you(?:'ll| will| can) (get|receive|claim|apply|return|be)|you(?:'re| are) (entitled|eligible)|guarantee\w*)\b"
)
_SHARE = re2.compile(r"(\d{1,3}(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)")
_DEADLINE = re2.compile(
    r"(?i)\b(?:within|up to|for|in|at least)\s(?:the (?:first|next) )?(\d{1,3})[ -]?"
    r"(days?|hours?|weeks?|months?|years?)\b"
)
_COMPENSATION = re2.compile(
    r"(?i)\b(credit|voucher|compensat\w*|goodwill|discount|coupon|certificate|bonus|cashback)\b"
)


class Invented(NamedTuple):
    """A sentence that promises something, and the figure in it that no source contains."""

    sentence: str
    figure: str


@reader
def invented(action: Action, context: Context) -> Invented | None:
    """The first promise of an action with a figure that no source contains; None without a written policy."""
    if not policy_text(context.facts).strip():
        return None
    text = body_of(action) if action.kind == "message" else action.text("summary") or action.text("question")
    sentences = _SENTENCE.split(text[:_MOST])[:_MOST_SENTENCES]
    promises = [sentence for sentence in sentences if _PROMISES.search(sentence)]
    source = _sources(context) if promises else ""
    found = ((sentence.strip(), _unknown(sentence, source)) for sentence in promises)
    return next((Invented(sentence, figure) for sentence, figure in found if figure), None)


def _sources(context: Context) -> str:
    facts = "\n".join(text for _, text in texts_in(context.facts))[: 4 * _MOST]
    outputs = "\n".join(each.text for each in recent(context))[: 4 * _MOST]
    return f"{context.task or ''}\n{facts}\n{outputs}".lower()


def _unknown(sentence: str, source: str) -> str:
    """The first figure of a promise that the sources lack; "" if they have all."""
    for share in _SHARE.finditer(sentence):
        if not re.search(rf"(?<![\d.]){re.escape(share[1])}(\.0+)?\s?(%|per ?cent)", source):
            return str(share[0])
    for deadline in _DEADLINE.finditer(sentence):
        if not re.search(rf"(?<!\d){deadline[1]}(?!\d)", source):
            return str(deadline[0])
    if _COMPENSATION.search(sentence):
        known = {each.amount for each in sums_in(source)}
        return next((str(each) for each in sums_in(sentence) if not _is_known(each, known, source)), "")
    return ""


def _is_known(money: Money, known: set[float], source: str) -> bool:
    return money.amount in known or re.search(rf"(?<![\d.]){re.escape(f'{money.amount:g}')}(?!\d)", source) is not None
