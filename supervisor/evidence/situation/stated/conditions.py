"""Conditions that the user puts before an act, and actions that do not wait for them.

Somebody approves it, the user sees it first, it runs on staging first, or the user does it himself. A condition counts
as met if an earlier output, an earlier command or the user's words show it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.changes.clauses import affirms, clauses_of, fold, verbs_at, words_of
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.commands.acts import is_change_in_being, words
from supervisor.evidence.situation.deeds import Deed, deeds, is_reload
from supervisor.evidence.situation.stated.looked import is_change
from supervisor.evidence.situation.stated.words import condition, place_names, stems

_LONGEST = 4 * 1024  # characters of a request
_LATEST = 60  # steps
_MOST_TEXT = 16 * 1024  # characters of one output
_MOST_LINES = 4_000  # of all outputs
_SENTENCE = re.compile(r"(?<=[!?;\n\u3002\uff01\uff1f\uff1b])|(?<=\.)(?=\s)")
_CLAUSES = re.compile(
    r"[,:(\uff0c\u3001] ?|\b(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|i|oraz|ale|en|maar|ve|ama|и|а|но) "  # noqa: RUF001 - a Russian word
)
_WORD = re.compile(r"[^\W_]{3,40}")
_WHEN = re.compile(  # "nach dem Start prüfe ich selbst": the start is not what the user does
    r"^\W*(?:nach|vor|after|before|apres|avant|despues|antes|depois|dopo|prima|przed|po|na|voor)\s"
    r"(?:(?:de[mrns]?|the|le|la|les|el|los|o|a|il|het|each|jede[mrn]?|del|do|da|di)\s)*\w+\s"
)
_LONGEST_SENTENCE = 600
_STEM = 4
_GENERAL = frozenset("anything something any all everything that this them you doing each every other".split())
_WITH_EFFECT = frozenset({"delete", "deploy", "edit", "install", "restart", "revert", "stop"})
# What waits for an approval that has not come, whatever the request calls it. To prepare it is no such act.
_OUTWARD = frozenset({"delete", "deploy", "merge", "push", "restart", "revert", "send", "stop"})
_SUBCOMMAND = r"(?:^|[;&|(]\s{{0,4}})(?:sudo )?[\w./-]{{1,60}} {word}\b"
_SORTS: dict[Verb, frozenset[str]] = {
    Verb.DELETE: frozenset({"delete"}),
    Verb.FORMAT: frozenset({"delete"}),
    Verb.STOP: frozenset({"stop", "restart"}),
    Verb.RESTART: frozenset({"stop", "restart"}),
    Verb.DEPLOY: frozenset({"deploy", "revert"}),
    Verb.PUBLISH: frozenset({"deploy", "push"}),
    Verb.PUSH: frozenset({"push"}),
    Verb.SEND: frozenset({"send", "push"}),
    Verb.RESET: frozenset({"revert", "delete"}),
    Verb.ROTATE: frozenset({"edit", "restart"}),
    Verb.WRITE: frozenset({"edit"}),
    Verb.INSTALL: frozenset({"install", "deploy"}),
    Verb.MOVE: frozenset({"edit"}),
}


_ASKS = re.compile(
    r"\s-ok(?:dir)?\s|\bxargs\s(?:-\w+\s){0,4}-p\b|\b(?:rm|mv|cp)\s(?:-\w+\s){0,3}-\w{0,4}[iI]\b|\s-Confirm\b"
)


class Condition(NamedTuple):
    """What sort of condition, on which sorts of act (none: on all), the sentence, and the place or person it names.

    `things` are words for what it is about, if the request also asks for such an act on other things.
    """

    sort: str
    acts: frozenset[str]
    said: str
    name: str = ""
    things: tuple[str, ...] = ()


def unmet_condition(action: Action, context: Context) -> tuple[Deed, Condition] | None:
    """The first deed that does not wait for a condition of the user, and the condition.

    A command that itself asks before each thing (`find -ok`, `rm -i`) waits for what has to be approved or shown.
    """
    stated = conditions_in((context.task or "")[:_LONGEST])
    if _ASKS.search(str(action.get("command"))[:_MOST_TEXT]):
        stated = tuple(each for each in stated if each.sort not in ("approval", "shown"))
    if not stated:
        return None
    text = fold(str(action.get("command"))[:_MOST_TEXT])
    found = ((deed, each) for deed in deeds(action, context) for each in stated if _waits(each, deed, text, context))
    return next(found, None)


@functools.lru_cache(maxsize=128)
def conditions_in(task: str) -> tuple[Condition, ...]:
    """The conditions that a request states. Cached, because all actions of a session come with the same request."""
    sentences = [each.strip() for each in _SENTENCE.split(task) if each and each.strip()]
    found: list[Condition] = []
    for place, sentence in enumerate(sentences):
        before = sentences[place - 1] if place else ""
        others = fold(" ; ".join(each for each in sentences if each != sentence))
        found += (_about(each, others) for each in _in_sentence(sentence, fold(sentence), fold(before)))
    return tuple(found)


def _in_sentence(sentence: str, folded: str, before: str) -> Iterator[Condition]:
    said = sentence[:_LONGEST_SENTENCE]
    if found := condition("approval").search(folded):
        things = _things_before(folded, found.start())
        yield Condition("approval", acts_in(folded) or acts_in(before), said, "", things)
    elif condition("pending").search(folded):
        yield Condition("approval", _OUTWARD, said)
    if person := condition("together").search(sentence):
        yield Condition("approval", acts_in(folded), said, person[1], _things_before(folded, person.start()))
    if condition("shown_first").search(folded) and not condition("goes_on").search(folded):
        what = condition("before_what").search(folded)
        things = (what[1],) if what and what[1] not in _GENERAL else ()
        yield Condition("shown", acts_in(folded), said, "", things)
    if first := condition("first_on").search(folded):
        yield Condition("place", frozenset(), said, next(each for each in first.groups() if each))
    if own := condition("reserved").search(folded):
        clause = _WHEN.sub("", folded[_clause_start(folded, own.start()) : own.end()])
        yield Condition("reserved", acts_in(clause), said, clause)
    if condition("singly").search(folded):
        yield Condition("singly", frozenset(), said)


def _about(stated: Condition, others: str) -> Condition:
    """The condition, with the words that tell its things from those of other sentences on the same sort of act."""
    if (
        stated.things
        or stated.acts is _OUTWARD
        or stated.sort in ("place", "shown", "singly")
        or not stated.acts & acts_in(others)
    ):
        return stated
    known = set(_WORD.findall(others))
    return stated._replace(things=tuple(word for word in _WORD.findall(fold(stated.said)) if word not in known))


def _things_before(folded: str, start: int) -> tuple[str, ...]:
    """The words between a clause's beginning and its condition, if what stands before the clause asks for an act."""
    begins = _clause_start(folded, start)
    if not begins or not acts_in(folded[:begins]):
        return ()
    clause = folded[begins:start]
    verbs = {clause[at : at + 3] for at in verbs_at(clause, words_of(clause)).values()}
    return tuple(word for word in _WORD.findall(clause) if word[:3] not in verbs)


def _clause_start(folded: str, start: int) -> int:
    return max((each.end() for each in _CLAUSES.finditer(folded, 0, start)), default=0)


def acts_in(folded: str) -> frozenset[str]:
    """The sorts of act that a sentence speaks of."""
    verbs = frozenset[Verb]().union(*(each.verbs for each in clauses_of(folded)))
    sorts = frozenset[str]().union(*(_SORTS.get(each, frozenset()) for each in verbs))
    return sorts | {sort for sort in ("merge", "restart", "deploy", "delete") if stems(sort).search(folded)}


def _waits(stated: Condition, deed: Deed, text: str, context: Context) -> bool:
    """Whether a deed is one that had to wait for a condition that nothing shows to be met."""
    if stated.sort == "singly":
        return bool(condition("parallel").search(text)) and deed.sort in _WITH_EFFECT
    if stated.sort == "place":
        return _is_elsewhere(stated, deed, text, context)
    is_named = stated.sort == "reserved" and _is_subcommand(stated.name, text)
    if not is_named and (deed.sort not in stated.acts if stated.acts else stated.sort == "reserved"):
        return False
    if is_reload(deed) and "reload" not in fold(stated.said):
        return False  # "no restart" leaves a service what makes it read its configuration
    if stated.things and not any(word[:_STEM] in text for word in stated.things):
        return False
    if not is_change(deed, text, context) and deed.sort not in stated.acts:
        return False
    if stated.sort == "shown" and _was_affirmed(context):
        return False
    if stated.sort == "approval":
        return fold(stated.name) not in text if stated.name else not _is_approved(stated, context)
    return True


def _was_affirmed(context: Context) -> bool:
    """Whether the latest question to the user, in which he was shown something, was answered with yes."""
    asked = [step for step in context.history[-_LATEST:] if step.kind in ("ask_user", "message")]
    questions = [step for step in asked if any("?" in text or "\uff1f" in text for _, text in strings_in(step.args))]
    return bool(questions) and affirms(questions[-1].text)


def _is_subcommand(clause: str, text: str) -> bool:
    """Whether a clause has the word for what a command does: "the reconfigure", `gitlab-ctl reconfigure`."""
    spoken = {word for word in _WORD.findall(clause) if len(word) > _STEM}
    return any(re.search(_SUBCOMMAND.format(word=word), text) for word in spoken)


def _is_elsewhere(stated: Condition, deed: Deed, text: str, context: Context) -> bool:
    """Whether a deed is done before anything was done at the place that comes first."""
    changes = is_change_in_being(deed.command.program, deed.command.args) or deed.command.program in words("fleets")
    stem = _stem_of_place(stated.name)
    done = [*_commands(context), text]
    return changes and bool(stem) and not any(stem in each for each in done)


def _stem_of_place(name: str) -> str:
    """What a command that works at a place has in it: a name whole, of a word its beginning; empty if unknown."""
    if not name.isascii():
        return next((stem for word, stem in place_names().items() if name.startswith(word)), "")
    return name if re.search(r"[-_\d]", name) else name[:_STEM]


def _commands(context: Context) -> Iterator[str]:
    for step in context.history[-_LATEST:]:
        yield from (fold(text[:_MOST_TEXT]) for _, text in strings_in(step.args))


def _is_approved(stated: Condition, context: Context) -> bool:
    """Whether the request or an output has a line that tells of an approval, without a word that takes it back."""
    outputs = [step.text[:_MOST_TEXT] for step in context.history[-_LATEST:] if step.text]
    return any(map(_approves, _lines((context.task or "").replace(stated.said, "")))) or any(
        _approves(line) or _tells_to_go_on(line) for text in outputs for line in _lines(text)
    )


def _lines(text: str) -> Iterator[str]:
    return (fold(line[:400]) for line in re.split(r"[\n.;!?]", text)[:_MOST_LINES])


def _approves(line: str) -> bool:
    return bool(condition("approved").search(line)) and not condition("unapproved").search(line)


def _tells_to_go_on(line: str) -> bool:
    return bool(condition("told").search(line)) and not condition("unapproved").search(line)
