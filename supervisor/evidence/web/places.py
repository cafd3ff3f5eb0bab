"""Countries and regions in rules about users."""

from __future__ import annotations

import re

_SPELLINGS = {
    "us": "the us|usa|u.s.|u.s.a.|united states|united states of america|america|american",
    "uk": "uk|u.k.|gb|united kingdom|great britain|britain|british|england",
    "ca": "canada|canadian",
    "au": "australia|australian",
    "nz": "new zealand",
    "de": "germany|german|deutschland",
    "fr": "france|french",
    "es": "spain|spanish|españa",
    "it": "italy|italian",
    "nl": "netherlands|dutch|holland",
    "be": "belgium|belgian",
    "at": "austria|austrian",
    "ch": "switzerland|swiss",
    "se": "sweden|swedish",
    "no": "norway|norwegian",
    "dk": "denmark|danish",
    "fi": "finland|finnish",
    "pl": "poland|polish",
    "pt": "portugal|portuguese",
    "ie": "ireland|irish",
    "gr": "greece|greek",
    "cz": "czechia|czech republic",
    "hu": "hungary|hungarian",
    "ro": "romania|romanian",
    "bg": "bulgaria|bulgarian",
    "hr": "croatia|croatian",
    "in": "india|indian",
    "cn": "china|chinese",
    "jp": "japan|japanese",
    "kr": "south korea|korea korean",
    "br": "brazil|brazilian",
    "mx": "mexico|mexican",
    "ru": "russia|russian",
    "tr": "turkey|turkish|türkiye",
    "za": "south africa",
    "ae": "uae|united arab emirates",
    "sg": "singapore",
    "il": "israel|israeli",
    "ua": "ukraine|ukrainian",
    "ir": "iran|iranian",
    "kp": "north korea",
    "cu": "cuba|cuban",
    "sy": "syria|syrian",
}
_EU_WORDS = "de fr es it nl be at se dk fi pl pt ie gr cz hu ro bg hr"
_EU = frozenset(_EU_WORDS.split())
_GROUPS = {"eu": _EU, "eea": _EU | {"no"}, "european union": _EU, "north america": frozenset(("us", "ca", "mx"))}
_IN_WORDS = re.compile(
    r"\b(?:countr(?:y|ies)|regions?|states?|territor(?:y|ies)|jurisdictions?|residents?|residing|resident|citizens?|"
    r"nationals?|domestic|foreign(?:ers?)?|international|abroad|located|living|live|based|outside)\b"
)


_CODES = {name: code for code, spelled in _SPELLINGS.items() for name in spelled.split("|")}
_ANY = re.compile(
    rf"(?<![\w.])(?:{'|'.join(sorted(map(re.escape, [*_CODES, *_GROUPS]), key=len, reverse=True))})(?![\w])"
)


def are_places(phrase: str) -> bool:
    """Whether a phrase in lower case is about a person's location or origin."""
    return bool(_IN_WORDS.search(phrase)) or bool(places_in(phrase))


def places_in(phrase: str) -> frozenset[str]:
    """The codes of the countries that a phrase names, one by one or as a union of countries."""
    found: set[str] = set()
    for match in _ANY.finditer(phrase):
        found |= _GROUPS.get(match[0], frozenset((_CODES.get(match[0], ""),)))
    return frozenset(found)


def place_of(value: str) -> str:
    """The code of the country in a profile; an unknown name is returned in lower case."""
    name = value.strip().lower()
    return _CODES.get(name, name)
