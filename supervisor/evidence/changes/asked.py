"""Whether the user's own words request what an action does.

The task "delete the files below /srv/old" requests that deletion, so stopping the agent would not protect the user.
The output of tools and the text of pages are never the user's words.
"""

from __future__ import annotations

import re

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.effects.effect import Act, is_known
from supervisor.evidence.reading.paths import without_glob

_LONGEST = 16 * 1024  # characters of a task that are read
_WORD = re.compile(r"[a-z]+")
# The stems of the words with which users request each act.
_ASKS: dict[Act, tuple[str, ...]] = {
    Act.DELETE: (
        *("clean", "clear", "delet", "destroy", "discard", "empt", "eras", "purg", "remov", "rm", "wip"),
        *("borr", "elimin", "entfern", "fjern", "poist", "slett", "supprim", "verwijder"),
    ),
    Act.WRITE: ("append", "chang", "copy", "creat", "edit", "overwrit", "put", "replac", "sav", "set", "updat", "writ"),
    Act.MOVE: ("mov", "mv", "renam", "transfer"),
    Act.PERMISSION: ("chang", "chgrp", "chmod", "chown", "executabl", "grant", "group", "mod", "own", "permi", "set"),
    Act.PROCESS: ("end", "kill", "restart", "stop", "terminat"),
    Act.SERVICE: ("disabl", "enabl", "reload", "restart", "start", "stop"),
    Act.SYSTEM: ("boot", "disabl", "flush", "format", "halt", "load", "mount", "power", "reboot", "shut", "unload"),
    Act.DATABASE: ("creat", "delet", "drop", "empt", "flush", "insert", "remov", "reset", "truncat", "updat"),
    Act.RESOURCE: ("delet", "destroy", "drop", "purg", "remov", "tear", "terminat", "wip"),
    Act.REPOSITORY: ("amend", "clean", "delet", "discard", "drop", "forc", "push", "rebas", "remov", "reset", "rewrit"),
    Act.SEND: ("copy", "post", "publish", "push", "send", "shar", "sync", "transfer", "upload"),
    Act.EXPOSE: ("bind", "expos", "forward", "listen", "ngrok", "public", "revers", "shar", "tunnel"),
    Act.RECEIVE: ("clon", "download", "fetch", "get", "pull"),
    Act.INSTALL: ("add", "get", "instal", "setup", "upgrad"),
}


@reader
def _words(action: Action, context: Context) -> frozenset[str]:
    """The words of the task, in lower case."""
    return frozenset(_WORD.findall((context.task or "")[:_LONGEST].lower()))


def asks_for(act: Act, target: str, action: Action, context: Context) -> bool:
    """Whether the task requests this act and names this target: a path, a host, a table, a resource."""
    name = without_glob(target)
    return is_known(name) and is_named(name, context) and asks_to(act, action, context)


def asks_to(act: Act, action: Action, context: Context) -> bool:
    """Whether the task requests this act on any target."""
    stems = _ASKS.get(act, ())
    return bool(stems) and task_mentions(action, context, *stems)


def task_mentions(action: Action, context: Context, *stems: str) -> bool:
    """Whether the task has a word that begins with one of these stems, for acts that are not in the table."""
    return any(word.startswith(stems) for word in _words(action, context))


def is_named(target: str, context: Context) -> bool:
    """Whether the task contains a target's name as a separate word."""
    task = (context.task or "")[:_LONGEST]
    found = task.find(target) if target.strip("./~") else -1
    while found >= 0:
        before, after = task[found - 1 : found], task[found + len(target) : found + len(target) + 1]
        if not (before.isalnum() or after.isalnum()):
            return True
        found = task.find(target, found + 1)
    return False
