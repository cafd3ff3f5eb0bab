"""Whether a sentence affirms, denies, limits or generalises: what a summary must preserve. English, German, Spanish."""

from __future__ import annotations

import re

from supervisor.evidence.prose.vocabulary import plain, stem, words_of

_DENIES = re.compile(
    r"(?i)\b(?:not|no|never|cannot|neither|nor|none|without|nobody|nothing|hardly|failed to|nicht|kein\w{0,2}|niemals"
    r"|nie"
    r"|ohne|nunca|jamás|ningún|ninguna|sin)\b|n['\u2019]t\b"
)
_LIMITS = re.compile(
    r"(?i)\b(?:some|may|might|could|can|suggests?|suggested|possibly|perhaps|probably|likely|often|sometimes|many|most|several"
    r"|few|a number of|associated|linked|correlat\w+|preliminary|partly|partially|appears?|seems?|in mice|in rats"
    r"|pilot|tend\w*"
    r"|einige|manche|könnten?|vielleicht|möglicherweise|teilweise|oft|meisten|algunos|algunas|puede|pueden|podría\w*"
    r"|sugiere\w*|quizás?|a veces|muchos|parcialmente)\b"
)
_GENERALISES = re.compile(
    r"(?i)\b(?:all|always|every|everyone|everybody|never|none|proves?|proved|proven|guarantees?|guaranteed|cures?|cured"
    r"|completely|entirely|definitely|certainly|universally|invariably|100 ?(?:%|percent)|alle[nrs]?|immer|jede[rns]?"
    r"|beweis\w*"
    r"|garantiert|vollständig|ausnahmslos|todos|todas|siempre|prueba que|demuestra|garantiza|completamente)\b"
)
_OPPOSITES = (
    "increase rise rose grew gain climb up|decrease fall fell shrank loss decline down drop",
    "approve accept pass adopt|reject refuse fail deny",
    "win won|lose lost",
    "higher more above exceed|lower less fewer below",
    "allow permit|prohibit forbid ban",
    "open|close shut",
    "safe|unsafe dangerous",
    "guilty convict|innocent acquit",
    "confirm|deny contradict",
    "support favor favour|oppose",
    "profit|deficit",
    "positive|negative",
    "before|after",
    "improve|worsen",
    "legal|illegal",
    "effective|ineffective",
    "success succeed|fail failure",
)
_SIDES = tuple(tuple(frozenset(stem(word) for word in side.split()) for side in pair.split("|")) for pair in _OPPOSITES)
_CLAUSE = re.compile(r"[,;:—–]\s+|\s+(?:but|although|though|while|whereas|however|aber|obwohl|pero|aunque)\s+")


def clauses_of(sentence: str) -> list[str]:
    """The sentence itself and its clauses."""
    parts = [part for part in _CLAUSE.split(sentence) if len(part.split()) > 2]
    return [sentence, *parts] if len(parts) > 1 else [sentence]


def denies(sentence: str) -> bool:
    """Whether a sentence is negated: an odd number of negations."""
    return len(_DENIES.findall(sentence)) % 2 == 1


def limits(sentence: str) -> str:
    """The first word of a sentence that limits its claim; empty if there is none."""
    found = _LIMITS.search(sentence)
    return found[0] if found else ""


def generalises(sentence: str) -> str:
    """The first word of a sentence that generalises its claim; empty if there is none."""
    found = _GENERALISES.search(sentence)
    return found[0] if found else ""


def opposed(claim: str, source: str) -> tuple[str, str] | None:
    """A word of the claim and its opposite in the source, if neither text has both; else None."""
    ours = {stem(word): word for word in words_of(plain(claim))}
    theirs = {stem(word): word for word in words_of(plain(source))}
    for one, other in _SIDES:
        for side, counter in ((one, other), (other, one)):
            mine, countered = side & ours.keys(), counter & theirs.keys()
            if mine and countered and not side & theirs.keys() and not counter & ours.keys():
                return ours[min(mine)], theirs[min(countered)]
    return None
