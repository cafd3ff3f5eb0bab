"""Rules that can be derived from missed actions: the narrowest plain condition that all of them meet.

A rule names a tool, with an argument where that is what tells the missed calls from others, or a program with words of
its command line. It is a draft: a person turns it into a specialist, whose cases then decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from supervisor.action import Action, Context
from supervisor.catalog.scaffold import Draft
from supervisor.decision.exemptions import EXECUTES
from supervisor.errors import Unreadable
from supervisor.evidence.actions.scripts import script

Seen = tuple[Action, Context]
_WORD = re.compile(r"[a-z][a-z0-9-]{0,40}|--?[A-Za-z][A-Za-z0-9-]{0,40}")  # subcommands and options, no names of things
_PREPARES = frozenset("cd pushd popd echo printf pwd set export unset true false test [ : sleep".split())
_PROGRAM = re.compile(r"[A-Za-z0-9][\w.+-]{0,60}")
_TOOL = re.compile(r"[\w.:/-]{1,128}")
_IMPORTS = """\
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.shell import shown
"""
_OF_COMMANDS = """\
    for command in script(action, context).commands:
        if {condition}:
            return block(f"`{{shown(command.text)}}` <is what it is>.", evidence=(shown(command.text),))
    return ok()
"""
_OF_TOOL = """\
    if {condition}:
        return block(f"{{action.tool}} <does what it does>.", evidence=(action.tool,))
    return ok()
"""
_MOST_WORDS = 6
_LONGEST = 64  # characters of an argument's value


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition: a command that runs `program` with all of `words`, or a call of `tool`, whose argument `name` is
    `value` if there is a name."""

    kind: str
    program: str = ""
    words: tuple[str, ...] = ()
    tool: str = ""
    name: str = ""
    value: str | int | bool = ""

    @property
    def told(self) -> str:
        """The rule for people."""
        if self.program:
            return f"a command that runs {self.program}" + (f" with {' '.join(self.words)}" if self.words else "")
        return f"a call of {self.tool}" + (f" with {self.name} {self.value!r}" if self.name else "")

    @property
    def draft(self) -> Draft:
        """The rule as the question of a specialist."""
        if self.program:
            words = f" and {{{', '.join(map(repr, self.words))}}} <= set(command.args)" if self.words else ""
            return Draft(_IMPORTS, _OF_COMMANDS.format(condition=f"command.program == {self.program!r}{words}"))
        also = f" and action.args.get({self.name!r}) == {self.value!r}" if self.name else ""
        return Draft("", _OF_TOOL.format(condition=f"action.tool == {self.tool!r}{also}"))

    def fits(self, action: Action, context: Context) -> bool:
        """Whether an action meets it. One that cannot be read does not."""
        if action.kind != self.kind:
            return False
        if self.program:
            wanted = set(self.words)
            ran = (set(words) for program, words in _commands(action, context) if program == self.program)
            return any(wanted <= words for words in ran)
        return action.tool == self.tool and (not self.name or _is_same(action.args.get(self.name), self.value))


def derived(missed: Sequence[Seen], others: Sequence[Seen]) -> Rule | None:
    """The rule of actions that were missed, None if there is none: of those that fit all of them, the first that fits
    fewest of the others. The shorter rules come first."""
    best: tuple[int, Rule] | None = None
    for rule in _candidates(missed) if missed else ():
        if not all(rule.fits(*seen) for seen in missed):
            continue
        also = sum(rule.fits(*seen) for seen in others)
        if best is None or also < best[0]:
            best = also, rule
        if not also:
            break
    return best[1] if best else None


def _candidates(missed: Sequence[Seen]) -> Iterator[Rule]:
    """Rules that fit the first of the missed actions, the shorter before the longer."""
    action = missed[0][0]
    if action.kind == "shell":
        yield from sorted(_of_commands(missed), key=lambda rule: len(rule.words))
    elif action.kind not in EXECUTES and _TOOL.fullmatch(action.tool):
        whole = Rule(action.kind, tool=action.tool)
        yield whole
        for name, value in action.args.items():
            if _is_plain(value) and all(_is_same(each.args.get(name), value) for each, _ in missed):
                yield Rule(action.kind, tool=action.tool, name=name, value=value)


def _of_commands(missed: Sequence[Seen]) -> Iterator[Rule]:
    """For each command of the first action, rules with the first of the words that all actions give this program: with
    one word at least, where there is any, since what a program does is often its first word."""
    first, *rest = [_commands(*seen) for seen in missed]
    for program, args in first:
        if program in _PREPARES or not _PROGRAM.fullmatch(program):
            continue
        given = [[words for name, words in commands if name == program] for commands in rest]
        shared = [word for word in dict.fromkeys(args) if all(any(word in words for words in each) for each in given)]
        words = [word for word in shared if _WORD.fullmatch(word)][:_MOST_WORDS]
        for count in range(min(1, len(words)), len(words) + 1):
            yield Rule("shell", program, tuple(words[:count]))


def _commands(action: Action, context: Context) -> list[tuple[str, tuple[str, ...]]]:
    """The programs that an action runs, each with the words behind it; none if it cannot be read."""
    try:
        return [(each.program, each.args) for each in script(action, context).commands if not each.wraps]
    except Unreadable:
        return []


def _is_plain(value: object) -> bool:
    return isinstance(value, bool | int) or (isinstance(value, str) and 0 < len(value) <= _LONGEST)


def _is_same(one: object, other: object) -> bool:
    """Whether two values are the same. True is not 1."""
    return type(one) is type(other) and one == other
