"""What an action writes to be run or followed later: code, recipes, settings of programs.

It is judged as if it ran now, if its effect is unmistakable. What tests and packages of a guard contain as well (its
Python interfaces, changes that do not show) is judged when it runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.effects.guard import may_concern_guard
from supervisor.evidence.effects.guard.assets import Assets, may_name_asset
from supervisor.evidence.effects.guard.later_files import STANDS_IN, Later, sort_of, sort_with_text
from supervisor.evidence.effects.key_files import written
from supervisor.evidence.guard import directives
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.machine.agents import HOOKED
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.machine.command_files import as_script, commands_in
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command, shown

Reading = Callable[[Action, Context, Assets], Iterator[Disarming]]

_LONGEST = 256 * 1024
_GUESSED = "a line of a file"  # the tool's name in actions made of lines that may be no command
_ACTING = frozenset({Later.SETTINGS, Later.DIRECTIVES, Later.FOREIGN})
_FOLLOWED = frozenset({Later.SETTINGS, Later.WORDS, Later.DIRECTIVES, Later.COMMANDS, Later.FOREIGN})
_PLAIN = frozenset({How.CHANGED, How.STOPPED, How.REMOVED, How.ANSWERED})
_PAIR = re.compile(r'"([\w:.-]{1,64})"\s*:\s*"((?:[^"\\]|\\.){1,4096})"')
_NO_SCRIPTS = frozenset({"author", "description", "homepage", "license", "main", "name", "type", "version"})
_RULE = re.compile(r"^(?!\t)[\w./%$(){} -]{1,200}::?(?:$|\s.*)|^[\w.-]{1,64}\s*[:+?]?=.*", re.MULTILINE)
_ALIAS = re.compile(r"^\s*alias\s+(?:-\w+\s+)*[\w.-]+=(['\"])([^\n]{1,1000}?)\1", re.MULTILINE)
_SHADOWS = re.compile(
    r"^\s*(?:function\s+supervisor\b|supervisor\s*\(\s*\)|alias\s+supervisor=|\w+\s*;\s*supervisor\s*\(\s*\))",
    re.MULTILINE,
)


def read(action: Action, context: Context, known: Assets, readings: tuple[Reading, ...]) -> Iterator[Disarming]:
    """What the texts that an action writes will do to the guard, found with `readings`. Raises Unreadable as
    `effects` does."""
    for effect in effects(action, context).of(Act.WRITE, Act.PERSIST):
        text = "" if effect.is_remote else written(effect) or _printed(effect.command)
        if not text or len(text) >= _LONGEST:
            continue
        sort = _sort(effect, text, known)
        if sort in _CODE and not _may_lead_to_guard(text, context):
            continue
        for found in _of_text(sort, effect.target, text, action, context, known, readings):
            yield found._replace(done=f"writes {shown(effect.target)}, which {found.done}")


def _sort(effect: Effect, text: str, known: Assets) -> Later | None:
    if effect.target == "crontab":
        return Later.TIMES
    is_ours = known.at(effect.target) is not None  # other readings judge the guard's own files
    by_text = not is_ours and directives.may_concern(text, known)
    return sort_with_text(effect.target, text) if by_text else sort_of(effect.target)


_CODE = frozenset({Later.PYTHON, Later.JAVASCRIPT})
_COMPOSES = ("kill", "rmtree", "rmsync", "decode", "fromhex", "buffer.from", "atob", "walk")
_MAY = ("home", "glob", "~")
_MAY_COMPOSE = re.compile(r"home(?!_?page)|glob(?!al)|~[/'\"`\\]|['\"`]~|\s~\s", re.IGNORECASE)


def _may_lead_to_guard(text: str, context: Context) -> bool:
    """Whether code may act on the guard: it names an asset, or composes the names of what it acts on. A few searches,
    which most code does not pass."""
    return may_concern_guard(text) or may_name_asset(text, context.facts) or _may_compose(text)


def _may_compose(text: str) -> bool:
    """What `_MAY_COMPOSE` finds. To look for a word is a tenth of the search for all of them."""
    folded = text.casefold()
    return any(word in folded for word in _COMPOSES) or (
        any(word in folded for word in _MAY) and _MAY_COMPOSE.search(text) is not None
    )


def _printed(command: Command | None) -> str:
    """The format of `printf`, with its escapes resolved; "" for any other command."""
    given = command.operands() if command is not None and command.program == "printf" else []
    return ansi_c(given[0]) if given else ""


def _of_text(
    sort: Later | None,
    path: str,
    text: str,
    action: Action,
    context: Context,
    known: Assets,
    readings: tuple[Reading, ...],
) -> Iterator[Disarming]:
    if sort is None:
        return
    if sort is Later.WORDS:
        yield from directives.words_for_agents(text, shown(path))
    if sort in _FOLLOWED and sort is not Later.SETTINGS and not directives.may_concern(text, known):
        return
    if sort in _ACTING:
        yield from directives.acts_on(sort, text, known)
    if sort is Later.SHELL and (named := _SHADOWS.search(text)):
        yield Disarming(How.REMOVED, "puts another command in supervisor's place", shown(named[0].strip()))
    if (program := _stands_in(path, text, known)) is not None:
        yield Disarming(How.CHANGED, f"stands in for {program}, by which the guard is started", program)
    for later in _actions(sort, path, text, action, known):
        for read in readings:
            yield from (found for found in _found(read, later, context, known) if _is_plain(found, sort, text))


def _stands_in(path: str, text: str, known: Assets) -> str | None:
    """The interpreter of ours that a script would shadow in PATH. Links and binaries do not count: installers put those
    there."""
    found = STANDS_IN.search(path) if text.lstrip().startswith("#!") else None
    if found is None or found["name"] in HOOKED:
        return None
    ours = {asset.place.rpartition("/")[2] for asset in known.of(Sort.INTERPRETER)}
    return found["name"] if found["name"] in ours else None


def _found(read: Reading, later: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What a reading finds; nothing in a line that was only guessed to be a command and cannot be read."""
    try:
        yield from read(later, context, known)
    except Unreadable:
        if later.tool != _GUESSED:
            raise


def _is_plain(found: Disarming, sort: Later, text: str) -> bool:
    """Whether a finding is of a sort that a text of this sort does not contain by accident."""
    if sort in _CODE:
        return (found.how in _PLAIN and found.how is not How.ANSWERED) or (found.how is How.UNSEEN and "hooks" in text)
    if sort is Later.WORDS and found.how is How.UNSEEN:
        return "hooks" in text
    return found.how in _PLAIN or found.how is How.UNGUARDED


def _actions(sort: Later, path: str, text: str, action: Action, known: Assets) -> Iterator[Action]:
    if sort is Later.PYTHON:
        yield Action(action.tool, {"code": text}, "python")
    elif sort is Later.JAVASCRIPT:
        yield Action(action.tool, {"code": text}, "javascript")
    elif sort is Later.SHELL:
        yield Action(action.tool, {"command": text}, "shell")
        yield from (Action(_GUESSED, {"command": found[2]}, "shell") for found in _ALIAS.finditer(text))
    elif sort is Later.TIMES:
        later = commands_in("/etc/crontabs/crontab", text.replace(HOLE, "\n"))
        yield from (Action(action.tool, {"command": as_script(each)}, "shell") for each in later)
    elif sort is Later.RECIPES:
        lines = (line.strip().lstrip("@+-") for line in _RULE.sub("", text).splitlines())
        yield from (Action(action.tool, {"command": line.replace("$$", "$")}, "shell") for line in lines if line)
    elif sort is Later.SCRIPTS:
        for name, script in _PAIR.findall(text):
            if name not in _NO_SCRIPTS and " " in script:
                yield Action(action.tool, {"command": json.loads(f'"{script}"')}, "shell")
    else:
        commands = directives.commands_of(sort, path, text, known)
        yield from (Action(_GUESSED, {"command": each}, "shell") for each in commands if " " in each)
