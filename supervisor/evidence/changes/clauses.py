# ruff: noqa: E501, RUF001 - patterns of words in many scripts
"""The clauses of the user's texts: what each asks for, only looks at or forbids.

A clause asks for acts, only looks ("check", "which could be deleted"), or forbids ("don't touch prod", "leave X alone",
"without restarting").
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from supervisor.action import Context, strings_in
from supervisor.evidence.changes.verbs import LOOKS, LOOKS_INSIDE, VERBS, Verb
from supervisor.evidence.changes.vietnamese import glossed

__all__ = [
    "FORBIDS",
    "Clause",
    "Lexicon",
    "affirms",
    "clauses_of",
    "fold",
    "is_affirmed",
    "said_by_user",
    "verbs_at",
    "words_of",
]

_LONGEST = 16 * 1024  # characters of a task that are read
_LONGEST_CLAUSE = 600
_LATEST = 40  # steps in which a question to the user still counts
_MOST_CLAUSES = 400


class Clause(NamedTuple):
    text: str  # folded
    verbs: frozenset[Verb]
    forbids: bool
    looks: bool
    sentence: int
    question: bool = False  # the sentence ends with a question mark

    @property
    def asks(self) -> bool:
        return not (self.forbids or self.looks)


class Lexicon(NamedTuple):
    whole: frozenset[str]
    stems: tuple[str, ...]
    inside: tuple[str, ...]
    first: frozenset[str]
    last: frozenset[str]
    parted: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, words: str) -> Lexicon:
        each = words.split()
        within = [word for word in each if ord(word[0]) > 0x1100 or "_" in word or word[0] == "-"]
        marked = {mark: frozenset(word[1:] for word in each if word[0] == mark) for mark in "=^$"}
        parted = [word for word in each if "~" in word]
        stems = tuple(word for word in each if word not in within and word not in parted and word[0] not in marked)
        return cls(
            whole=marked["="],
            stems=stems,
            inside=tuple(word.replace("_", " ") for word in within),
            first=marked["^"],
            last=marked["$"],
            parted=tuple((verb, particle) for verb, _, particle in (word.partition("~") for word in parted)),
        )

    def at(self, text: str, words: Collection[tuple[int, str]]) -> int:
        """The first place of one of these words in a text; -1 if none."""
        for place, (start, word) in enumerate(words):
            if word in self.whole or word.startswith(self.stems):
                return start
            if any(word.startswith(verb) and self._follows(particle, place, words) for verb, particle in self.parted):
                return start
            if word in self.first and _BEGINS.fullmatch(text, 0, start):
                return start
            if word in self.last and not text[start + len(word) :].strip(" .!?)"):
                return start
        found = [place for part in self.inside if (place := text.find(part)) >= 0]
        return min(found, default=-1)

    @staticmethod
    def _follows(particle: str, place: int, words: Collection[tuple[int, str]]) -> bool:
        return any(word == particle for _, word in islice(words, place + 1, place + _PARTED))


_PARTED = 12  # words between a verb and its particle
# What may stand before the verb that begins a request.
_BEGINS = re.compile(
    r"\W*(?:(?:please|pls|bitte|por favor|per favore|prosze|graag|lutfen|and|then|und|dann|et|puis|y|luego|e|poi|depois|i"
    r"|potem|en|och|sedan|ja|sitten|now|jetzt|ahora|agora|ora)\W+)*"
)

_VERBS = {deed: Lexicon.of(words) for deed, words in VERBS.items()}
_LOOKS = Lexicon.of(f"{LOOKS} {LOOKS_INSIDE}")
# An answer that affirms, and how a question for permission begins.
_YES = re.compile(
    r"(?i)\W{0,3}(?:yes|yep|yeah|ok|okay|sure|approved|confirmed|go ahead|please do|do it|ja|jo|joo|kyll[äa]|oui|d.accord|s[íi]|sim|pode"
    r"|claro|dale|va bene|tak|da|да|давай|evet|tamam)\b|\W{0,3}(?:はい|お願い|네|예|응|是|好|可以|同意)"
)
_MAY_I = re.compile(
    r"(?i)\b(?:may|can|could|shall|should) (?:i|we)\b|\b(?:soll|darf|kann) ich\b|\b(?:puis-je|dois-je|puedo|posso|devo|mogę|можно|mag ik)\b"
)
_WORD = re.compile(r"[^\W_][\w-]*")
_BLANKS = re.compile(r"[ \t]{2,}")
_SENTENCES = re.compile(r"([!?\u3002\uff01\uff1f\n;]|\.(?=\s|$))")
_PARTS = re.compile(
    r"[,\uff0c\u3001:](?=\s|[^\x00-\x7f])|\s\((?=\S+\s)|\)(?=\s|[,.;]|$)|\s[-\u2013\u2014]\s|(?<=\S)\s(?:and|but|then|so|because|und|aber|dann|sondern|et|mais|puis|y|pero|luego|e"
    r"|mas|depois|ma|poi|oraz|ale|potem|en|maar|dan|ve|ama|sonra|и|а|но|потом)\s(?=\S)|(?<=\u3066)(?=\s?\S)|\s(?=(?:without|instead of|rather than|except|other than|apart from|ohne|statt|ausser|sans|sauf|au lieu de|sin|salvo|en lugar de|sem|exceto|em vez de|senza|tranne|invece di|bez|oprocz|zonder|behalve|без|кроме)\s)|하고\s|그리고\s|并且|然后|并"
)
FORBIDS = re.compile(
    r"\b(?:do not|don'?t|never|must ?n[o']t|must not|may not|should not|shouldn'?t|cannot|can'?t be|not to|without|avoid"
    r"|refrain|except|other than|apart from|off[- ]limits|untouched|unchanged|read[- ]only|nothing|no need to|hands off"
    r"|instead of|rather than|but not|not the|not yet|nobody|freeze"
    r"|nichts?|kein\w*|ohne|niemals|nie|ausser|finger weg|ne \w+(?: \w+)? (?:pas|jamais|rien)|n'\w+ pas|sans|jamais|sauf|pas de"
    r"|sin|nunca|salvo|excepto|nao|sem|exceto|senza|mai|tranne|nie|bez|nigdy|oprocz|niets?|niente|nulla|niczego|ничего|rien|nada|geen|zonder|nooit|behalve"
    r"|dokunma|silme\w*|degil|haric|asla|sakin|не|без|никогда|кроме)\b"
    r"|^(?:no|non) (?!longer|more)|\b(?:leave|keep|lass|lasse|laisse|garde|deja|conserva|deixa|mantem|lascia|tieni|zostaw|laat|behou\w*|birak|оставь)\b"
    r"|\b(?:must|should|has to|muss|soll) (?:stay|remain|bleiben)\b|(?:指|말|마세요|말아|지 마|않|없이|제외|빼고|ないで|しない|せずに|なしで|以外|残して|不要|别|勿|不得|禁止|除了|保留)"
)
# A description of a state forbids nothing: "it does not start", "is not used".
_DESCRIBES = re.compile(
    r"\b(?:is|are|was|were|does|did|has|have|had|will|would)(?: not|n'?t)\b|\b(?:no longer|not (?:used|needed|ready|running|working|responding))\b"
    r"|\b(?:que|who|which|that|qui|che|ktor\w*|die|der|das) (?:\w+ )?(?:nao|no|non|ne|nie|not|don'?t|doesn'?t|haven'?t|hasn'?t|nicht|niet)\b"
    r"|\b(?:nicht|niet) (?:mehr|meer)\b|\bne \w+ plus\b|\bya no\b|\bja nao\b|\bjuz nie\b|\bnao e mais\b|\bnon \w+ piu\b|\bnao (?:faz falta|e preciso|serve)\b|\bno (?:hace falta|sirve)\b|\bne sert\b|\bbeyond\b|\bkeeps? (?:it|them|us|failing|crashing|on)\b"
    r"|\b(?:don'?t|do not|doesn'?t|does not) (?:\w+ )?(?:need|use|want|have)\b(?=[^.;]{0,80}\b(?:any ?more|any longer)\b)"
    r"|\b(?:nobody|no one) (?:is|was|has|will|can|could|would|uses?|needs?|knows?|works?|else)\b"
    r"|\b(?:on|annual|sick|parental|maternity|paternity|paid|unpaid|family|medical) leave\b|\bleave of absence\b"
    r"|\bleave (?:(?:a|some|your|my|the|inline) )?(?:comments?|notes?|feedback|remarks?|messages?)\b"
    r"|\bkeep (?=(?:only |just |the last )?\d+ (?:hours?|days?|weeks?|months?|years?)\b)"
    r"|\bleave (?:it|them) (?:in|under|at) (?=[/~])|\b(?:before|after|until) (?:the |our |this )?(?:\w+ ){0,3}freeze\b"
    # "without a password", "sin cifrar": how something is
    r"|\b(?:without|ohne|sans|sin|sem|senza|bez|zonder|uten|utan|без)(?: an?| eine?| un| une| uma)?"
    r" (?:passwor\w*|kennwort|mot de passe|contrasena|senha|hasla|wachtwoord|lozenord|парол\w*"
    r"|(?:cifr|encript|chiffr|criptograf|verschlussel|szyfrow|versleutel|encrypt|шифрован)\w*)"
    # "she cannot log in": an inability
    r"|\b(?:cannot|can'?t|can not|couldn'?t|kann (?:sich )?nicht|ne (?:peut|parvient) (?:pas|plus)|no (?:puede|logra)"
    r"|nao consegue|non (?:riesce|puo)|nie (?:moze|moga)(?: sie)?|kan niet|не может|не могут)(?: \w+){0,3}?"
    r" (?:log|login|sign|connect|anmeld\w*|einlogg\w*|verbind\w*|connecter|acceder|entrar|iniciar|ligar|aceder|accedere"
    r"|entrare|collegarsi|zalogowac|polaczyc|wejsc|inloggen|aanmelden|войти|зайти|подключиться)\b"
)


@functools.lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """A text in lower case without accents, its Vietnamese words of requests in English."""
    spelled = glossed(text).replace("\u2019", "'").replace("ł", "l").replace("ß", "ss").replace("đ", "d")
    plain = unicodedata.normalize("NFKD", spelled)
    bare = "".join(letter for letter in plain if not "\u0300" <= letter <= "\u036f")
    return unicodedata.normalize("NFC", bare.lower().replace("ı", "i"))


def affirms(answer: str) -> bool:
    """Whether an answer to a question begins with yes, behind the name of who answers, or ends with a word to go on."""
    answer = _SPEAKER.sub("", answer, count=1)
    return _YES.match(answer) is not None or _GO_ON.search(answer[-_LONGEST_ANSWER:]) is not None


def is_affirmed(line: str, context: Context) -> bool:
    """Whether the user was asked about what an output shows, and answered to go on: the question has two telling words
    of the line."""
    telling = {word for word in _TELLING.findall(fold(line)) if len(word) > 3}
    for step in context.history[-_LATEST:]:
        if step.kind == "ask_user" and affirms(step.text):
            asked = {word for _, text in strings_in(step.args) for word in _TELLING.findall(fold(text))}
            if len(telling & asked) > 1:
                return True
    return False


_TELLING = re.compile(r"[\w.-]+\w")
_GO_ON = re.compile(
    r"(?i)(?<!\bnot )(?<!n't )\b(?:go on|go ahead|proceed|carry on|do it|mach weiter|leg los|vas-y|adelante|procede|avança|pode avançar|procedi|ga door|продолжай)"
    r"(?:,? (?:please|then|now|bitte))?[\s.!]*$"
)
_LONGEST_ANSWER = 200


_SPEAKER = re.compile(r"^\W{0,3}[\w.@-]{1,40}:\s")


def said_by_user(context: Context) -> str:
    """The texts of the user: the task, earlier requests of the same session, and questions that the user affirmed."""
    earlier = context.facts.get("earlier_requests")
    more = [each for each in earlier if isinstance(each, str)] if isinstance(earlier, (list, tuple)) else []
    asked = (step for step in context.history[-_LATEST:] if step.kind == "ask_user" and affirms(step.text))
    affirmed = [f"{_MAY_I.sub('', text)}\n{step.text}" for step in asked for _, text in strings_in(step.args)]
    return "\n".join([*more, *affirmed, context.task or ""])[-_LONGEST:]


@functools.lru_cache(maxsize=64)
def clauses_of(said: str) -> tuple[Clause, ...]:
    """The clauses of a text, with what each asks, forbids or looks at. Cached: all actions of a session share it."""
    found: list[Clause] = []
    for number, (sentence, end) in enumerate(_sentences(_BLANKS.sub(" ", fold(said)))):
        before: Clause | None = None
        outside: Clause | None = None  # of the parenthesis
        for text, parting in _parts(sentence):
            if text.strip() and len(found) < _MOST_CLAUSES:
                before = _clause(text.strip()[:_LONGEST_CLAUSE], number, before)
                found.append(before._replace(question=end in "?\uff1f"))
            if "(" in parting:
                outside = before
            elif ")" in parting:
                before, outside = outside or before, None
    return tuple(found)


def _parts(sentence: str) -> Iterator[tuple[str, str]]:
    """The parts of a sentence, each with what parts it from the next."""
    at = 0
    for parting in _PARTS.finditer(sentence):
        yield sentence[at : parting.start()], parting[0]
        at = parting.end()
    yield sentence[at:], ""


def _sentences(said: str) -> list[tuple[str, str]]:
    """The sentences of a text, each with its end; the last one may have none but a space."""
    parts = [*_SENTENCES.split(said), " "]
    return [*zip(parts[0::2], parts[1::2], strict=True)][:_MOST_CLAUSES]


_PATH = re.compile(r"(?<![\w.~/])~?/[\w.-]+(?:/[\w.*-]+)*")


def _clause(text: str, sentence: int, before: Clause | None) -> Clause:
    spoken = _PATH.sub(lambda path: " " * len(path[0]), without_told(text))  # "/srv/neu" asks for nothing
    words = words_of(spoken)
    places = {**verbs_at(spoken, words), **_phrased(spoken)}
    looks_at = _LOOKS.at(spoken, looking(text, words))
    forbids = FORBIDS.search(_DESCRIBES.sub(" ", text)) is not None
    looks = looks_at >= 0 and (not places or looks_at <= min(places.values()) or ord(max(text)) > 0x3000)
    if before is not None and not places and looks_at < 0:  # "don't touch prod, staging": the list goes on
        return Clause(text, frozenset(), before.forbids or forbids, before.looks, sentence)
    if before is not None and before.looks and before.verbs and looks_at < 0:  # "a plan to stop A and delete B"
        looks = True
    return Clause(text, frozenset(places), forbids, looks, sentence)


# Verbs whose object parts them: "take her address out of the group", "keep 7 days of it".
_TAKES_OUT = re.compile(r"\b(?:take|takes|taking) (?:\S+ ){1,8}?(?:out of|off)\b")
_KEEPS = re.compile(r"\bkeep (?:only |just |the last )?\d+ (?:hours?|days?|weeks?|months?|years?)\b")


def _phrased(text: str) -> dict[Verb, int]:
    """The sorts of act that phrases request, each with its place."""
    found: dict[Verb, int] = {}
    if taken := _TAKES_OUT.search(text):
        found |= dict.fromkeys((Verb.DELETE, Verb.REVOKE), taken.start())
    if kept := _KEEPS.search(text):
        found[Verb.WRITE] = kept.start()
    return found


def without_told(text: str) -> str:
    """A folded text with blanks for looks that it tells of in the past, in scripts without spaces: "확인했다"."""
    return _TOLD.sub(lambda told: " " * len(told[0]), text)


_TOLD = re.compile(
    r"(?:확인|검토|점검|조사|살펴|분석)(?:했|됐|하였|되었|완료| 완료|해 ?(?:봤|두었|뒀))\w*|(?:確認|検証|点検|調査|分析)(?:した|しました|済み?|してあ\w*)"
    r"|(?:检查|查看|确认|分析)(?:过|了|完)"
)


def looking(text: str, words: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The words of a text that may ask to look: not those of "should be deleted", nor those of "plane … ein", which
    schedules something, nor the "que" within "lo que tiene", nor the noun of what was found: "helm list shows"."""
    schedules = bool(words) and words[-1][1] == "ein"
    return [
        (at, word)
        for at, word in words
        if not text.startswith("should be ", at)
        and not (schedules and word.startswith("plan"))
        and not (at and word == "que")
        and not (at and _FOUND.match(text, at + len(word)))
    ]


# What an output does, behind its noun.
_FOUND = re.compile(
    r" (?:shows|showed|says|said|found|finds|reports|reported|has|had|contains|lists|gives|gave|flags|flagged)\b"
)


def words_of(text: str) -> list[tuple[int, str]]:
    """The words of a folded text, each with its place."""
    return [(found.start(), found[0]) for found in _WORD.finditer(text)]


def verbs_at(text: str, words: Collection[tuple[int, str]]) -> dict[Verb, int]:
    """The sorts of act that these words of a text request, each with its first place."""
    return {verb: place for verb, lexicon in _VERBS.items() if (place := lexicon.at(text, words)) >= 0}
