# ruff: noqa: E501 - patterns of words in many scripts
"""Whether the user's whole request is to be shown or told something: a question, a check, a list, an estimate.

Each clause looks, asks for a change, forbids, or tells what is the case. A request is a look if one clause looks and no
clause asks for a change. A clause that may ask for one counts as such: who says too little is not held to it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from enum import Enum, auto

from supervisor.action import Context
from supervisor.evidence.changes.clauses import (
    FORBIDS,
    Clause,
    Lexicon,
    clauses_of,
    looking,
    said_by_user,
    verbs_at,
    without_told,
    words_of,
)
from supervisor.evidence.changes.verbs import (
    ARTICLES,
    CREATES,
    LOOKS,
    LOOKS_INSIDE,
    MENDS,
    NO_MERE_LOOK,
    OFTEN_NO_QUESTION,
    PHRASES,
    QUESTIONS,
    QUESTIONS_INSIDE,
    TELLINGS,
)

_LONGEST = 2000  # characters of a request; a longer one is a work order
_LOOKS = Lexicon.of(f"{LOOKS} {LOOKS_INSIDE}")
_NO_MERE_LOOK = Lexicon.of(NO_MERE_LOOK)
_QUESTIONS = frozenset(QUESTIONS.split())
_QUESTIONS_INSIDE = tuple(QUESTIONS_INSIDE.split())
_OFTEN_NONE = frozenset(OFTEN_NO_QUESTION.split())
_MENDS = Lexicon.of(MENDS)
_TELLINGS = Lexicon.of(TELLINGS)
_CREATES = Lexicon.of(CREATES)
_ARTICLES = frozenset(ARTICLES.split())
_ARTICLES_AT_START = frozenset("le la les los las lo o a os as i".split())  # elsewhere they may be pronouns
_PAST = re.compile(r"(?!speed|reseed)[a-z]{4,}ed$")  # "who changed it": English orders nothing in the past
_NOUNS = frozenset("check checks list find report review count plan draft monitor audit estimate look show".split())
_BEFORE_VERBS = frozenset("to please just only you and then first kindly also pls or bitte".split())
_JOINS = frozenset("and then und dann et puis y luego e depois i oraz potem en dan ve sonra и".split())
_PRONOUNS = frozenset("it them that this all es sie das le la les lo los las ci je het ze onu".split()) | _ARTICLES
_ENDINGS = (
    "-moi",
    "-nous",
    "-le",
    "-la",
    "-les",
    "-lui",
    "-en",
    "-y",
    "melo",
    "me",
    "lo",
    "la",
    "los",
    "las",
    "li",
    "mi",
)
_LOOK_PHRASES = re.compile(PHRASES["looks"])
_MAY_USER = re.compile(PHRASES["may_user"])
_TO_AGENT = re.compile(PHRASES["to_agent"])
_WISHES = re.compile(PHRASES["wishes"])
_POLITE = re.compile(PHRASES["polite"])
_IDIOMS = re.compile(PHRASES["idioms"])
_TRIES = re.compile(PHRASES["tries"])
_INVESTIGATES = re.compile(PHRASES["investigates"])
_USER_DOES = re.compile(PHRASES["user_does"])
_FAULT = re.compile(PHRASES["fault"])
_SUBORDINATE = re.compile(PHRASES["subordinate"])
_OPENS_STATEMENT = re.compile(PHRASES["opens_statement"])
_IS_SO = re.compile(PHRASES["is_so"])
_OTHERS_DO = re.compile(PHRASES["others_do"])
_SUBJECT = re.compile(PHRASES["subject"])
_TOLD_PAST = re.compile(PHRASES["told_past"])
_SECOND_WORD = re.compile(r"^\S+ [a-z]{2,}[st]\b")


# Who passes on that somebody lets the agent act: "report owner X agrees that you stop it", but not "report who agrees
# that you stop it".
_AGREES = re.compile(
    r"^(?!.{0,80}\b(?:whether|if|who|what|which|why|when|how|until)\b)\S+ (?:\S+ ){1,5}?"
    r"(?:agrees|agreed|is fine|is ok|has approved|approved)(?: with it)? that you (?:may |can |should )?\w"
)


class _Kind(Enum):
    LOOKS = auto()
    ASKS = auto()
    TELLS = auto()


def request_to_look(context: Context) -> str:
    """The clause with which the user asks only to look; empty if the request is for more, or not plainly a look."""
    said = said_by_user(context)
    return _look_in(said) if said and len(said) <= _LONGEST else ""


# Only what ends there is said of everything: "don't change anything else" allows the change that was asked for.
_READ_ONLY = re.compile(
    r"(?:(?:^|[.!?\n(])\s*(?:strictly |this is |please |stay )?read[- ]only(?: (?:please|for now|task|session|investigation|audit))?"
    r"|\b(?:do not|don'?t|must not) (?:change|touch|modify|edit|fix) (?:anything|any files?|a thing)(?: yet| for now| please)?"
    r"|\b(?:no changes(?: (?:yet|please|for now))|without (?:changing|touching|modifying|editing) anything)"
    r"|\b(?:nur lesen|nichts (?:ändern|anfassen|verändern)|lecture seule|ne (?:change|touche|modifie)\w* rien|sans rien (?:changer|modifier|toucher)"
    r"|no (?:cambies|toques|modifiques) nada|sin (?:cambiar|tocar|modificar) nada|não (?:altere|mude|mexa em) nada"
    r"|non (?:cambiare|toccare|modificare) (?:niente|nulla)|niczego nie zmieniaj|nic nie zmieniaj)"
    r"|変更しないで|변경하지 마\S{0,4}|수정하지 마\S{0,4}|不要修改|不要改动)\s*(?=[.;,:!?)\n。\uff0c-]|$)"
)


def read_only(context: Context) -> str:
    """The words with which the user, who asks to look, wants nothing changed; empty if the user says no such thing."""
    said = said_by_user(context)[:_LONGEST]
    found = _READ_ONLY.search(said.lower()) if said else None
    if found is not None and all(kind is not _Kind.LOOKS for _, kind in _kinds(said)):
        return ""
    return found[0].strip(" .;,:!?(\n-") if found is not None else ""


@functools.lru_cache(maxsize=256)
def _look_in(said: str) -> str:
    read = _kinds(said)
    looks = [clause for clause, kind in read if kind is _Kind.LOOKS]
    if not looks:
        return ""
    is_report = read[-1][1] is _Kind.LOOKS and bool(_INVESTIGATES.search(read[-1][0].text))
    asks = (clause for clause, kind in read if kind is _Kind.ASKS)
    return "" if any(not (is_report and _tells_of_fault(each)) for each in asks) else looks[0].text


def _kinds(said: str) -> list[tuple[Clause, _Kind]]:
    found: list[tuple[Clause, _Kind]] = []
    sentence, before, is_users = -1, _Kind.TELLS, False
    clauses = clauses_of(said)
    for place, each in enumerate(clauses):
        is_first = each.sentence != sentence
        kind = _kind_of(each, is_first, not is_first and before is _Kind.LOOKS)
        if kind is _Kind.ASKS and not is_first and _goes_on(each, before):
            kind = before
        if kind is _Kind.ASKS and (_tells(each) or _is_topic(each, clauses[place + 1 :])):
            kind = _Kind.TELLS
        is_users = bool(_USER_DOES.match(each.text)) or (is_users and not is_first)
        if is_users and kind is _Kind.ASKS:
            kind = _Kind.TELLS  # "I'll read it and post it"
        sentence, before = each.sentence, kind
        found.append((each, kind))
    return [(each, _in_sentence(each, kind, found[at + 1 : at + 3])) for at, (each, kind) in enumerate(found)]


def _in_sentence(clause: Clause, kind: _Kind, after: Sequence[tuple[Clause, _Kind]]) -> _Kind:
    """What a clause is, with those after it: "after the outage, check the disks", "queries on db1 (an old one) are
    slow"."""
    rest = [each.text for each, _ in after if each.sentence == clause.sentence]
    if kind is not _Kind.ASKS or not rest:
        return kind
    goes_on = any(map(_FINITE.match, rest)) and _acts_in(clause.text, _bare(words_of(clause.text))) < 0
    return _Kind.TELLS if goes_on or _TIME.match(clause.text) else kind


def _goes_on(clause: Clause, before: _Kind) -> bool:
    """Whether a clause only ends what the one before it in the sentence tells or asks: "… and took the site down",
    "what do A and B change?", "hay dos sensores en rojo"."""
    if before is _Kind.LOOKS:
        return clause.question and not _TO_AGENT.search(clause.text)
    if before is not _Kind.TELLS:
        return False
    words = _bare(words_of(clause.text))
    is_short = len(words) <= _SHORT and _PRONOUNS.isdisjoint(word for _, word in words)
    is_bare = is_short and _acts_in(clause.text, words) < 0 and not _WISHES.search(clause.text)
    return is_bare or _TOLD_PAST.match(clause.text) is not None


_SHORT = 3  # words of the end of a sentence


def _tells(clause: Clause) -> bool:
    """Whether a clause says what others have yet to do, or begins with its subject, as no order in English does."""
    if clause.question or _WISHES.search(clause.text):
        return _OTHERS_DO.match(clause.text) is not None
    if _NAMED_SUBJECT.match(clause.text):
        return True
    return bool(_OTHERS_DO.match(clause.text) or (_SUBJECT.match(clause.text) and _TOLD_VERB.search(clause.text)))


# "migration loom.0043 took forty minutes": behind a name stands what it did.
_NAMED_SUBJECT = re.compile(
    r"[a-z]+ \S*[\d._/-]\S* (?:took|ran|went|was|is|has|had|hangs|fails|lasted|died|crashed|stopped)\b"
)
_TOLD_VERB = re.compile(
    r"\s(?:is|are|was|were|has|have|had|does|did|put|took|went|sent|broke|fell|lost|keeps?|shows?|says?|runs?|[a-z]{3,}ed)\b"
)


_LABELS = frozenset(
    "account konto compte cuenta conta user benutzer utilisateur usuario host server serveur servidor vm ct mr pr"
    " ticket cluster node knoten db job queue service dienst projekt project projet proyecto projeto repo machine"
    " maschine".split()
)


def _is_topic(clause: Clause, later: Sequence[Clause]) -> bool:
    """Whether a clause only names what the others are about: "pharmacy-db (CT 136): look at the settings"."""
    words = words_of(clause.text)
    is_name = any(not word.isalpha() for _, word in words) and (not words[0][1].isalpha() or words[0][1] in _LABELS)
    follows = any(each.sentence == clause.sentence or each.sentence == clause.sentence + 1 for each in later)
    return 0 < len(words) < 4 and is_name and follows and _acts_in(clause.text, _bare(words)) < 0


def _tells_of_fault(clause: Clause) -> bool:
    """Whether a clause before "have a look" only reports what happens: no verb of it is an order."""
    text = clause.text
    words = _bare(words_of(text))
    if clause.question or len(words) < 3 or _WISHES.search(text) or _TO_AGENT.search(text):
        return False
    acts_at, fault = _acts_in(text, words), _FAULT.search(text)
    if fault is not None and 0 < fault.start() < (acts_at if acts_at >= 0 else len(text)):
        return True
    return acts_at < 0 and not _TRIES.search(text)


def _kind_of(clause: Clause, is_first: bool, follows_look: bool) -> _Kind:
    text = clause.text
    if (_IDIOMS.search(text) and not clause.question) or _TRIES.search(text):
        return _Kind.ASKS  # "see if a restart helps" asks for the restart
    if _AGREES.match(text) and not clause.question and not clause.forbids:
        return _Kind.ASKS
    if phrase := _LOOK_PHRASES.search(text):
        rest = text[phrase.end() :]
        return _Kind.ASKS if _is_joined(rest, _bare(words_of(rest))) else _Kind.LOOKS
    words = _bare(words_of(text))
    acts_at, looks_at = _acts_in(text, words), _looks_in(text, words)
    if clause.question or (is_first and _begins_question(words)):
        return _kind_of_question(clause, words, acts_at, looks_at)
    if follows_look and _SUBORDINATE.match(text):
        return _Kind.TELLS
    if acts_at >= 0 and _reports(text, words, acts_at):
        return _Kind.TELLS
    negates = FORBIDS.search(text) if clause.forbids else None
    if negates and not 0 <= looks_at < negates.start() and not _ends_with_look(text):
        is_negated = acts_at < 0 or negates.start() < acts_at or clause.looks or _CHANGES_NOTHING.match(text)
        return _Kind.TELLS if is_negated else _Kind.ASKS  # "disable (don't delete) the accounts"
    if looks_at >= 0 and (acts_at < 0 or looks_at <= acts_at or _ends_with_look(text)):
        return _Kind.ASKS if _is_joined(text[looks_at:], _bare(words_of(text[looks_at:]))) else _Kind.LOOKS
    if follows_look and _ENDS_QUESTION.search(text):
        return _Kind.TELLS  # "what X and Y do"
    if _makes_list(text, words):
        return _Kind.LOOKS
    if acts_at >= 0:
        return _Kind.ASKS
    is_name = follows_look and len(words) < 4 and _PRONOUNS.isdisjoint(word for _, word in words)
    return _Kind.TELLS if is_name or _is_statement(text) else _Kind.ASKS


_RELATIVE = r"(?:that|which|who|whose|whether|if|what|where|when|whatever|until|once|die|der|das|qui|que|che)"
_STATE = (
    r"(?:is|are|was|were|isn't|aren't|wasn't|weren't|ist|sind|war|waren|est|sont|etait|esta|estan|es|son|e|sao|estao"
    r"|sono|zijn)"
)
_FINITE = re.compile(rf"\b{_STATE}\b")
_REPORTED = re.compile(r"\b(?:showed|shows|revealed|reported|reports|said|says|complained|complains|found|flagged)\b")
_OF_RELATIVE = re.compile(rf"\b{_RELATIVE}\b")
# What happened before: "after the outage, check the disks", but not "after restarting it, check the logs".
_TIME = re.compile(
    r"^(?:ever )?(?:after|since|following|despues del?|desde|nach|seit|depuis|apres|depois d[eoa]s?"
    r"|dopo|da quando|sinds)"
    r" (?!\w+ing\b|\w+[aei]r\b)"
)
_ENDS_QUESTION = re.compile(r"\b(?:do|does|did|means?|is|are)$")
_NOTHING = "(?:nothing|nichts|rien|nada|niente|nulla|niets|nic|ничего)"
_CHANGES_NOTHING = re.compile(rf"^(?:please |bitte )?[^\W\d_]+(?: \w+)? {_NOTHING}\b")


def _reports(text: str, words: list[tuple[int, str]], acts_at: int) -> bool:
    """Whether a clause tells what is the case, and its words for acts belong to what that is said of: "the backup of
    db1 is slow", "the deploy check showed two errors"."""
    if _WISHES.search(text) or _TO_AGENT.search(text):
        return False
    reported = _REPORTED.search(text)
    if reported and acts_at > reported.start() > 0 and not _OF_RELATIVE.search(text[: reported.start()]):
        return bool(_FINITE.search(text, reported.end()))  # "the check showed that the import is slow"
    finite = reported or (_FINITE.search(text) if acts_at or words[0][1].endswith("ing") else None)
    if finite is None or finite.start() <= acts_at or _OF_RELATIVE.search(text[: finite.start()]):
        return False
    if reported:
        return True  # whatever it said
    after = [(at, word) for at, word in words if at > finite.start()]
    return _acts_in(text[finite.start() :], [(at - finite.start(), word) for at, word in after]) < 0


def _bare(words: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The words, each with those that it is without a pronoun at its end: "vide-le", "muéstrame"."""
    found: list[tuple[int, str]] = []
    for at, word in words:
        found.append((at, word))
        found += ((at, word.removesuffix(end)) for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2)
    return found


def _is_joined(text: str, words: list[tuple[int, str]]) -> bool:
    """Whether a verb for a change is joined to a look: "check & fix", "sprawdź i usuń"."""
    after = [
        (at, word)
        for place, (at, word) in enumerate(words)
        if place and (words[place - 1][1] in _JOINS or text[:at].rstrip()[-1:] in ("&", "+", "/"))
    ]
    return bool(after) and _acts_in("", after) >= 0


def _kind_of_question(clause: Clause, words: list[tuple[int, str]], acts_at: int, looks_at: int) -> _Kind:
    """A question to the agent to do something is a request; one that has a verb, and no word for a question, may be."""
    text = clause.text
    if _TO_AGENT.search(text):
        return _Kind.LOOKS if looks_at >= 0 and (acts_at < 0 or looks_at < acts_at) else _Kind.ASKS
    if _MAY_USER.search(text):
        return _Kind.LOOKS
    asked = any(word in _QUESTIONS for _, word in words[:4]) or any(part in text for part in _QUESTIONS_INSIDE)
    return _Kind.ASKS if acts_at >= 0 and looks_at < 0 and not asked else _Kind.LOOKS


def _begins_question(words: list[tuple[int, str]]) -> bool:
    """Whether a sentence without a question mark begins as a question that cannot be taken for something else."""
    return len(words) > 1 and words[0][1] in _QUESTIONS - _OFTEN_NONE


def _acts_in(text: str, words: list[tuple[int, str]]) -> int:
    """The first place of a word that asks for a change: no noun with an article before it."""
    verbal = [
        (at, word)
        for place, (at, word) in enumerate(words)
        if not (place and _is_noun_after(words, place)) and not _PAST.match(word)
    ]
    mends = _MENDS.at(text, verbal)
    return min([*verbs_at(text, verbal).values(), *([mends] if mends >= 0 else [])], default=-1)


def _is_noun_after(words: list[tuple[int, str]], place: int) -> bool:
    """Whether an article stands before a word, or a share: "at 30% load"."""
    if words[place][1] == "load" and words[place - 1][1].isdigit():
        return True
    return words[place - 1][1] in _ARTICLES or (place == 1 and words[0][1] in _ARTICLES_AT_START)


def _makes_list(text: str, words: list[tuple[int, str]]) -> bool:
    """Whether all that a clause wants made is something to read: "make a list of the users"."""
    listed = _TELLINGS.at(text, words)
    if listed < 0 or _CREATES.at(text, words) < 0:
        return False
    before = [each for each in words if each[0] < listed][:-1]  # without the word before: "a rollback plan"
    others = [(at, word) for at, word in before if _CREATES.at(word, [(0, word)]) < 0]
    return _acts_in(text[:listed], others) < 0 or ord(max(text)) > 0x3000


def _looks_in(text: str, words: list[tuple[int, str]]) -> int:
    """The first place of a word that asks to look. An English word that may be a noun counts where a verb stands."""
    verbal = [
        (at, word)
        for place, (at, word) in enumerate(looking(text, words))
        if word not in _QUESTIONS
        and (word not in _NOUNS or not place or words[place - 1][1] in _BEFORE_VERBS)
        and _NO_MERE_LOOK.at(word, [(0, word)]) < 0
    ]
    return _LOOKS.at(without_told(text), verbal)


def _ends_with_look(text: str) -> bool:
    """Whether the last verb of a clause in a script without spaces, which is the one that rules it, is for looking."""
    if ord(max(text)) <= 0x3000:
        return False
    tail = without_told(text)[-12:]
    return any(part in tail for part in LOOKS_INSIDE.split())


def _is_statement(text: str) -> bool:
    """Whether a clause without a known verb tells what is the case. What may be a request is none."""
    if _POLITE.search(text):
        return True
    if _WISHES.search(text):
        return False
    if ord(max(text)) > 0x1100:
        return True
    return bool(_OPENS_STATEMENT.match(text) or _IS_SO.search(text) or _SECOND_WORD.match(text)) or len(text) < 4
