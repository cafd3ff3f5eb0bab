"""What a text for people says: its claims, quotes, promises and private matters, and what of it nobody has said."""

from __future__ import annotations

import re

from supervisor.evidence.relations.atoms import folded
from supervisor.evidence.relations.seen import Features, Seen, stems

CLAIMS = re.compile(
    r"\b(?:has been|have been|was|were|is now|i have|i've|we have|we've|done|completed|confirmed|processed|refunded|cancell?ed|sent|shipped|booked|updated|fixed|resolved|verified|checked|tested|erledigt|habe|wurde|ist jetzt|nous avons|j'ai|a ete|hemos|he |ha sido|abbiamo|ho |e stato|zostal\w*|har |on nyt|olen|foi|fizemos)\b"
)
PROMISES = re.compile(
    r"\b(?:guarantee\w*|promise\w*|will (?:definitely|certainly|never|always)|100 ?%|for life|forever|free of charge|no risk|risk-?free|assure\w*|garantier\w*|garanti\w*|garantiz\w*|gwaran\w*|takaa\w*|definitely|always|never|every|all|best|proven|certainly|completely)\b"
)
PRESSURE = re.compile(
    r"\b(?:last chance|only today|immediately|or else|lose|legal action|lawyer|police|final warning|urgent|act now|must sign|letzte chance|sofort|anwalt|derniere chance|ultima oportunidad|expires? (?:today|tonight)|consequences|otherwise)\b"
)
PRIVATE = re.compile(
    r"\b(?:salar\w*|pay|gehalt|salaire|diagnos\w*|sick\w*|illness|pregnan\w*|disab\w*|medical|health|krank\w*|malad\w*|enferm\w*|divorce|debt\w*|religio\w*|union|criminal|passport|ssn|national id|iban|card|cvv|cvc|password\w*|passwor\w*|passwd|token|api key|secret|pin|birth\w*|dob|home address|address|phone|balance|score|disciplin\w*|dismiss\w*|kundigung|bonus|burnout|therapy|cancer)\b"
)
BIAS = re.compile(
    r"\b(?:young|energetic|native speaker|male|female|gender|race|age|old|wom[ae]n|men|married|children|pregnan\w*|religio\w*|muslim|christian|jew\w*|foreign\w*|nationality|attractive|pretty|appearance|junge?r?|jeune|joven|giovane|mlod\w*|ung)\b"
)
PLACEHOLDER = re.compile(
    r"\[[A-Za-z][^\]\n]{1,30}\]|\{\{[^}]{1,40}\}\}|<[A-Z][A-Z _]{2,}>|\bX{3,}\b|\bTODO\b|\blorem\b|\bTBD\b|\$\{"
)
QUOTED = re.compile(r"[“\"«„]([^”\"»“]{12,400})[”\"»“]")
CARD = re.compile(r"(?<!\d)(?:\d[ -]?){13,19}(?!\d)")


def texts(seen: Seen, found: Features) -> None:
    """Features of the texts among the arguments."""
    slots, have = seen.slots, seen.known
    written = [slot.text for slot in slots if slot.prose]
    whole = "\n".join(written)
    low = folded(whole)
    if not written:
        found["no_text"] += 1
        return
    source = stems(have.task.text[:4000]) | stems("\n".join(have.lines())[:30000])
    mine = stems(whole)
    share = len(mine - source) / max(1, len(mine))
    found["novel.0"] += share < 0.35
    found["novel.1"] += 0.35 <= share < 0.6
    found["novel.2"] += 0.6 <= share < 0.8
    found["novel.3"] += share >= 0.8
    found["long_text"] += len(whole) > 400
    for name, pattern in (
        ("claims", CLAIMS),
        ("promises", PROMISES),
        ("pressure", PRESSURE),
        ("private", PRIVATE),
        ("bias", BIAS),
        ("placeholder", PLACEHOLDER),
    ):
        hits = len(pattern.findall(low if name != "placeholder" else whole))
        found[name] += min(hits, 2)
    known_text = re.sub(r"\W+", " ", folded(have.task.text + "\n" + "\n".join(have.lines())))
    for quote in QUOTED.findall(whole)[:6]:
        plain = re.sub(r"\W+", " ", folded(quote)).strip()
        found["quote.found" if plain in known_text else "quote.new"] += 1
    found["card"] += bool(CARD.search(whole))
    found["hedged"] += bool(
        re.search(
            r"\b(?:not yet|cannot confirm|unclear|unknown|i could not|we could not|please confirm|let me know|would you|could you|can you|bitte bestatigen|will check|checking|not found|no source|unverified|estimate\w*|about|approx\w*|ca\.?|preliminary|draft|\?)",
            low,
        )
    )
