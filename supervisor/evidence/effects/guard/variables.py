"""The variables that steer the guard, its interpreters and its agents, and what a script does to them.

Verbs of Act.GUARD: "disarm" (a variable of ours is set or unset), "steer" (a variable of the interpreters is exported
to later commands). `content` is the variable's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from supervisor.evidence.effects.effect import Act, Effect
from supervisor.evidence.effects.guard.own_program import reads_only
from supervisor.evidence.machine.agents import HOMES
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell.commands import Command, Script
from supervisor.evidence.shell.variables import sets_or_unsets

# Ours: the paths of the policy, the socket and the token, the daemon's URL, the wait, and the verdict on failure.
OWN = frozenset(f"SUPERVISOR_{name}" for name in "ON_FAILURE PATIENCE POLICY SOCKET TOKEN_FILE URL".split())
# Variables with which Perl, Python or the loader runs foreign code before a program's own.
LOADERS = frozenset(
    "PERL5DB PERL5LIB PERL5OPT PERLLIB PYTHONHOME PYTHONUSERBASE LD_AUDIT LD_PRELOAD DYLD_INSERT_LIBRARIES".split()
)
# Those that count in files and for later sessions. For one session, projects set PYTHONPATH for their tests.
LASTING = LOADERS | {"PYTHONPATH"}
_EXPORTS = ("export", "declare", "typeset")
_LASTS = re.compile(r"set-environment|setenv|import-environment|setx")
# Each alternative begins with a literal letter, so that the search can skip to one.
_NAMED = re.compile("|".join(sorted((*OWN, *LASTING, *HOMES, "CLAUDE_CODE_SIMPLE", "HOME="))))
_OTHER_SHELLS = re.compile(
    r"(?:^|[\s;&|'\"])(?:set\s+-\w*[xeU]\w*|setenv|unsetenv)\s+(SUPERVISOR_\w+)"
)  # fish(1), csh(1)
_OVERRIDES = frozenset({"env", "sudo", "doas"})


def may_name_any(text: str) -> bool:
    """Whether a text names one of these variables."""
    return _NAMED.search(text) is not None


def effects_of(read: Script) -> Iterator[Effect]:
    """What a script does to these variables, in any part of it. Raises Unreadable as `parse` does."""
    for text in read.texts:
        for name in sorted(OWN):
            if name in text and sets_or_unsets(text, name) and not _only_for_reading(read, text, name):
                yield Effect(Act.GUARD, f"sets or unsets {name}", Place.SYSTEM, "disarm", text=text[:200], content=name)
        for found in _OTHER_SHELLS.finditer(text):
            if found[1] in OWN:
                yield Effect(Act.GUARD, f"sets {found[1]}", Place.SYSTEM, "disarm", text=text[:200], content=found[1])
    for command in read.commands:
        yield from () if command.remote else _of_command(command)


def _only_for_reading(read: Script, text: str, name: str) -> bool:
    """Whether a variable is set for one command of ours that only reads: `SUPERVISOR_URL=… supervisor log`."""
    readers = [each for each in read.commands if name in dict(each.environment) and reads_only(each)]
    return bool(readers) and text.count(f"{name}=") == 1 and "export" not in text


def _of_command(command: Command) -> Iterator[Effect]:
    if command.program in _OVERRIDES:
        for word in command.args:
            name = word.partition("=")[0].removeprefix("--unset=").removeprefix("-u")
            if name in OWN or (word in OWN and command.program == "env"):
                yield _changed(command, "disarm", name)
    elif command.program in _EXPORTS and not command.has_flag("-p", "-n"):
        for word in command.args:
            name, equals, _ = word.partition("=")
            if name in LOADERS and equals:
                yield _changed(command, "steer", name)
    elif command.program in ("systemctl", "launchctl", "setx"):
        yield from _for_all(command)


def _for_all(command: Command) -> Iterator[Effect]:
    """`systemctl --user set-environment PERL5OPT=…`, `launchctl setenv CODEX_HOME …`: for all later programs."""
    if command.program == "setx" or any(_LASTS.fullmatch(word) for word in command.args):
        for word, _ in pairwise((*command.args, "")):
            name = word.partition("=")[0]
            if name in OWN or name in LASTING or name in HOMES:
                yield _changed(command, "disarm", name)


def _changed(command: Command, verb: str, name: str) -> Effect:
    description = f"sets {name} for `{command.text}`"
    return Effect(Act.GUARD, description, Place.SYSTEM, verb, text=command.text, content=name, command=command)
