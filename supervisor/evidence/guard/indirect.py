"""Indirect ways to the guard: its unit over D-Bus, its variables in a tool's arguments, its programs replaced by a
link, a diversion or a preloaded library, an agent in a sandbox that hides it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.effects.guard.own_program import CHANGES, words_of
from supervisor.evidence.effects.guard.variables import LOADERS, OWN
from supervisor.evidence.guard.calls import modules_of
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.processes import is_unit, origins
from supervisor.evidence.machine.agents import HOOKED
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.reading.paths import resolve
from supervisor.evidence.shell import Command, shown

# Methods of org.freedesktop.systemd1.Manager that end a unit or keep it from running.
_ON_BUS = re.compile(r"\b(?:Stop|Kill|Disable|Mask|Freeze|Reset|Remove)Unit\w*")
_UNIT = re.compile(r"\bsupervisor(?:-guard|-daemon)?\.(?:service|socket)\b")
_SANDBOXES = frozenset("bwrap firejail nsjail minijail0 systemd-nspawn proot fakechroot".split())
_HIDES = ("--tmpfs", "--bind", "--ro-bind", "--blacklist", "--private", "--read-only", "--overlay", "--unsetenv")
_EMPTY = ("--private", "--clearenv", "--net=none")
_DIVERTS = {
    "dpkg-divert": ("--list", "--listpackage", "--truename"),
    "update-alternatives": ("--display", "--query", "--list", "--get-selections"),
    **dict.fromkeys(
        "patchelf strip setcap upx aa-enforce aa-disable restorecon chcon".split(), ("-l", "--print-rpath")
    ),
}
_FILLS_DISK = frozenset({"fallocate", "truncate", "head", "dd", "mkfile", "stress-ng"})  # up to all free space
_LINKER = re.compile(r"/etc/ld\.so\.conf(?:\.d/[^/]+)?")
_NETWORK = frozenset({"ip", "ifconfig", "ifdown", "tc", "nmcli"})
_LOOPBACK = frozenset({"lo", "lo0", "127.0.0.1/8", "127.0.0.1"})
_CUTS = frozenset({"down", "del", "delete", "flush", "netem", "tbf", "disconnect"})
_HOSTS = {"@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli"}
_PACKERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_REMOVES = frozenset({"uninstall", "remove", "rm", "un", "unlink"})
_FINDS_FIRST = re.compile(r"(?:^~|^/(?:.+/)?[\w.-]+|^/usr/local)/\.?(?:local/)?s?bin/(?P<name>[\w.-]+)$")
_SETS = re.compile(
    r"(?i)^(?!.*(?:get|list|read|show|describe|search|find)).*(?:env|variable|setting|config|secret|export)"
)
_DEEPEST = 3


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action does to the guard in an indirect way. Raises Unreadable as `script` does."""
    yield from _by_arguments(action)
    if action.kind not in RUNNERS:
        return
    for command in run_by(action, context).commands:
        if not command.remote and (how := _how(command, known)) is not None:
            yield Disarming(how, f"runs `{shown(command.text)}`", shown(command.text))
    for code, _ in modules_of(action, context):
        source = code.source.decode("utf-8", "replace")
        if (unit := _UNIT.search(source)) and (method := _ON_BUS.search(source)):
            yield Disarming(How.STOPPED, f"calls {method[0]} on {unit[0]}", unit[0])
    yield from _stand_ins(action, context, known)


def _by_arguments(action: Action) -> Iterator[Disarming]:
    """A variable of ours among a tool's arguments: `{"env": {"SUPERVISOR_POLICY": …}}`, `{"name": …, "value": …}`."""
    name = next((key for key in _keys(action.args) if key in OWN), "")
    if not name and action.kind == "tool" and _SETS.match(action.tool.rpartition("__")[2]):
        name = next((text for _, text in action.strings() if text.partition("=")[0] in OWN), "").partition("=")[0]
    if name:
        yield Disarming(How.REMOVED, f"sets {name} by {shown(action.tool)}", name)


def _keys(args: Mapping[str, Any], deep: int = 0) -> Iterator[str]:
    for key, value in args.items():
        yield str(key)
        if isinstance(value, Mapping) and deep < _DEEPEST:
            yield from _keys(value, deep + 1)


def _how(command: Command, known: Assets) -> How | None:
    program, args = command.program, command.args
    calls_bus = program not in ("grep", "rg", "git", "echo") and any(map(_ON_BUS.search, args))
    if calls_bus and any(_UNIT.search(word) or is_unit(word) for word in args):
        return How.STOPPED
    if program in _SANDBOXES and _hides_guard(command, known):
        return How.UNGUARDED
    if program in _NETWORK and not _LOOPBACK.isdisjoint(args) and not _CUTS.isdisjoint(args):
        return How.CHANGED
    if program == "faketime" and "serve" in args and any(word.rpartition("/")[2] == "supervisor" for word in args):
        return How.CLOCK
    if program in _FILLS_DISK and any(each.program == "df" for each in origins(command)):
        return How.CHANGED
    if program in _DIVERTS and not any(word in _DIVERTS[program] for word in args):
        return How.CHANGED if any(_is_interpreter(word, command, known) for word in args) else None
    if program in _PACKERS and _REMOVES.intersection(args) and any(word in _HOSTS for word in args):
        return How.REMOVED
    words = words_of(command)
    if words and not LOADERS.isdisjoint(name for name, _ in command.environment):
        return How.STEERED if not CHANGES.intersection(words[:1]) and words[0] != "verify" else How.CHANGED
    return How.CLOCK if words[:1] == ("serve",) and "faketime" in command.wrappers else None


def _is_interpreter(word: str, command: Command, known: Assets) -> bool:
    """Whether a word is an interpreter of ours: by its path or, for `update-alternatives`, by its name."""
    if command.program == "update-alternatives" and "/" not in word:
        return any(asset.place.rpartition("/")[2] == word for asset in known.of(Sort.INTERPRETER))
    asset = known.at(command.path(word)) if "/" in word else None
    return asset is not None and asset.sort == Sort.INTERPRETER


def _hides_guard(command: Command, known: Assets) -> bool:
    """Whether a sandbox starts an agent and hides the guard's places from it."""
    names = [word.rpartition("/")[2] for word in command.args]
    if not any(name in HOOKED for name in names):
        return False
    if any(word.startswith(_EMPTY) for word in command.args):
        return True
    for option, value in pairwise((*command.args, "")):
        name, _, attached = option.partition("=")
        given = attached or value
        if name in _HIDES and given not in ("/", "") and "/" in given:
            path = command.path(given)
            if known.at(path) or (known.below(path) if name in ("--tmpfs", "--blacklist", "--private") else None):
                return True
    return command.program == "bwrap" and ("/", "/") not in set(pairwise(command.args))


def _stand_ins(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """A link or copy of another program under the name of a host or of our interpreter, in a directory of PATH."""
    ours = {asset.place.rpartition("/")[2] for asset in known.of(Sort.INTERPRETER)} | {*HOOKED}
    for effect in effects(action, context).of(Act.WRITE):
        if _LINKER.fullmatch(effect.target) and not effect.is_remote:
            yield Disarming(How.STEERED, f"changes {shown(effect.target)}", effect.target)
        found = _FINDS_FIRST.match(effect.target)
        command = effect.command
        if (
            found is None
            or found["name"] not in ours
            or command is None
            or command.program not in ("ln", "cp", "install")
        ):
            continue
        sources = command.operands()[:-1]
        leads = resolve(sources[0], command.cwd) if sources else ""
        if leads and _is_another(leads, found["name"]):
            yield Disarming(How.CHANGED, f"puts {shown(leads)} in the place of {found['name']}", found["name"])


def _is_another(source: str, name: str) -> bool:
    """Whether a stand-in's file has another name than the program, or lies in a world-writable directory."""
    if source.startswith(("/usr/bin/python", "/opt/", "/usr/local/lib")):
        return False
    return source.rpartition("/")[2].split("-")[0] != name or source.startswith(("/tmp/", "/var/tmp/"))
