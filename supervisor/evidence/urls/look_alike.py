"""Which known site a host imitates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from supervisor.evidence.urls import host_of, is_address
from supervisor.evidence.urls.sites import registrable_domain

# Pairs of an impostor and the letter that it resembles: Cyrillic, Greek, Latin and digits, the usual ones of Unicode
# TR 39. `1`, `l` and `|` are all folded to `i`, on both sides of every comparison.
_IMPOSTORS = "аaеeоoрpсcуyхxіiјjѕsԁdһhкkмmтtвbнhгrпnԛqԝwьbιiοoαaνvρpτtυuκkεeηnɑaɡgıiłiøoßs0o1ili|i3e5s"
_DRAWN_AS = str.maketrans(_IMPOSTORS[::2], _IMPOSTORS[1::2])
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))

# Words that phishing adds to a name to look genuine.
_BAIT = re.compile(
    r"log-?in|log-?on|sign-?in|secured?|security|accounts?|verify|verification|verified|auth|support|updates?|alerts?"
    r"|billing|payments?|wallet|unlock|recover|recovery|confirm|confirmation|refunds?"
)
_LEAST_NAME = 4  # characters; shorter names resemble too many others


def look_alike(url_or_host: str, known: Iterable[str]) -> str | None:
    """The known domain that this host imitates, or None.

    Imitation is: the name written with look-alike letters; a difference of one letter, two in long names; the name with
    a word like "login" or "secure"; the whole known domain at the front of another host. The same name under another
    suffix is not, because companies own several.
    """
    host, domain = host_of(url_or_host), registrable_domain(url_or_host)
    if host is None or domain is None or is_address(host):
        return None
    others = [other for other in map(registrable_domain, known) if other is not None and not is_address(other)]
    if domain in others:
        return None
    return next((other for other in others if _imitates(host, domain, other)), None)


def _imitates(host: str, domain: str, known: str) -> bool:
    label, name = _label(domain), _label(known)
    if label == name or len(name) < _LEAST_NAME:
        return False
    if f".{known}." in f".{host}" or f".{known}-" in f".{host}":
        return True
    slips = 0 if len(name) < 5 else 1 if len(name) < 9 else 2
    return _drawn(label) == _drawn(name) or edits(label, name) <= slips or _baits(label, name)


def _label(domain: str) -> str:
    """The registered name without its suffix, as a browser displays it (Punycode decoded, RFC 3492)."""
    label = domain.partition(".")[0]
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def _drawn(label: str) -> str:
    """A label with every letter replaced by the one that it resembles."""
    for pair, letter in _PAIRS:
        label = label.replace(pair, letter)
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", label) if not unicodedata.combining(letter))
    return plain.translate(_DRAWN_AS)


def _baits(label: str, name: str) -> bool:
    """Whether a label is the name, in its own or look-alike letters, with a word that phishing uses."""
    for whole, part in ((label, name), (_drawn(label), _drawn(name))):
        before, found, after = whole.partition(part)
        rest = f"{before}-{after}" if found else ""
        if any(_BAIT.fullmatch(word) for word in (rest.strip("-"), *rest.split("-")) if word):
            return True
    return False


def edits(one: str, other: str) -> int:
    """The number of insertions, deletions, changes and swaps of adjacent letters (optimal string alignment)."""
    older: list[int] = []
    old = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            cost = min(old[j] + 1, row[j - 1] + 1, old[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        older, old = old, row
    return old[-1]
