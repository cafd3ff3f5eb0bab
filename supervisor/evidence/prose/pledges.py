"""What an agent promises after a refusal: not to do it again, or to do it in another way.

Only what the speaker says of himself counts: a question, a condition, a quotation and what somebody else is to do are
no promises.
"""

from __future__ import annotations

import re
from itertools import islice

from supervisor.evidence.prose.passages import sentences
from supervisor.memory import Pledge, cut

_MOST_SENTENCES = 60
_LONGEST = 400  # characters of a sentence
_MOST_WORDS = 12
_QUOTED = re.compile(r"“[^“”]{1,300}”|\"[^\"\n]{1,300}\"")
_REPORTED = re.compile(r"\b(?:said|says|wrote|writes|told|asked|asks|promised|claims?|according)\b")
_OPEN = re.compile(
    r"\?\s*$|\b(?:if|unless|whether|should i|shall i|may i|can i|could i|would you|might|maybe|perhaps)\b"
)
_NEVER = re.compile(
    r"\b(?:i|we)\b[^.;]{0,20}?\b(?:won't|will not|will never|'ll never|shall not|shan't|not going to|never going to|"
    r"promise not to|promise never to|stop)\b"
)
_LASTING = re.compile(r"\b(?:again|anymore|any more|any longer|from now on|in (?:the )?future|going forward|never)\b")
_WILL = re.compile(r"\b(?:i'll|i will|i shall|i'm going to|i am going to|let me|we'll|we will|we're going to)\b")
_INSTEAD = re.compile(r"\b(?:instead(?: of)?|rather than)\b")
_WORD = re.compile(r"[a-z0-9][\w.@/-]{2,60}")
_FILLERS = frozenset(
    "the and for with that this these those use using used run running work try instead rather than will going let "
    "now then them they from into onto only our your its it's what which directly first next same one not i'll i'm "
    "i've make take sorry understood apologies thanks".split()
)


def pledge_in(text: str, at: float) -> Pledge | None:
    """The first promise of a text, made at a time in seconds since the epoch; None if it has none."""
    for sentence in islice(sentences(text), _MOST_SENTENCES):
        found = _of_sentence(sentence[:_LONGEST], at)
        if found is not None:
            return found
    return None


def _of_sentence(sentence: str, at: float) -> Pledge | None:
    said = " ".join(_QUOTED.sub(" ", sentence).replace("’", "'").replace("`", "").split()).casefold()
    if said.startswith(">") or _OPEN.search(said) or _REPORTED.search(said):
        return None
    if _NEVER.search(said) and _LASTING.search(said):
        return Pledge(cut(sentence), at)
    will, instead = _WILL.search(said), _INSTEAD.search(said)
    if will is None or instead is None:
        return None
    dropped: tuple[str, ...] = ()
    other = said[will.end() :]
    if instead[0] != "instead":
        after = said[instead.end() :].partition(",")[0]
        dropped = _words(after)
        other = other.partition(instead[0])[0] if instead.start() > will.start() else other
    words = tuple(each for each in _words(other) if each not in dropped)
    return Pledge(cut(sentence), at, "instead", words, dropped) if words else None


def _words(text: str) -> tuple[str, ...]:
    found = (word.rstrip("./-") for word in _WORD.findall(text))
    return tuple(dict.fromkeys(word for word in found if word not in _FILLERS))[:_MOST_WORDS]
