"""The sentences that an agent addresses to people, each as the features that small classifiers weigh.

Only the sentence's own statement counts: quotations are left out, a negated word is another word (`!guarant`), figures
are reduced to their sort (`#%`, `#$`, `#`), and words for the same sort of thing are one concept (`@disease`). All
reading is linear in the text, and deterministic on every machine.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, pairwise
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.prose.concepts import CONCEPTS, stem
from supervisor.evidence.prose.passages import sentences

MAX_TEXT = 32_000  # characters of one action's text


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PARTS = {"message": ("subject", "body"), "finish": ("summary",), "ask_user": ("question",), "report": ("text",)}
_REACH = 4  # words after a word that are paired with it
_SCOPE = 6  # words after a negation that it may negate
_MOST_WORDS = 80  # of a sentence
_TOKEN = re.compile(
    r"[$€£¥] ?\d[\d.,]*|\d[\d.,]*(?: ?(?:%|percent|per cent|usd|eur|gbp|dollars?|euros?|pounds?))?"
    r"|[^\W\d_]+(?:'[^\W\d_]+)?|[?!,;:()]"
)
_MONEY = re.compile(r"[$€£¥]|usd|eur|gbp|dollar|euro|pound")
_TAG = re.compile(r"<[/a-zA-Z!][^<>]{0,300}>")
_QUOTED = re.compile(r"“[^“”]{12,600}”|\"[^\"\n]{12,600}\"|«[^«»]{12,600}»|„[^„“”]{12,600}[“”]")
_QUOTED_LINE = re.compile(r"(?m)^ {0,3}>.*$")
_NEGATIONS = frozenset({"not", "never", "no", "cannot", "without", "nor", "neither", "none", "nobody", "nothing"})
_STOPS = frozenset(",;:()?!")
_ENDS_SCOPE = _set("i you we he she it they this that because since so but ; : ( ) ? !")
_SHORT = {"won't": ("will", "not"), "can't": ("can", "not"), "shan't": ("shall", "not"), "ain't": ("is", "not")}
_ENDINGS = {"'m": "am", "'re": "are", "'ll": "will", "'ve": "have", "'d": "would", "'s": ""}
_FILLERS = _set(
    "a an and are as at be been by for from had has have in into is it its of on or so than that the their them then "
    "there these they this those to was were which who with"
)
# Marks of a sentence that reports other people's words, or a possibility.
_FRAMES: Mapping[str, frozenset[str]] = {
    "=condition": _set("if unless whether would could might may perhaps"),
    "=reported": _set(
        "claim claims claimed says said say wrote writes stated alleges alleged allegedly according quote quoted "
        "described reported complaint complained told tells heard read article"
    ),
    "=warned": _set(
        "scam scams scammer scammers phishing beware fraud fraudulent fraudsters suspicious hoax misleading false myth "
        "illegal forbidden prohibited banned violates avoid"
    ),
}
_SIDES = {"@us": _set("i we me us my our ours mine"), "@you": _set("you your yours yourself")}


class Sentence(NamedTuple):
    """A sentence in its original form, and its features."""

    text: str
    features: frozenset[str]


@reader
def sentences_of(action: Action, context: Context) -> tuple[Sentence, ...]:
    """The sentences that an action addresses to people; empty for kinds of action that address nobody.

    Raises Unreadable for more than MAX_TEXT characters.
    """
    texts = [text for part in _PARTS.get(action.kind, ()) if (text := action.text(part))]
    if sum(map(len, texts)) > MAX_TEXT:
        raise Unreadable(f"more than {MAX_TEXT:,} characters in one text")
    return tuple(sentence for text in texts for sentence in phrased(text))


def phrased(text: str, concepts: Mapping[str, str] = CONCEPTS) -> Iterator[Sentence]:
    """The sentences of a text that have words of their own, with their features."""
    plain = _TAG.sub(" ", text)
    own = _QUOTED.sub(" … ", _QUOTED_LINE.sub("", plain))
    if len(own.split()) < 3:  # the whole sentence is in quotation marks, so they do not mark a quotation
        own = plain
    for sentence in sentences(own):
        if found := features(sentence, concepts):
            yield Sentence(sentence.strip(), found)


def features(sentence: str, concepts: Mapping[str, str] = CONCEPTS) -> frozenset[str]:
    """The words of a sentence, adjacent words (`a b`), words near each other (`a~b`), pairs of concepts (`@a&@b`), and
    the frame of the sentence (`=question`)."""
    words = _words(sentence)[:_MOST_WORDS]
    marked = _marked(words, concepts)
    found = set(marked)
    found.update(f"{one} {two}" for one, two in pairwise(marked))
    telling = [word for word in marked if word not in _FILLERS]
    for ahead in range(1, _REACH + 1):
        found.update(f"{one}~{two}" for one, two in zip(telling, telling[ahead:], strict=False))
    plain = frozenset(words)
    sorts = {word for word in marked if word.lstrip("!")[0] in "@#"}
    sorts.update(side for side, names in _SIDES.items() if not plain.isdisjoint(names))
    found.update(f"{one}&{two}" for one, two in combinations(sorted(sorts), 2))
    found.update(frame for frame, marks in _FRAMES.items() if not plain.isdisjoint(marks))
    if "?" in plain:
        found.add("=question")
    return frozenset(found)


def _words(sentence: str) -> list[str]:
    """Words, figures and punctuation, in lower case, with contractions expanded."""
    found: list[str] = []
    for token in _TOKEN.findall(sentence.replace("\u2019", "'").casefold()):
        found += _undone(token) if "'" in token else [token]
    return found


def _undone(token: str) -> Iterable[str]:
    if token in _SHORT:
        return _SHORT[token]
    if token.endswith("n't"):
        return token[:-3], "not"
    word, _, ending = token.partition("'")
    return (word, more) if (more := _ENDINGS.get(f"'{ending}", "")) else (word,)


def _marked(words: Iterable[str], concepts: Mapping[str, str]) -> list[str]:
    """Stems, concepts and sorts of figures; those after a negation are marked."""
    found: list[str] = []
    denied, before = 0, ""
    for word in words:
        if (word in _ENDS_SCOPE and before in _STOPS) or (before in _NEGATIONS and word == ","):
            denied = 0
        before = word
        if word in _STOPS:
            continue
        mark = _sort_of(word) if word[0].isdigit() or word[0] in "$€£¥" else stem(word)
        mark = concepts.get(mark, mark)
        found.append(f"!{mark}" if denied and word not in _FILLERS else mark)
        denied = _SCOPE if word in _NEGATIONS else max(denied - 1, 0)
    return found


@functools.lru_cache(maxsize=1024)
def _sort_of(figure: str) -> str:
    if figure.endswith(("%", "percent", "per cent")):
        return "#%"
    return "#$" if _MONEY.search(figure) else "#"
