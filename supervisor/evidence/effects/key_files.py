"""Files whose change has a further effect: it grants rights, hides traces or makes something persist.

Examples are a crontab, a shell's start-up file, sudoers and a log. The further effects are derived from the effects on
files, whether a program, a redirection, an editing tool or code has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.effects.effect import Act, Effect, Effects, Meaning
from supervisor.evidence.machine.places import changes
from supervisor.evidence.reading.paths import with_parents
from supervisor.evidence.shell.printed import output_of

_CHANGES = frozenset({Act.WRITE, Act.DELETE, Act.MOVE, Act.PERMISSION})
_WHOLE = frozenset({"link", "mirror", "move", "replace", "truncate"})

_SET_USER_ID = re.compile(r"0*[4-7]\d\d[0-7]|(?:[ugoa]*u[ugoa]*|a?)[+=][rwxXt]*s[rwxXst]*")
_HOME = re.compile(r"/(?:root|(?:home|Users)/[^/]+)(?=/)")
_GIT_HOOK = re.compile(r"(?:.*/)?\.git/(?:modules/.+/)?hooks/(?P<name>[a-z0-9-]+)")
_STARTS_PYTHON = re.compile(r".*/(?:site|dist)-packages/(?:(?:site|user)customize\.py|[^/]+\.pth)")


def _read(files: Effects) -> Iterator[Effect]:
    """The further effects of the effects on files."""
    for effect in files.of(*_CHANGES):
        if effect.is_contained:
            continue
        meaning = _set_id(effect) if effect.act is Act.PERMISSION else meaning_of(effect.target)
        if meaning is None:
            continue
        act, verb = meaning
        gone = effect.act in (Act.DELETE, Act.MOVE)
        if gone and act is Act.PERSIST:
            if verb != "cron":
                continue  # a deleted unit or start-up file no longer persists
            verb = "clear"
        if gone and verb == "key":
            continue
        whole = gone or effect.verb in _WHOLE
        yield Effect(act, effect.target, effect.scope, verb, whole, False, effect.text, written(effect), effect.command)


def _set_id(effect: Effect) -> tuple[Act, str] | None:
    """The act and the verb if a change of permissions makes a file run with the rights of its owner."""
    sets = effect.verb == "mode" and sets_user_id(effect.content or "")
    return (Act.PRIVILEGE, "setuid") if sets else None


def sets_user_id(mode: str) -> bool:
    """Whether a mode sets the set-user-ID bit: `4755`, `u+s`, `+s`, but not `g+s` and `u-s`."""
    return any(_SET_USER_ID.fullmatch(part) for part in mode.split(","))


def meaning_of(path: str) -> tuple[Act, str] | None:
    """The act and the verb that a change of a resolved path has; None for most paths. The nearest entry decides."""
    home = _HOME.match(path)
    spelt = f"~{path[home.end() :]}" if home else path
    known = changes() if spelt.startswith(("/", "~")) else {}
    for each in with_parents(spelt) if known else ():
        if each in known:
            act, verb, name = known[each]
            return (Act(act), verb) if each == spelt or name.endswith("/") else None
    if _GIT_HOOK.fullmatch(path) and not path.endswith("sample"):
        return Act.PERSIST, "git-hook"
    if path.endswith("/release_agent"):
        return Act.PRIVILEGE, "escape"
    return (Act.PERSIST, "start-up") if _STARTS_PYTHON.fullmatch(path) else None


def written(effect: Effect) -> str | None:
    """The written text, if the action contains it; for an edit in place, the arguments of the command that edits."""
    if effect.content is not None or effect.command is None:
        return effect.content
    command = effect.command
    if command.program in ("sed", "gsed", "perl", "ex", "ed", "awk", "gawk"):
        return " ".join(command.args)
    output = output_of(command) if command.argv or command.writers else None
    return output if output is not None else command.stdin


MEANING = Meaning(_CHANGES, frozenset({Act.PERSIST, Act.PRIVILEGE, Act.HISTORY, Act.SYSTEM}), _read)
