"""The grammar that the tools of clouds and platforms share: nouns, a verb, a target, and the extent of the effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Ground
from supervisor.evidence.effects.platforms.data import Program, programs
from supervisor.evidence.effects.platforms.line import (
    FORCES,
    environment_of,
    is_rehearsal,
    is_whole,
    line_of,
    operands_of,
    target_of,
)
from supervisor.evidence.effects.platforms.pattern import Line, OperationRule, first_of
from supervisor.evidence.effects.platforms.resource import Resource, Sort
from supervisor.evidence.effects.platforms.words import DESTRUCTIVE_VERBS, creates, sort_of, word_of
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell.commands import Command

_DEEPEST = 8  # operands that are searched for the verb
_MILD = frozenset({"stop", "silence", "detach", "revoke", "cancel"})  # verbs whose effect can be undone
_DESTROYS = frozenset({"delete", "purge", "reset", "overwrite"})
NOT_OURS = frozenset({Sort.TRIVIAL, Sort.REPOSITORY})
_EVERY = "*"  # the entry whose rules apply to every tool
UNLISTED = Program()


class Phrase(NamedTuple):
    """The meaning of a line's words: `verb` is one of DESTRUCTIVE_VERBS, "reads", "makes", "runs" or empty."""

    verb: str = ""
    nouns: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


def read(command: Command, ground: Ground) -> Iterable[Effect]:
    """The resources that a listed tool changes."""
    program = programs()[command.program]
    line = line_of(command, program.values, program.stdin)
    if is_rehearsal(line):
        return
    found = first_of(program.parsed_rules, line)
    if found:
        yield from _by_rule(*found, command, line, program)
    elif not program.opaque:
        yield from _by_words(command, line, program)


def _by_rule(rule: OperationRule, place: int, command: Command, line: Line, program: Program) -> Iterator[Resource]:
    if rule.verb == "nothing" or ("each" in rule.marks and not names_all(command)):
        return
    words, end = operands_of(command, program.values), place + len(rule.words)
    nouns = _nouns_in(words[:end])
    sought = rule.sought  # words of the rule itself are no targets
    targets = tuple(word for word in words[end:] if word.lower() not in sought) if sought else tuple(words[end:])
    if "kind" in rule.marks and len(targets) > 1 and "/" not in targets[0]:
        nouns, targets = (*nouns, targets[0].lower()), targets[1:]
    phrase = Phrase(rule.verb, nouns, targets)
    effect = resource(command, line, phrase, rule.sort or sort_for(nouns, program), program)
    effect.whole = effect.whole or "whole" in rule.marks
    effect.forced = effect.forced or "forced" in rule.marks
    effect.reversible = "mild" in rule.marks and not names_all(command)
    yield effect


def names_all(command: Command) -> bool:
    """Whether the targets are all that the same tool lists without a condition: `docker stop $(docker ps -q)`."""
    return any(
        source.program == command.program and not any(word.startswith(_SELECTS) for word in source.args)
        for _, source in command.sources
    )


_SELECTS = ("-l", "--selector", "--field-selector", "--filter")


def may_mean_all(command: Command, program: Program) -> bool:
    """Whether a command line has an effect if its targets are all that the tool lists."""
    found = first_of(program.parsed_rules, line_of(command, program.values))
    return found is not None and "each" in found[0].marks


def _nouns_in(words: Sequence[str]) -> tuple[str, ...]:
    """The nouns of a rule's own words. If no word is one of DESTRUCTIVE_VERBS, the last word is the verb."""
    read = [word_of(word.partition("/")[0]) for word in words]
    named = any(word.does in DESTRUCTIVE_VERBS.values() for word in read)
    return tuple(noun for word in (read if named else read[:-1]) for noun in word.nouns)


def _by_words(command: Command, line: Line, program: Program) -> Iterator[Resource]:
    phrase = phrase_of(operands_of(command, program.values), program)
    if phrase.verb in ("reads", "runs"):
        return
    if phrase.verb in ("", "makes"):
        general = programs()[_EVERY].parsed_rules
        found = first_of(general, line)
        yield from _by_rule(*found, command, line, program) if found else ()
        return
    sort = sort_for(phrase.nouns, program)
    if sort not in NOT_OURS:
        yield resource(command, line, phrase, sort, program)


def sort_for(nouns: tuple[str, ...], program: Program) -> Sort:
    """The sort of resource that these nouns name for a tool."""
    own: Mapping[str, Sort] = program.nouns
    found = next((own[noun] for noun in reversed(nouns) if noun in own), None) or sort_of(nouns)
    if found in (None, Sort.INFRASTRUCTURE) and program.sort:
        return program.sort
    return found or Sort.INFRASTRUCTURE


def phrase_of(words: Sequence[str], program: Program) -> Phrase:
    """Finds the verb, which is the first word that can be one. Names and nouns before it are its nouns."""
    nouns: tuple[str, ...] = ()
    for at, text in enumerate(words[:_DEEPEST]):
        word = word_of(text) if "/" not in text and program.verb_at in (None, at) else word_of("")
        verb_follows = any(each in DESTRUCTIVE_VERBS for each in words[at + 1 : at + 3])
        if text in program.runs:
            return Phrase("runs")
        if word.does in ("reads", "makes") and not (word.alone and verb_follows):
            return Phrase(word.does)
        if word.does not in ("", "reads", "makes"):
            return _with_noun(word.does, (*nouns, *word.nouns), tuple(words[at + 1 :]))
        nouns = (*nouns, *(word.nouns or (text.lower(),)))
    return Phrase()


def _with_noun(verb: str, nouns: tuple[str, ...], targets: tuple[str, ...]) -> Phrase:
    """A verb that comes first has its noun after it: `delete ns/payments`, `delete deployment,svc web`."""
    if nouns or not targets:
        return Phrase(verb, nouns, targets)
    kind, _, name = targets[0].partition("/")
    behind = word_of(kind.partition(",")[0])
    if sort_of(behind.nouns) is None:
        return Phrase(verb, nouns, targets)
    return Phrase(verb, behind.nouns, (name, *targets[1:]) if name else targets[1:])


def resource(command: Command, line: Line, phrase: Phrase, sort: Sort, program: Program) -> Resource:
    """The effect that a command line has."""
    product = program.product or command.program
    named = phrase.targets if programs()[_EVERY].on_last.isdisjoint(line.operands[:2]) else phrase.targets[-1:]
    target = target_of(line, named) or " ".join(phrase.nouns) or product
    listed = names_all(command)
    whole = listed or is_whole(line, phrase.targets)
    return Resource(
        Act.RESOURCE,
        target,
        Place.REMOTE,
        phrase.verb,
        whole,
        phrase.verb in _MILD and not listed,
        command.text,
        command=command,
        product=product,
        noun=" ".join(phrase.nouns),
        sort=sort,
        environment=environment_of(command),
        forced=not line.options.isdisjoint(FORCES - program.values),
        listed=program is not UNLISTED,
    )


def is_made(command: Command) -> bool:
    """Whether a command creates what it names: `create`, `mb`, `run --name`, but not a creation that destroys
    (`create-invalidation`)."""
    program = programs().get(command.program, UNLISTED)
    found = first_of(program.parsed_rules, line_of(command, program.values, program.stdin))
    destroys = found is not None and found[0].verb in _DESTROYS
    return not destroys and any(creates(word) for word in operands_of(command)[:_DEEPEST])


def is_looked_at(command: Command) -> bool:
    """Whether a command only shows what it names: a listing, a plan, a dry run."""
    line = line_of(command, frozenset())
    named = command.program if command.program[:1].isupper() else ""  # a cmdlet: `Get-VMSnapshot`
    return is_rehearsal(line) or any(word_of(word).does == "reads" for word in (named, *line.operands[:_DEEPEST]))


def is_tried(command: Command) -> bool:
    """Whether a command only shows what it would do: a plan, a dry run."""
    line = line_of(command, frozenset())
    return is_rehearsal(line) or any(word in ("plan", "preview", "diff") for word in line.operands[:2])
