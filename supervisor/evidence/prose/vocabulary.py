"""The content words of a text, in English, German, Spanish and French: without fillers and inflection."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W\d_]+)?")
_FILLERS = {
    "en": "a about after again all also an and any are as at be became because become been before being both but by "
    "can "
    "could did do does during each for from had has have he her here him his how however i if in include included "
    "includes including into is it its itself made make many may me might more most my name named new no not now of on "
    "one only or other our out over own part same several she should since so some such than that the their them then "
    "there these they this those through to two until up upon us used using very was we well were what when where "
    "which "
    "while who whom whose will with within without would you your",
    "de": "aber als am an auch auf aus bei bis da das dass dem den der des die dies diese dieser dieses durch ein eine "
    "einem einen einer eines er es für hat haben hatte ihr ihre im in ist kann mit nach nicht noch nur oder seit sich "
    "sie "
    "sind so über um und unter vom von vor war waren wenn werden wie wird wir wurde wurden zu zum zur zwischen",
    "es": "a al como con cuando de del desde dos el ella en entre era es esta este esto fue fueron ha había hasta la "
    "las "
    "le lo los más me muy no nos o para pero por que se ser si sin sobre son su sus también tiene un una uno y ya",
    "fr": "a à au aux avec ce ces cette dans de des du elle en est et eux il ils la le les leur mais ne nous ou où par "
    "pas plus pour qui que sa se ses son sont sur un une vous été était",
}


def plain(text: str) -> str:
    """Text in lower case without diacritics: `café` and `Cafe` are equal."""
    if text.isascii():
        return text.lower()
    pieces = (unicodedata.normalize("NFKD", text[at : at + 256]) for at in range(0, len(text), 256))
    return "".join(letter for piece in pieces for letter in piece if not unicodedata.combining(letter)).casefold()


FILLERS_OF = {language: frozenset(plain(words).split()) for language, words in _FILLERS.items()}
_ENDING_WORDS = (
    "ations ation ungen ingly ments ciones ung ment ings cion ing ities ity ness iert ieren ados adas ado ada "
    "ies ied ers ors est en er or ed es em os as ly al s e y o a"
)
_ENDINGS = tuple(_ENDING_WORDS.split())
_LONGEST = 40  # letters of a word that are read


def language_of(text: str) -> str:
    """The language whose fillers a text uses most; English if it uses none."""
    words = Counter(plain(word) for word in words_of(text[:8_000]))
    return max(FILLERS_OF, key=lambda language: sum(words[word] for word in FILLERS_OF[language]))


def stem(word: str) -> str:
    """A word without inflection, cut at seven letters."""
    return _forms(word[:_LONGEST])[1]


def content_stems(text: str, language: str) -> frozenset[str]:
    """The stems of the words of a text that are not fillers of the language."""
    fillers = FILLERS_OF[language]
    forms = [_forms(word[:_LONGEST]) for word in set(words_of(text))]
    return frozenset([stemmed for bare, stemmed in forms if bare not in fillers])


@functools.lru_cache(maxsize=32_768)
def _forms(word: str) -> tuple[str, str]:
    """A word as it is compared with fillers, and its stem."""
    bare = plain(word)
    stemmed = bare.partition("'")[0].partition("\u2019")[0]
    for ending in _ENDINGS:
        if len(stemmed) >= len(ending) + 3 and stemmed.endswith(ending):
            stemmed = stemmed[: -len(ending)]
            break
    if len(stemmed) > 3 and stemmed[-1] == stemmed[-2] and stemmed[-1] not in "ls":
        stemmed = stemmed[:-1]
    return bare, stemmed[:7]


def words_of(text: str) -> list[str]:
    """The words of a text as written, without single letters."""
    return [word for word in _WORD.findall(text) if len(word) > 1]


def capital_runs(text: str) -> Iterable[tuple[frozenset[str], str]]:
    """Runs of capitalised words, with fillers between them, and their initial letters."""
    for match in re.finditer(r"\b[A-Z]\w+(?: (?:of|the|for|and|de|del|der|und|für) [A-Z]\w+| [A-Z]\w+){1,6}", text):
        words = [word for word in match[0].split() if word[:1].isupper()]
        yield frozenset(words), "".join(word[0] for word in words)
