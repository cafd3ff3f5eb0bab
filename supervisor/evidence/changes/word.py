# ruff: noqa: RUF001 - patterns of words in many scripts
"""The user's word: whether the user asked for one act on one target.

An act counts as asked for where its verb stands in a clause that asks, and the target is named there, or beside it as
the one thing named ("X is old, delete it").
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable
from enum import IntEnum

from supervisor.action import Context
from supervisor.evidence.changes.clauses import Clause, clauses_of, fold, said_by_user, words_of
from supervisor.evidence.changes.names import (
    has_name,
    has_object,
    is_covered,
    is_described,
    is_place,
    looped,
    names_of,
    places_of,
)
from supervisor.evidence.changes.shown import aliases, is_in_cited_record, lines_of_cited, stand_ins
from supervisor.evidence.changes.verbs import Verb

__all__ = [
    "Word",
    "is_asked",
    "is_asked_on",
    "is_for_trial",
    "is_forbidden",
    "is_listed_by_user",
    "is_mentioned",
    "is_ordered_in_cited",
    "is_ruled_out",
    "names_said",
    "word_on",
]


class Word(IntEnum):
    """What the user's word says of an act on a target."""

    CONTRARY = 0  # forbidden
    SILENT = 1  # not asked for, on this target
    KIND = 2  # asked for on things of this kind, none of which is named
    NAMED = 3  # asked for on this very target


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
    r"|essai|locale?|teste|testes|prueba|pruebas|ensaio|prova|testow\w*|oefen\w*|testi\w*|harjoitus\w*|deneme|тест\w*|учебн\w*"
    r"|ephemer\w*|efimer\w*|effimer\w*|efemer\w*|fluchtig\w*|wegwerf\w*|throw-?away|disposable|jetable|desechable"
    r"|descartavel|usa e getta"
    r"|previews?|review apps?"
    r"|jednorazow\w*|wegwerp\w*|einweg\w*|kertakaytto\w*|эфемерн\w*|одноразов\w*|локальн\w*|yerel|lokaln\w*|paikalli\w*)\b"
    r"|테스트|연습|로컬|일회용|テスト|検証|ローカル|使い捨て|测试|演练|本地|一次性"
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


def word_on(
    verbs: Collection[Verb],
    target: str,
    context: Context,
    *,
    whole: bool = False,
    kinds: Collection[str] = (),
    text: str = "",
    spoken: Collection[str] = (),
) -> Word:
    """What the user says of these acts on a target. `kinds` are stems of words for things of its sort; `whole` says
    that the act takes everything of that kind, not one thing. `text` is the text of the action, for a target that only
    running it shows: the request's own names are looked for in it ("drop the snapshots of tank/a"). `spoken` are the
    command's own words for the act: who says "unregister" or "pausa" asks for `unregister` and `pause`."""
    said = said_by_user(context)
    if not said:
        return Word.SILENT
    names = names_of(target)
    clauses = clauses_of(said)
    echoes = tuple(fold(word)[: max(_STEM, len(word) - 2)] for word in spoken if len(word) > _STEM)
    acting = [
        each
        for each in clauses
        if each.asks and (not each.verbs.isdisjoint(verbs) or (echoes and _has_beginning(each.text, echoes)))
    ]
    if any(each.forbids and _is_contrary(each, names, verbs, target) for each in clauses):
        return Word.CONTRARY
    if names and is_ordered_in_cited(verbs, target, context, echoes):
        return Word.NAMED
    if not acting:
        return Word.SILENT
    naming = [each.text for each in clauses if has_name(each.text, names)] if whole else []
    only_place = bool(naming) and all(is_place(each, names) for each in naming)
    if not only_place and any(_names_it(each, names, clauses, acting, target) for each in clauses if not each.forbids):
        return Word.NAMED
    if names and is_in_cited_record(target, context):
        return Word.NAMED
    if not names and text and _lists(fold(text), acting, clauses, context):
        return Word.NAMED
    if whole and text and _names_less(fold(text), acting, clauses, kinds):
        return Word.SILENT
    limited = whole and not _SELECTS.search(text)
    if limited and any(_LIMITS.search(each.text) and not _ALL.search(each.text) for each in acting):
        return Word.SILENT
    return Word.KIND if _is_of_kind(acting, clauses, kinds, fold(text)) else Word.SILENT


def is_ordered_in_cited(verbs: Collection[Verb], target: str, context: Context, echoes: tuple[str, ...] = ()) -> bool:
    """Whether a document whose steps the user wants carried out orders the act on the target, in a line that forbids
    nothing. What the request forbids is settled before."""
    names = names_of(target)
    if not names:
        return False
    for line in lines_of_cited(context):
        if not has_name(fold(line), names):
            continue
        for each in clauses_of(line):
            is_act = not each.verbs.isdisjoint(verbs) or (echoes and _has_beginning(each.text, echoes))
            if each.asks and is_act and has_name(each.text, names):
                return True
    return False


_STEM = 4  # letters that a verb and its forms in other languages share


def _has_beginning(text: str, stems: tuple[str, ...]) -> bool:
    return any(word.startswith(stems) for _, word in words_of(text))


# What picks things by their state or their name.
_SELECTS = re.compile(
    r"--(?:field-)?selector\b|--filter\b|(?<!\S)-l[= ]?[\"']?[\w./-]+!?=|\bselect\(|\bgrep\b|\bwhere-object\b",
    re.IGNORECASE,
)


def names_said(context: Context) -> list[str]:
    """The names with a mark or a digit in the clauses that ask for an act."""
    acting = (each for each in clauses_of(said_by_user(context)) if each.asks and each.verbs)
    names = (name.strip(".:,") for each in acting for name in _NAME.findall(each.text))
    return [name for name in names if not _AMOUNT.fullmatch(name)]


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
        if known and any(word.startswith(known) for _, word in words_of(each.text)):
            return True
    return False


def is_asked(verbs: Collection[Verb], context: Context) -> bool:
    """Whether the user asks for one of these acts on anything."""
    return any(each.asks and not each.verbs.isdisjoint(verbs) for each in clauses_of(said_by_user(context)))


def is_for_trial(verbs: Collection[Verb], context: Context) -> bool:
    """Whether the user asks for these acts on something that serves trials alone: "reset the test stack"."""
    clauses = clauses_of(said_by_user(context))
    wanted = {*verbs, Verb.FREE} if Verb.DELETE in verbs else {*verbs}
    acting = [each for each in clauses if each.asks and not each.verbs.isdisjoint(wanted)]
    sentences = (_sentence_of(each, clauses).replace("_", " ") for each in acting)
    return bool(acting) and all(_TRIAL.search(_TESTS_OF_CODE.sub("", each)) for each in sentences)


def is_asked_on(verbs: Collection[Verb], name: str, context: Context) -> bool:
    """Whether one clause asks for one of these acts and has this name."""
    names = names_of(name)
    return any(
        each.asks and not each.verbs.isdisjoint(verbs) and has_name(each.text, names)
        for each in clauses_of(said_by_user(context))
    )


def is_listed_by_user(verbs: Collection[Verb], text: str, context: Context) -> bool:
    """Whether the text of a command reads a file that the user names in asking for one of these acts: "delete what is
    in /tmp/orphans.txt"."""
    folded = fold(text)
    return any(
        name.rstrip(".:,)") in folded
        for each in clauses_of(said_by_user(context))
        if each.asks and not each.verbs.isdisjoint(verbs)
        for name in _LIST.findall(each.text)
    )


_LIST = re.compile(r"(?<![\w./-])[\w./~-]{2,100}\.(?:txt|csv|tsv|list|lst|json|jsonl)\b")


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


def _names_it(
    clause: Clause, names: Collection[str], clauses: Collection[Clause], acting: Collection[Clause], target: str
) -> bool:
    """Whether this clause names the target for one of the clauses that ask for the act."""
    is_named = has_object(clause.text, names) or is_covered(clause.text, target)
    if not names or not (is_named or is_described(_text_of(clause, clauses), target)):
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


def _lists(text: str, acting: Iterable[Clause], clauses: Collection[Clause], context: Context) -> bool:
    """Whether an action goes through just what the user names: each value of a loop, or what a request names. A value
    that earlier outputs show for a name, or beside it, stands for it."""
    if values := looped(text):
        named = [each.text for each in clauses if not each.forbids]
        return all(any(has_name(said, (value, *aliases(value, context))) for said in named) for value in values)
    acting = [*acting]
    names = [name.strip(".:,") for each in acting for name in _NAME.findall(each.text)]
    if not names:  # "etcd-04 has a broken base, replace that member"
        names = [name.strip(".:,") for each in acting for name in _NAME.findall(_sentence_of(each, clauses))]
    names = [name for name in names if not _AMOUNT.fullmatch(name)]
    return bool(names) and all(has_name(text, (*names_of(name), *stand_ins(name, context))) for name in names)


def _names_less(text: str, acting: Iterable[Clause], clauses: Iterable[Clause], kinds: Collection[str]) -> bool:
    """Whether a request that has no word for everything names single things, none of which the action names."""
    said = " ".join(_text_of(each, clauses) for each in acting)
    names = _names_in(said, kinds)
    return bool(names) and not _ALL.search(said) and not any(name.rstrip("/") in text for name in names)


def _names_in(text: str, kinds: Collection[str]) -> list[str]:
    """The names in a text, without compounds of a noun for things of a kind: "preview-namespaces"."""
    names = (name.strip(".:,") for name in _NAME.findall(text))
    return [
        name
        for name in names
        if not (_COMPOUND.fullmatch(name) and name.rpartition("-")[2].startswith(tuple(map(fold, kinds)) or "\0"))
    ]


_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")


def _is_of_kind(acting: Iterable[Clause], clauses: Iterable[Clause], kinds: Collection[str], text: str) -> bool:
    """Whether the act is asked for on things of a kind, without a thing being named for it that the action lacks. Where
    the action does not show its target, a name in the request may be the target's, or not: that is not asked for
    either."""
    if not kinds:
        return False
    named = [name for each in acting for name in _names_in(each.text, kinds)]
    if named and not (text and all(_occurs(name, text) for name in named)):
        return False
    return any(_speaks_of(each.text, kind) for each in clauses for kind in kinds if not each.forbids)


def _occurs(name: str, text: str) -> bool:
    """Whether a name of a request is in an action's text; of a span of numbers ("01~04") its ends, and no amount of
    bytes or days is a name."""
    if _AMOUNT.fullmatch(name) or _PREFIXED.match(name) or has_name(text, names_of(name)) or name.rstrip("/") in text:
        return True
    if _NUMBERED.fullmatch(name) and name in re.sub(r"[-_=:'\" ]", "", text):
        return True  # "Hall7", `hall=7`
    ends = re.findall(r"\d+", name)
    return not any(letter.isalpha() for letter in name) and all(end in text for end in ends)


_NUMBERED = re.compile(r"[a-z]{3,}\d{1,4}")
_PREFIXED = re.compile(r"(?:re|pre|non|un|co|de|e)-[a-z]+$")  # words, not names
_AMOUNT = re.compile(
    r"\d+(?:[.,]\d+)?(?:[kmgt]i?b?|st|nd|rd|th|d|h|m|s|x|%|일|주|개월|월|년|시간?|분|초|개|명|건|대|天|日|周|週|月|年|時間?|分|秒|个|個|件|台)?"
)


def _speaks_of(text: str, kind: str) -> bool:
    """Whether a text has a word that begins with a stem, or, in a script without spaces, the word itself."""
    stem = fold(kind)
    return any((not stem.isascii() or not text[at - 1 : at].isalnum()) for at in places_of(text, stem))
