"""Whether a message advertises something for sale, rather than concerning a customer's own business."""

from __future__ import annotations

import re2

_MOST = 64 * 1024  # characters that are read
_SIGNS = (
    r"\b(?:special|exclusive|limited[- ]time|introductory|best|new) (?:offers?|deals?|prices?|discounts?)\b",
    r"\b(?:save|get|take|enjoy) (?:up to )?\d{1,2} ?%",
    r"\b\d{1,2} ?% (?:off|discount|rabatt|de descuento|de r[ée]duction)\b",
    r"\b(?:buy|order|shop|book|upgrade|subscribe|sign up|register) (?:now|today|here)\b",
    r"\b(?:newsletter|promo(?:tion|tional)?s?|coupon|flash sale|clearance|black friday|cyber monday)\b",
    r"\b(?:don't miss|hurry|last chance|while (?:stocks|supplies) last|act now)\b",
    r"\b(?:angebot|jetzt kaufen|jetzt sichern|oferta|promoci[oó]n|compra ahora|offre (?:sp[ée]ciale|exclusive))\b",
    r"\b(?:book a demo|free trial|schedule a (?:quick )?(?:call|demo)|learn more about our)\b",
)
_OFFERS = re2.compile("(?i)" + "|".join(_SIGNS))


def is_offer(text: str) -> bool:
    """Whether a text has the phrases of advertisements in English, German, Spanish or French."""
    return bool(_OFFERS.search(text[:_MOST]))
