# ruff: noqa: E501, RUF001 - patterns of words in many scripts
"""The user's word: whether the user asked for one act on one target.

The user's texts are divided into clauses. A clause asks for acts, only looks ("check", "which could be deleted"), or
forbids ("don't touch prod", "leave X alone", "without restarting"). An act counts as asked for where its verb stands in
a clause that asks, and the target is named there, or beside it as the one thing named ("X is old, delete it"). A name is
not the name of what contains it: `db/orders@monday` does not name `db/orders`, nor `/srv/a/b` the folder `/srv/a`.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

from supervisor.action import Context, strings_in
from supervisor.evidence.changes.verbs import LOOKS, LOOKS_INSIDE, VERBS, Verb
from supervisor.evidence.reading.paths import HOLE

__all__ = [
    "FORBIDS",
    "Clause",
    "Lexicon",
    "Verb",
    "Word",
    "clauses_of",
    "fold",
    "has_name",
    "is_asked",
    "is_asked_on",
    "is_for_trial",
    "is_forbidden",
    "is_mentioned",
    "is_ruled_out",
    "looped",
    "said_by_user",
    "verbs_at",
    "word_on",
    "words_of",
]

_LONGEST = 16 * 1024  # characters of a task that are read
_LONGEST_CLAUSE = 600
_LATEST = 40  # steps in which a question to the user still counts
_MOST_CLAUSES = 400


class Word(IntEnum):
    """What the user's word says of an act on a target."""

    CONTRARY = 0  # forbidden
    SILENT = 1  # not asked for, on this target
    KIND = 2  # asked for on things of this kind, none of which is named
    NAMED = 3  # asked for on this very target


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

    @classmethod
    def of(cls, words: str) -> Lexicon:
        each = words.split()
        inside = tuple(word.replace("_", " ") for word in each if ord(word[0]) > 0x1100 or "_" in word)
        plain = [word for word in each if ord(word[0]) <= 0x1100 and "_" not in word]
        whole = frozenset(word[1:] for word in plain if word[0] == "=")
        return cls(whole, tuple(word for word in plain if word[0] != "="), inside)

    def at(self, text: str, words: Iterable[tuple[int, str]]) -> int:
        """The first place of one of these words in a text; -1 if none."""
        for start, word in words:
            if word in self.whole or word.startswith(self.stems):
                return start
        found = [place for part in self.inside if (place := text.find(part)) >= 0]
        return min(found, default=-1)


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
    r"|\b(?:nicht|niet) (?:mehr|meer)\b|\bne \w+ plus\b|\bya no\b|\bnao e mais\b|\bbeyond\b|\bkeeps? (?:it|them|us|failing|crashing|on)\b"
)
_NAME = re.compile(r"[^\s,;'\"`()]*[\w](?:[-_./@:\d])[^\s,;'\"`()]*")
_PRONOUNS = re.compile(
    r"\b(?:it|them|that|this|those|these|es|sie|ihn|das|diese\w*|le|la|les|ca|lo|los|las|eso|esto|isso|isto|o|a|lo|li|ci|je|to|go|ich|het|die|dat|deze|onu|bunu|его|ее|их|это)\b"
    r"|그것|이것|それ|これ|它|这个|那个"
)
_LIMITS = re.compile(
    r"\b(?:only|just|oldest|newest|latest|failed|failing|error\w*|unused|dangling|stale|old|older|one|single|first|last|closed|evicted|idle"
    r"|nur|einzig\w*|alteste\w*|seulement|erreur|solo|solamente|unic\w*|apenas|so|soltanto|tylko|alleen|sadece|yalnizca|только)\b"
    r"|만\b|だけ|のみ|只|仅|1行|하나"
)
_TRIAL = re.compile(
    r"\b(?:tests?|dev|local|demo|sandbox|scratch|throwaway|lab|drill|rehearsal|staging|qa|playground|fixtures?|lokale?[rsn]?|testdat\w*|schulung\w*|uebung\w*|ubung\w*"
    r"|essai|locale?|teste|testes|prueba|pruebas|ensaio|prova|testow\w*|oefen\w*|testi\w*|harjoitus\w*|deneme|тест\w*|учебн\w*)\b"
    r"|테스트|연습|テスト|検証|测试|演练"
)
# Tests of a program, which are no trial of a system.
_TESTS_OF_CODE = re.compile(
    r"\b(?:unit|integration|e2e|regression|smoke|failing|flaky|broken|green|red|slow|new|missing)[ -]tests?\b"
    r"|\btests? (?:suites?|cases?|files?|runs?|pass\w*|fail\w*|coverage)\b"
)
_ALL = re.compile(
    r"\b(?:all|every\w*|whole|entire|complete\w*|alle\w*|ganze\w*|gesamt\w*|tous|toutes?|tout|entier\w*|todos?|todas?|tutt[oaie]|inter[oa]"
    r"|wszystk\w*|cal[ya]|hele|butun|tum|все|всю|весь)\b|모두|전부|전체|全部|すべて|全て|所有|整个"
)


@functools.lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """A text in lower case without accents."""
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'").replace("ł", "l").replace("ß", "ss"))
    bare = "".join(letter for letter in plain if not "\u0300" <= letter <= "\u036f")
    return unicodedata.normalize("NFC", bare.lower().replace("ı", "i"))


def word_on(
    verbs: Collection[Verb],
    target: str,
    context: Context,
    *,
    whole: bool = False,
    kinds: Collection[str] = (),
    text: str = "",
) -> Word:
    """What the user says of these acts on a target. `kinds` are stems of words for things of its sort; `whole` says
    that the act takes everything of that kind, not one thing. `text` is the text of the action, for a target that only
    running it shows: the request's own names are looked for in it ("drop the snapshots of tank/a")."""
    said = said_by_user(context)
    if not said:
        return Word.SILENT
    names = _names_of(target)
    clauses = clauses_of(said)
    acting = [each for each in clauses if each.asks and not each.verbs.isdisjoint(verbs)]
    if any(each.forbids and _is_contrary(each, names, verbs, target) for each in clauses):
        return Word.CONTRARY
    if not acting:
        return Word.SILENT
    if any(_names_it(each, names, clauses, acting, target) for each in clauses if not each.forbids):
        return Word.NAMED
    if not names and text and _lists(fold(text), acting, clauses):
        return Word.NAMED
    if whole and text and _names_less(fold(text), acting, clauses):
        return Word.SILENT
    limited = whole and not _SELECTS.search(text)
    if limited and any(_LIMITS.search(each.text) and not _ALL.search(each.text) for each in acting):
        return Word.SILENT
    return Word.KIND if _is_of_kind(acting, clauses, kinds, fold(text)) else Word.SILENT


# What picks things by their state or their name.
_SELECTS = re.compile(r"--(?:field-)?selector\b|--filter\b|\bselect\(|\bgrep\b|\bwhere-object\b", re.IGNORECASE)


def is_mentioned(stems: tuple[str, ...], context: Context) -> bool:
    """Whether a clause that does not forbid has a word that begins with one of these stems. A stem of a verb of the
    table stands for the verb in every language, and counts only where the clause asks."""
    said = said_by_user(context)
    if not said:
        return False
    asked, nouns = _meant(stems)
    for each in clauses_of(said):
        if each.forbids:
            continue
        if not each.looks and not each.verbs.isdisjoint(asked):
            return True
        known = nouns if each.looks else stems
        if known and any(word.startswith(known) for word in _WORD.findall(each.text)):
            return True
    return False


def is_asked(verbs: Collection[Verb], context: Context) -> bool:
    """Whether the user asks for one of these acts on anything."""
    return any(each.asks and not each.verbs.isdisjoint(verbs) for each in clauses_of(said_by_user(context)))


def is_for_trial(verbs: Collection[Verb], context: Context) -> bool:
    """Whether the user asks for these acts on something that serves trials alone: "reset the test stack"."""
    clauses = clauses_of(said_by_user(context))
    acting = [each for each in clauses if each.asks and not each.verbs.isdisjoint(verbs)]
    sentences = (_sentence_of(each, clauses).replace("_", " ") for each in acting)
    return bool(acting) and all(_TRIAL.search(_TESTS_OF_CODE.sub("", each)) for each in sentences)


def is_asked_on(verbs: Collection[Verb], name: str, context: Context) -> bool:
    """Whether one clause asks for one of these acts and has this name."""
    names = _names_of(name)
    return any(
        each.asks and not each.verbs.isdisjoint(verbs) and has_name(each.text, names)
        for each in clauses_of(said_by_user(context))
    )


def is_ruled_out(verb: Verb, context: Context) -> bool:
    """Whether a clause forbids an act on what the rest of its sentence is about: "stop (don't delete) the servers"."""
    clauses = clauses_of(said_by_user(context))
    asked = {each.sentence for each in clauses if each.asks and each.verbs and verb not in each.verbs}
    return any(
        each.forbids and verb in each.verbs and each.sentence in asked and len(each.text.split()) < _BARE
        for each in clauses
    )


_BARE = 4  # words of a clause that names nothing itself


def is_forbidden(target: str, context: Context) -> bool:
    """Whether each clause that names a target forbids something."""
    name = fold(target)
    naming = [each.forbids for each in clauses_of(said_by_user(context)) if name in each.text]
    return bool(naming) and all(naming)


@functools.lru_cache(maxsize=256)
def _meant(stems: tuple[str, ...]) -> tuple[frozenset[Verb], tuple[str, ...]]:
    """The acts that a specialist's stems mean, and the stems that are no verbs of the table."""
    asked, nouns = set[Verb](), list[str]()
    for stem in stems:
        deed = next((deed for deed in _FIRST if any(_same(stem, word) for word in _FIRST[deed])), None)
        if deed is not None:
            asked.add(deed)
        if deed is None and stem not in _EITHER:
            nouns.append(stem)
    return frozenset(asked), tuple(nouns)


# The verb that stands for its sort in a specialist's list: only this one brings in the other languages.
_FIRST: dict[Verb, tuple[str, ...]] = {
    Verb.DELETE: ("delete", "remove"),
    Verb.STOP: ("stop", "terminate"),
    Verb.RESTART: ("restart", "reboot"),
    Verb.DEPLOY: ("deploy",),
    Verb.PUBLISH: ("publish",),
    Verb.INSTALL: ("install",),
    Verb.SHARE: ("expose",),
    Verb.GRANT: ("grant",),
    Verb.REVOKE: ("revoke",),
    Verb.ROTATE: ("rotate",),
    Verb.MOVE: ("move", "migrate"),
    Verb.FORMAT: ("format",),
    Verb.SCHEDULE: ("schedule", "cron"),
}
_EITHER = frozenset({"drop", "clean", "clear", "reset", "discard", "wip", "purg", "prun", "destroy"})


def _same(stem: str, word: str) -> bool:
    return len(stem) >= 4 and word.startswith(stem)


def said_by_user(context: Context) -> str:
    """The texts of the user: the task, earlier requests of the same session, and questions that the user affirmed."""
    earlier = context.facts.get("earlier_requests")
    more = [each for each in earlier if isinstance(each, str)] if isinstance(earlier, (list, tuple)) else []
    asked = (step for step in context.history[-_LATEST:] if step.kind == "ask_user" and _YES.match(step.text))
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


def _clause(text: str, sentence: int, before: Clause | None) -> Clause:
    words = words_of(text)
    places = verbs_at(text, words)
    looks_at = _LOOKS.at(text, [each for each in words if not text.startswith("should be ", each[0])])
    forbids = FORBIDS.search(_DESCRIBES.sub(" ", text)) is not None
    looks = looks_at >= 0 and (not places or looks_at <= min(places.values()) or ord(max(text)) > 0x3000)
    if before is not None and not places and looks_at < 0:  # "don't touch prod, staging": the list goes on
        return Clause(text, frozenset(), before.forbids or forbids, before.looks, sentence)
    if before is not None and before.looks and before.verbs and looks_at < 0:  # "a plan to stop A and delete B"
        looks = True
    return Clause(text, frozenset(places), forbids, looks, sentence)


def words_of(text: str) -> list[tuple[int, str]]:
    """The words of a folded text, each with its place."""
    return [(found.start(), found[0]) for found in _WORD.finditer(text)]


def verbs_at(text: str, words: Collection[tuple[int, str]]) -> dict[Verb, int]:
    """The sorts of act that these words of a text request, each with its first place."""
    return {verb: place for verb, lexicon in _VERBS.items() if (place := lexicon.at(text, words)) >= 0}


_LABEL = re.compile(r"^[a-z_]+=~?[\"']?(?=\w)")
_PORT = re.compile(r"(?<=[a-z\d]):\d{2,5}[\"']?$")


@functools.lru_cache(maxsize=512)
def _names_of(target: str) -> tuple[str, ...]:
    """The names by which a user may mean a target: the path and its ends, the name without its ending; of
    `instance=web-1:9100` the host."""
    bare = _PORT.sub("", _LABEL.sub("", fold(target.strip().strip("/~*\"'").removesuffix(".*"))))
    if not bare or HOLE in target or len(bare) < 2:
        return ()
    parts = [part for part in bare.split("/") if part]
    ends = ["/".join(parts[at:]) for at in range(min(len(parts), 12))]
    last = parts[-1]
    stem = last.rpartition(".")[0]
    more = [stem] if len(stem) > 2 and "." in last[1:] and "@" not in last else []
    if "@" in last[2:]:
        more.append(f"{last.partition('@')[0]}@")  # "forward it to ann@"
    return tuple(name for name in dict.fromkeys([*ends, *more]) if len(name) > 1)


def has_name(text: str, names: Iterable[str]) -> bool:
    """Whether a folded text contains one of these names as itself, not as a part of a longer name."""
    return any(_is_whole(text, found, len(name)) for name in names for found in _finds(text, name))


def _has_object(text: str, names: Iterable[str]) -> bool:
    """Whether a text contains one of these names, other than as the place of something that it names besides: "the
    record 'old' in example.org" is about the record."""
    for name in names:
        for at in _finds(text, name):
            if _is_whole(text, at, len(name)) and not (_IN.search(text[:at]) and _QUOTED.search(text[:at])):
                return True
    return False


_IN = re.compile(
    r"\b(?:in|from|within|im|aus|dans|en|em|no|na|nel|nella|dalla|w|z|из|в|uit)\s+(?:the |der |dem |la |le |el |o |a )?[\"'`]?$"
)
_QUOTED = re.compile(r"[\"'`«“][^\"'`»”]{2,80}[\"'`»”]")


def _finds(text: str, name: str) -> Iterator[int]:
    at = text.find(name)
    while at >= 0:
        yield at
        at = text.find(name, at + 1)


def _is_whole(text: str, at: int, length: int) -> bool:
    before, after = text[max(0, at - 2) : at], text[at + length : at + length + 2]
    joined = before[-1:].isascii() and (before[-1:].isalnum() or before[-1:] in ("_", "-", "@"))
    inside = before.endswith("/") and before not in ("./", "~/", "/") and not before[:1].isspace()
    goes_on = after[:1].isascii() and (after[:1].isalnum() or after[:1] in ("_", "-"))
    deeper = after[:1] in ("/", "@", ".") and len(after) > 1 and (after[1].isalnum() or after[1] in "*_")
    return not (joined or inside or goes_on or deeper)


_LONG_NUMBER = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+){0,8}-(\d{4,10})$")  # `shop-pr-1182`, "PR 1182"


def _is_described(text: str, target: str) -> bool:
    """Whether all words of a compound name occur in a text: `vm-114-disk-0`, "the disk of VM 114"."""
    last = fold(target).rpartition("/")[2]
    number = _LONG_NUMBER.search(last)
    if number and re.search(rf"(?<![\w.-]){number[1]}(?![\w-])", text):
        return True
    words = [word for word in re.findall(r"[a-z]+|\d+", last) if len(word) > 1]
    spoken = re.findall(r"[a-z]+|\d+", text)
    return len(words) > 1 and set(words) <= {*spoken, *(word.removesuffix("s") for word in spoken)}


def _names_it(
    clause: Clause, names: Collection[str], clauses: Collection[Clause], acting: Collection[Clause], target: str
) -> bool:
    """Whether this clause names the target for one of the clauses that ask for the act."""
    if not names or not (_has_object(clause.text, names) or _is_described(_text_of(clause, clauses), target)):
        return False
    if clause in acting:
        return True
    return any(_may_mean(each, clause) for each in acting)


_ENCLITIC = re.compile(r"(?<=\w)-(?:le|la|les|lo|los|las|moi|nous|te|toi|en|y|o|os|as)\b")  # "supprime-le"


def _may_mean(acting: Clause, naming: Clause) -> bool:
    """Whether a clause that asks for an act may mean a thing that another clause names: it names nothing itself."""
    if naming.looks and naming.sentence != acting.sentence and not _PRONOUNS.search(acting.text):
        return False
    return not _NAME.search(_ENCLITIC.sub("", acting.text)) or (not naming.verbs and naming.sentence == acting.sentence)


def _sentence_of(clause: Clause, clauses: Iterable[Clause]) -> str:
    return " ".join(each.text for each in clauses if each.sentence == clause.sentence and not each.forbids)


def _text_of(clause: Clause, clauses: Iterable[Clause]) -> str:
    """The sentence of a clause, and those beside it, without what is forbidden."""
    return " ".join(each.text for each in clauses if abs(each.sentence - clause.sentence) < 2 and not each.forbids)


def _is_contrary(clause: Clause, names: Collection[str], verbs: Collection[Verb], target: str) -> bool:
    """Whether a clause forbids the act on this target."""
    if not names or not has_name(clause.text, names):
        return False
    return not clause.verbs or not clause.verbs.isdisjoint(verbs) or not _VERBS_THAT_DIFFER & clause.verbs


_VERBS_THAT_DIFFER = frozenset({Verb.RESTART, Verb.PUSH, Verb.PUBLISH, Verb.SEND, Verb.SHARE, Verb.DEPLOY})


_LOOP = re.compile(r"\bfor \w+ in ([^;\n]{1,600}?)\s*(?:;|\n)\s*do\b")


def looped(text: str) -> list[str]:
    """The values that the first loop of a folded script goes through, where they stand in it."""
    loop = _LOOP.search(text)
    return loop[1].split() if loop and "$" not in loop[1] else []


def _lists(text: str, acting: Iterable[Clause], clauses: Collection[Clause]) -> bool:
    """Whether an action goes through just what the user names: each value of a loop, or what a request names."""
    if values := looped(text):
        return all(any(has_name(each.text, (value,)) for each in clauses if not each.forbids) for value in values)
    names = [name.strip(".:,") for each in acting for name in _NAME.findall(each.text)]
    return bool(names) and all(has_name(text, (name,)) for name in names)


def _names_less(text: str, acting: Iterable[Clause], clauses: Iterable[Clause]) -> bool:
    """Whether a request that has no word for everything names single things, none of which the action names."""
    said = " ".join(_text_of(each, clauses) for each in acting)
    names = [name.strip(".:,") for name in _NAME.findall(said)]
    return bool(names) and not _ALL.search(said) and not any(name.rstrip("/") in text for name in names)


def _is_of_kind(acting: Iterable[Clause], clauses: Iterable[Clause], kinds: Collection[str], text: str) -> bool:
    """Whether the act is asked for on things of a kind, without a thing being named for it that the action lacks. Where
    the action does not show its target, a name in the request may be the target's, or not: that is not asked for
    either."""
    if not kinds:
        return False
    named = [name.strip(".:,") for each in acting for name in _NAME.findall(each.text)]
    if named and not (text and all(_occurs(name, text) for name in named)):
        return False
    return any(_speaks_of(each.text, kind) for each in clauses for kind in kinds if not each.forbids)


def _occurs(name: str, text: str) -> bool:
    """Whether a name of a request is in an action's text; of a span of numbers ("01~04") its ends, and no amount of
    bytes or days is a name."""
    if _AMOUNT.fullmatch(name) or _PREFIXED.match(name) or has_name(text, _names_of(name)) or name.rstrip("/") in text:
        return True
    ends = re.findall(r"\d+", name)
    return not any(letter.isalpha() for letter in name) and all(end in text for end in ends)


_PREFIXED = re.compile(r"(?:re|pre|non|un|co|de|e)-[a-z]+$")  # words, not names
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)?(?:[kmgt]i?b?|st|nd|rd|th|d|h|m|s|x|%)?")


def _speaks_of(text: str, kind: str) -> bool:
    """Whether a text has a word that begins with a stem, or, in a script without spaces, the word itself."""
    stem = fold(kind)
    return any((not stem.isascii() or not text[at - 1 : at].isalnum()) for at in _finds(text, stem))
