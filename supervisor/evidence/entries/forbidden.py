"""An act that a rule forbids which the agent has read: "paid invoices are never voided", and the call voids one.

A sentence counts that forbids without a condition and has the verb of the act and a word of what it is done to. What it
says of other cases, of exceptions or of what comes first is left to the agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context, Step
from supervisor.evidence import reader
from supervisor.evidence.actions.named_args import named_args
from supervisor.evidence.entries.listing import LATEST, LONGEST, Shown
from supervisor.evidence.entries.words import has_form, pattern, reads_only, row, values_in, words_in
from supervisor.evidence.history.past import looked_up

_LONGEST_RULE = 300  # characters
_MOST_RULES = 40  # of one output
_MOST_SENTENCES = 400  # of one output
_SENTENCE = re.compile(r"(?<=[.!?;。])\s+|\n|(?<=。)")
_CLAUSE = re.compile(r"[,;:]\s|\s[-\u2013\u2014]\s")
# A ban that stands until somebody lifts it.
_STANDING = re.compile(
    r"(?i)\buntil (?:further notice|[\w ]{1,40} lifts? it)|\bbis auf weiteres|\bjusqu'à nouvel ordre"
)
_SHORT = 8  # words of a rule that says one thing
_LEAST = 4  # letters of a word of the object
_VERB = 3


class Forbidden(NamedTuple):
    """The rule, and the words in it that the call has."""

    rule: str
    words: tuple[str, ...]


class _Rules:
    """The sentences of one output that forbid something, each with its words."""

    def __init__(self, step: Step) -> None:
        self.sentences = tuple(islice(_sentences(step), _MOST_RULES)) if _is_document(step) else ()


@reader
def forbidden_by_rule(action: Action, context: Context) -> Forbidden | None:
    """The rule of a document that forbids the act; None if none does, or the user asks for it in the rule's words."""
    if not context.history or reads_only(action.tool):
        return None
    verbs, objects = _parts(action)
    if not verbs:
        return None
    task = context.task or ""
    asked, is_overruled = frozenset(words_in(task)), pattern("overrules").search(task) is not None
    for each in looked_up(context, _Rules, LATEST):
        for rule, words in each.sentences:
            acts = sorted(verb for verb in verbs if any(_is_act(verb, word) for word in words))
            about = sorted(word for word in objects if has_form(word, words))
            if acts and _is_about(about, rule, words) and not (is_overruled and has_form(acts[0], asked)):
                return Forbidden(rule, (*acts, *about))
    return None


def _is_about(about: list[str], rule: str, words: frozenset[str]) -> bool:
    """Whether a rule is about what the call is done to: it has two words of it, or is short and qualifies nothing."""
    return len(about) > 1 or (len(about) == 1 and len(words) <= _SHORT and not pattern("qualifiers").search(rule))


def _is_document(step: Step) -> bool:
    where = (step.tool, *(value for _, value in values_in(step.args, 200)))
    return any(pattern("documents").search(" ".join(words_in(each))) for each in where)


def _sentences(step: Step) -> Iterator[tuple[str, frozenset[str]]]:
    """The clauses that forbid something, each with its words, in sentences that make no condition."""
    for sentence in _SENTENCE.split(Shown(step).text)[:_MOST_SENTENCES]:
        if len(sentence) > _LONGEST_RULE or not pattern("prohibitions").search(sentence):
            continue
        plain = _STANDING.sub(" ", sentence)
        if pattern("conditions").search(plain):
            continue
        for clause in _CLAUSE.split(plain):
            if pattern("prohibitions").search(clause):
                yield clause.strip(), frozenset(words_in(clause))


def _parts(action: Action) -> tuple[frozenset[str], frozenset[str]]:
    """The verbs of a call, from the names of its tool and its switches, and the other words of its names and values."""
    names = [action.tool[:200], *(str(name)[:200] for name in named_args(action))]
    words = {word for name in names for word in words_in(name)}
    verbs = frozenset(word for word in words if _is_verb(word))
    given = {word for _, value in values_in(action.args, LONGEST) for word in words_in(value)}
    objects = (words | given) - verbs - row("empty")
    return verbs, frozenset(
        word for word in objects if len(word) >= _LEAST and not any(_is_act(v, word) for v in verbs)
    )


@cache
def _is_verb(word: str) -> bool:
    return any(_is_act(verb, word) for verb in row("acts"))


def _is_act(verb: str, word: str) -> bool:
    """Whether a word is a form of a verb: `void`, `voided`; `delete`, `deleted`."""
    stem = verb.rstrip("e")
    return word == verb or (len(stem) >= _VERB and word.startswith(stem) and len(word) - len(stem) <= _VERB)
