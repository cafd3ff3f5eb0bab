"""What an action writes for somebody to run, or to follow, later: code, recipes, settings of programs that run by
themselves. It is judged as if it ran now, where nobody could mistake it; what belongs to whoever tests or packages a
guard (its Python interfaces, changes that do not show) waits until it runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from supervisor.action import Action, Context
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.guard import may_concern_guard
from supervisor.evidence.effects.guard.assets import PRIVATE, Assets, may_name_asset
from supervisor.evidence.effects.guard.later_files import Later, sort_of
from supervisor.evidence.effects.key_files import written
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.machine.command_files import as_script, commands_in
from supervisor.evidence.reading.escapes import ansi_c
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command, shown

Reading = Callable[[Action, Context, Assets], Iterator[Disarming]]

_LONGEST = 256 * 1024
_PLAIN = frozenset({How.CHANGED, How.STOPPED, How.REMOVED, How.ANSWERED})
_PAIR = re.compile(r'"([\w:.-]{1,64})"\s*:\s*"((?:[^"\\]|\\.){1,4096})"')
_NO_SCRIPTS = frozenset({"author", "description", "homepage", "license", "main", "name", "type", "version"})
_RULE = re.compile(r"^(?!\t)[\w./%$(){} -]{1,200}::?(?:$|\s.*)|^[\w.-]{1,64}\s*[:+?]?=.*", re.MULTILINE)
_SHADOWS = re.compile(
    r"^\s*(?:function\s+supervisor\b|supervisor\s*\(\s*\)|alias\s+supervisor=|\w+\s*;\s*supervisor\s*\(\s*\))",
    re.MULTILINE,
)
_ANSWERS = re.compile(r"[^.\n]*\bsupervisor\s+(?:approve|stop|install\s[^\n`]{0,60}--undo)\b")
_FORBIDS = re.compile(r"\b(?:never|not|don't|nobody|only a person|must ask|human)\b", re.IGNORECASE)


def read(action: Action, context: Context, known: Assets, readings: tuple[Reading, ...]) -> Iterator[Disarming]:
    """What is written to be run later, by the readings of what runs now."""
    for effect in effects(action, context).of(Act.WRITE, Act.PERSIST):
        text = "" if effect.is_remote else written(effect) or _printed(effect.command)
        sort = Later.TIMES if effect.target == "crontab" else sort_of(effect.target)
        sort = sort if text and len(text) < _LONGEST else None
        if text and sort is not None and (sort not in _CODE or _may_lead_to_guard(text, context)):
            for found in _of_text(sort, text, action, context, known, readings):
                yield found._replace(done=f"writes {shown(effect.target)}, which {found.done}")


_CODE = frozenset({Later.PYTHON, Later.JAVASCRIPT})
_LEADS = re.compile(r"kill|rmtree|rmSync|decode|fromhex|Buffer|atob|home|~|glob|walk", re.IGNORECASE)


def _may_lead_to_guard(text: str, context: Context) -> bool:
    """Whether code may do something to the guard: it names what is the guard's, or does not name what it acts on.
    Bounded work: most code that is written has nothing of either."""
    return may_concern_guard(text) or may_name_asset(text, context.facts) or _LEADS.search(text) is not None


def _printed(command: Command | None) -> str:
    """What `printf` is given to print, with its escapes."""
    given = command.operands() if command is not None and command.program == "printf" else []
    return ansi_c(given[0]) if given else ""


def _of_text(
    sort: Later, text: str, action: Action, context: Context, known: Assets, readings: tuple[Reading, ...]
) -> Iterator[Disarming]:
    if sort is Later.SETTINGS:
        yield from _named(text, known)
    elif sort is Later.WORDS:
        found = _ANSWERS.search(text)
        if found is not None and not _FORBIDS.search(found[0]):
            yield Disarming(How.ANSWERED, f"has an agent run `{shown(found[0].strip())}`", shown(found[0].strip()))
    else:
        if sort is Later.SHELL and (named := _SHADOWS.search(text)):
            yield Disarming(How.REMOVED, "puts another command in supervisor's place", shown(named[0].strip()))
        for later in _actions(sort, text, action):
            for read in readings:
                yield from (found for found in read(later, context, known) if _is_plain(found, sort, text))


def _is_plain(found: Disarming, sort: Later, text: str) -> bool:
    """Whether what would be done is one of the deeds that nobody writes down by the way."""
    if sort in _CODE:
        return (found.how in _PLAIN and found.how is not How.ANSWERED) or (found.how is How.UNSEEN and "hooks" in text)
    return found.how in _PLAIN or found.how is How.UNGUARDED


def _actions(sort: Later, text: str, action: Action) -> Iterator[Action]:
    if sort is Later.PYTHON:
        yield Action(action.tool, {"code": text}, "python")
    elif sort is Later.JAVASCRIPT:
        yield Action(action.tool, {"code": text}, "javascript")
    elif sort is Later.SHELL:
        yield Action(action.tool, {"command": text}, "shell")
    elif sort is Later.TIMES:
        later = commands_in("/etc/crontabs/crontab", text.replace(HOLE, "\n"))
        yield from (Action(action.tool, {"command": as_script(each)}, "shell") for each in later)
    elif sort is Later.RECIPES:
        lines = (line.strip().lstrip("@+-") for line in _RULE.sub("", text).splitlines())
        yield from (Action(action.tool, {"command": line.replace("$$", "$")}, "shell") for line in lines if line)
    else:
        for name, script in _PAIR.findall(text):
            if name not in _NO_SCRIPTS and " " in script:
                yield Action(action.tool, {"command": json.loads(f'"{script}"')}, "shell")


def _named(text: str, known: Assets) -> Iterator[Disarming]:
    """The guard's places in the settings of what rotates, removes or confines."""
    for word in re.findall(r"[~/][^\s'\"{},;]{2,4096}", text):
        asset = known.at(word.rstrip("/"))
        if asset is not None and (asset.sort in PRIVATE or asset.sort in (Sort.CODE, Sort.INTERPRETER)):
            yield Disarming(How.CHANGED, f"acts on {shown(word)}", shown(word))
            return
