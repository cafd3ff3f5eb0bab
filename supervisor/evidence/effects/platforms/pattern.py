"""The notation of a product's own rules, and how command lines are matched with it.

    apply -auto-approve !*.tfplan => apply infrastructure
    s3api put-bucket-acl --acl=public-* => expose storage
    ~dropDatabase( => delete database whole
    ~drop+database => delete database whole

Left: words are consecutive among the first operands (`a|b` are alternatives, `*` is any text, `^` the start); `-o` is
an option that is given, `-o=x` one with that value; `~text` is anywhere in the words or on standard input (`+` is a
space); `!` negates a condition.
Right: the verb and the sort, then `whole`, `mild` (it can be undone), `forced`, `each` (only if the targets are what
the same tool lists), `kind` (the first of several targets is the kind of the others: `deploy web`); or `nothing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

from supervisor.evidence.effects.platforms.resource import Sort

_SORTS = frozenset(sort.value for sort in Sort)
_FURTHEST = 3  # operands that may precede a rule's words: the values of unknown global options


class Line(NamedTuple):
    """A command line for matching with rules, in lower case."""

    operands: Sequence[str]
    options: frozenset[str]  # without their values
    given: frozenset[str]  # each option with its value: `-o=value`
    text: str


class OperationRule(NamedTuple):
    """One line of a product's rules. `starts` are the plain words that it can begin with; empty if any word can."""

    starts: frozenset[str]
    words: tuple[str, ...]
    conditions: tuple[str, ...]
    verb: str
    sort: Sort | None
    marks: frozenset[str]

    @property
    def sought(self) -> frozenset[str]:
        """The texts that its conditions look for anywhere in a line."""
        return frozenset(text for each in self.conditions if each[0] == "~" for text in _texts(each))

    def place(self, line: Line) -> int | None:
        """The index of the operand at which a command line matches; None if it does not match."""
        at = _side_by_side(self.words, line.operands)
        return at if at is not None and all(_holds(each, line) for each in self.conditions) else None


def first_of(rules: Sequence[OperationRule], line: Line) -> tuple[OperationRule, int] | None:
    """The first rule that a command line matches, and the index of its operand."""
    near = line.operands[: _FURTHEST + 1]
    for rule in rules:
        if rule.starts and rule.starts.isdisjoint(near):
            continue  # rules out most rules without matching them
        place = rule.place(line)
        if place is not None:
            return rule, place
    return None


@cache
def rules_of(text: str) -> tuple[OperationRule, ...]:
    """Reads lines of rules."""
    return tuple(_rule(line) for line in text.splitlines() if line.strip())


def _rule(line: str) -> OperationRule:
    left, _, right = line.partition("=>")
    tokens = left.split()
    words = tuple(token.lower() for token in tokens if token[0] not in "-~!")
    conditions = tuple(token.lower() for token in tokens if token[0] in "-~!")
    verb, *terms = right.split()
    sort = next((Sort(word) for word in terms if word in _SORTS), None)
    exact, globs = _alternatives(words[0]) if words else (frozenset[str](), ())
    return OperationRule(frozenset() if globs else exact, words, conditions, verb, sort, frozenset(terms))


def _side_by_side(words: tuple[str, ...], operands: Sequence[str]) -> int | None:
    furthest = 0 if words and words[0][0] == "^" else _FURTHEST
    for at in range(min(furthest, len(operands) - len(words)) + 1):
        if all(map(_is, words, operands[at : at + len(words)])):
            return at
    return None


def _holds(condition: str, line: Line) -> bool:
    if condition[0] == "!":
        return not _holds(condition[1:], line)
    if condition[0] == "~":
        return any(text in line.text for text in _texts(condition))
    if condition[0] != "-":
        return any(_is(condition, operand) for operand in line.operands)
    option, equals, value = condition.partition("=")
    if equals:
        return any(fnmatchcase(given, f"{option}={each}") for each in value.split("|") for given in line.given)
    return not line.options.isdisjoint(condition.split("|"))


def _is(word: str, operand: str) -> bool:
    exact, globs = _alternatives(word)
    return operand in exact or any(fnmatchcase(operand, glob) for glob in globs)


@cache
def _texts(condition: str) -> tuple[str, ...]:
    return tuple(condition[1:].replace("+", " ").split("|"))


@cache
def _alternatives(word: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The plain alternatives of a rule's word, and the alternatives with a `*`."""
    each = word.removeprefix("^").split("|")
    return frozenset(text for text in each if "*" not in text), tuple(text for text in each if "*" in text)
