"""Folders that a file lists as left out of a removal, and the removal that takes them along."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.acts import sort_of_words
from supervisor.evidence.reading.paths import within
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.shown.demands import demand
from supervisor.evidence.situation.warned import Warned, latest, said

_MOST = 40
_FILE = re.compile(r"(?<![\w./-])((?:~|\.{0,2})/?[\w.-]+(?:/[\w.-]+)*)")
_NEAR = 90  # characters between the word for "except" and the name of the file
_SHOWS = re.compile(r"\b(?:cat|less|more|head|tail|bat|type|gc|get-content|sed -n|grep|nl)\b", re.IGNORECASE)
_PATH = re.compile(r"^\s*[-*]?\s*((?:/|[A-Za-z]:\\)[^\s#]{1,200})")


class _Exempt(NamedTuple):
    path: str
    line: str


def may_be_exempt(text: str, context: Context) -> bool:
    """Whether the request leaves out what a file lists that the session has read."""
    return bool(context.history) and ("/" in text or "\\" in text) and bool(_exempt(context))


def takes_exempt(action: Action, context: Context) -> Warned | None:
    """The removal below a folder that contains what a file lists as left out."""
    if action.kind != "shell" or not may_be_exempt(action.text("command"), context):
        return None
    text = action.text("command")
    for command in script(action, context).commands:
        if not _removes(command, text):
            continue
        for each in _exempt(context):
            if _covers(command, each.path) and not _is_heeded(each, text, context):
                return Warned("what the file lists that the user leaves out", command.text[:200], each.line)
    return None


@lru_cache(maxsize=128)
def _files(task: str) -> list[str]:
    """The files that the request names behind a word for "except", or before it."""
    found = []
    for match in demand("except_in").finditer(task):
        near = task[max(0, match.start() - _NEAR) : match.end() + _NEAR]
        found += [name for name in _FILE.findall(near) if "/" in name.strip("/") or re.search(r"\w\.\w", name)]
    return [*dict.fromkeys(each.rstrip(".") for each in found)][:_MOST]


def _exempt(context: Context) -> tuple[_Exempt, ...]:
    """The paths that the files list, each with its line."""
    found: list[_Exempt] = []
    for name in _files(said(context)):
        shown = (past for past in latest(context) if name in past.command and _SHOWS.search(past.command))
        for past in islice(shown, 1):
            lines = ((_PATH.match(line), line) for line in past.lines[:_MOST])
            found += (_Exempt(match[1].rstrip("/\\*"), line) for match, line in lines if match)
    return tuple(found[:_MOST])


def _removes(command: Command, text: str) -> bool:
    """Whether a command removes, or finds what the script then removes."""
    if sort_of_words(command.program, command.args) == "delete":
        return True
    return command.program in ("find", "fd") and re.search(r"-delete\b|\b(?:rm|unlink|shred)\b", text) is not None


def _covers(command: Command, path: str) -> bool:
    return any(
        within(path, command.path(word).rstrip("/*") or "/")
        for word in command.args[:_MOST]
        if word.startswith(("/", "~", ".")) and not word.startswith("-")
    )


def _is_heeded(each: _Exempt, text: str, context: Context) -> bool:
    """Whether a script names what is left out, or the file that lists it."""
    last = each.path.rpartition("/")[2]
    return last in text or any(name.rpartition("/")[2] in text for name in _files(said(context)))
