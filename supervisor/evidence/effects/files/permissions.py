"""Programs that change the permissions of files. `content` is the mode, owner or access list that is set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command

_LETTERS = frozenset("RvcfhHLP")
_VERBS = {"chmod": "mode", "chown": "owner", "chgrp": "group", "chattr": "attributes", "setfacl": "acl"}


def _is_option(word: str) -> bool:
    """`-Rf` and `--verbose` are options; `-x`, `-rwx` and `+x` are modes."""
    return word.startswith("--") or (word.startswith("-") and len(word) > 1 and _LETTERS.issuperset(word[1:]))


def _changed(command: Command, ground: Ground) -> Iterator[Effect]:
    """`chmod 644 f`, `chmod -x f`, `chown -R u:g d`: the mode or owner comes before the files."""
    if command.has_flag("--help", "--version"):
        return
    words = [word for word in command.args if not _is_option(word)]
    if not any(word.startswith("--reference") for word in command.args):
        setting, words = "".join(words[:1]), words[1:]
    else:
        setting = ""
    tree = any(_is_recursive(word) for word in _options(command))
    verb = _VERBS[command.program]
    yield from (ground.on_path(Act.PERMISSION, word, command, verb=verb, whole=tree, content=setting) for word in words)


def _is_recursive(option: str) -> bool:
    """`-R`, `-vR`, `--recursive` and what GNU programs accept for it, as `--rec`."""
    if option.startswith("--"):
        return len(option) > 4 and "--recursive".startswith(option)
    return "R" in option


def _options(command: Command) -> Iterator[str]:
    return (word for word in command.args if _is_option(word))


_ACL_VALUED = frozenset({"-m", "--modify", "-x", "--remove", "-M", "-X", "--set", "--set-file", "--restore"})


def _listed(command: Command, ground: Ground) -> Iterator[Effect]:
    """`setfacl -R -m u:eve:rwx dir`."""
    setting = next((value for word, value in pairwise(command.args) if word == "-m"), "")
    setting = setting or next((word[2:] for word in command.args if word.startswith("-m") and len(word) > 2), "")
    tree = command.has_flag("-R", "--recursive", valued="mxMX")
    for word in command.operands(_ACL_VALUED):
        yield ground.on_path(Act.PERMISSION, word, command, verb="acl", whole=tree, content=setting)


def _made_with_mode(command: Command, ground: Ground) -> Iterator[Effect]:
    """`mkdir -m 777 d`, `touch f`."""
    words = command.operands(frozenset({"-m", "--mode", "-d", "-r", "-t", "--date", "--reference"}))
    verb = "make" if command.program == "mkdir" else "touch"
    yield from (ground.on_path(Act.WRITE, word, command, verb=verb) for word in words)
    mode = next((value for word, value in pairwise(command.args) if word == "-m"), None)
    if mode and command.program == "mkdir":
        yield from (ground.on_path(Act.PERMISSION, word, command, verb="mode", content=mode) for word in words)


def _sets_no_mode(words: Sequence[str]) -> bool:
    return not any(word.startswith("-") and "m" in word for word in words)


def gives_world_writing(setting: str) -> bool:
    """Whether a mode is world-writable: `777`, `0666`, `o+w`, `a=rwx`, but not `+w`, which the umask limits, nor that
    of a sticky directory (`1777`), in which users can delete only their own files."""
    if setting.isdecimal():
        sticky = len(setting) > 3 and int(setting[-4]) & 1
        return not sticky and int(setting[-1]) & 2 == 2
    for clause in setting.split(","):
        who = clause.rstrip("rwxXstugo").rstrip("+=").strip()
        what = clause[len(who) :]
        if who and set(who) & set("oa") and what[:1] in ("+", "=") and "w" in what:
            return True
    return False


def takes_search(setting: str) -> bool:
    """Whether others can no longer enter a directory or run a program: `000`, `750`, `a-x`, `-x`, `o=`, `go-rwx`."""
    if setting.isdecimal():
        return int(setting[-1]) & 1 == 0
    for clause in setting.split(","):
        who, sign, what = re.split(r"([-+=])", f"{clause}-", maxsplit=1)
        what = what.rstrip("-")
        if (not who or set(who) & set("oa")) and (
            (sign == "-" and "x" in what) or (sign == "=" and "x" not in what.lower())
        ):
            return bool(who) or sign == "-"
    return False


def drops_set_user_id(setting: str) -> bool:
    """Whether a mode takes the set-user-ID bit away: `755`, `0755`, `u-s`, but not `4755` and `u+s`."""
    if setting.isdecimal():
        return len(setting) < 4 or not int(setting[-4]) & 4
    return any("s" in clause.partition("-")[2] for clause in setting.split(","))


_MAY = frozenset({Act.PERMISSION})
PROGRAMS = {
    **dict.fromkeys(("chmod", "chown", "chgrp", "chattr"), Reading(_MAY, _changed)),
    "setfacl": Reading(_MAY, _listed),
    **dict.fromkeys(
        ("mkdir", "touch"), Reading(frozenset({Act.WRITE, Act.PERMISSION}), _made_with_mode, _sets_no_mode)
    ),
}
