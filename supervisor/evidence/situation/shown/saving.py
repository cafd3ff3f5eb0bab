"""Whether an action deletes what should have been saved first, although that failed or nobody waits for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.acts import words
from supervisor.evidence.history.past_scripts import latest_steps
from supervisor.evidence.reading.paths import within
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.shown.states import state
from supervisor.evidence.situation.warned import texts_run

_LATEST = 6  # steps in which a failed copy counts
_MOST_OUTPUT = 16 * 1024
_GUARDED = re.compile(r"\bif\b|set -\w*e")  # before a copy
_CHECKED = re.compile(r"&&|\bif\b|set -\w*e|\|\|\s*(?:exit|return)|\btest\b|\[ ")


class Unsaved(NamedTuple):
    """What is deleted, the copy that should have been made, and why it may be missing."""

    name: str
    copy: str
    why: str


def deleted_unsaved(action: Action, context: Context) -> tuple[Deed, Unsaved] | None:
    """The first deletion of the source of a copy that failed before, or whose failure would not stop it."""
    deletions = [deed for deed in deeds(action, context) if deed.sort == "delete"]
    if not deletions:
        return None
    for deed in deletions:
        if found := _after_failure(deed, context) or _whatever_happens(deed, action, context):
            return deed, found
    return None


def _after_failure(deed: Deed, context: Context) -> Unsaved | None:
    for past in latest_steps(context, _LATEST) if context.history else ():
        for command in past.commands:
            if _is_copy(command) and (name := _common(deed, command)):
                output = past.step.text[-_MOST_OUTPUT:]
                if past.step.failed or state("failed").search(output):
                    return Unsaved(name, command.text, "it failed")
                return None
    return None


def _whatever_happens(deed: Deed, action: Action, context: Context) -> Unsaved | None:
    """A deletion in the same script that runs also if the copy fails: `tar …; rm …`."""
    for text in texts_run(action, context):
        until = text.find(deed.command.text)
        for command in script(action, context).commands:
            start = text.find(command.text)
            if not 0 <= start < until or not _is_copy(command) or command is deed.command:
                continue
            name = _common(deed, command)
            if name and not (_GUARDED.search(text[:start]) or _CHECKED.search(text[start:until])):
                return Unsaved(name, command.text, "its failure would not stop the deletion")
    return None


def _is_copy(command: Command) -> bool:
    if command.program in words("copies"):
        return True
    return not words("copying").isdisjoint(command.args[:4])


def _common(deed: Deed, copy: Command) -> str:
    """A thing that is deleted and that the copy takes."""
    taken = [word for word in copy.args if not word.startswith("-")]
    taken = taken[:-1] if copy.program in ("cp", "rsync", "scp") and len(taken) > 1 else taken
    return next((word for word in _operands(deed) for each in taken if _is_same(word, each, deed, copy)), "")


def _operands(deed: Deed) -> Iterator[str]:
    return islice((word for word in deed.targets if len(word) > 1), 50)


def _is_same(word: str, taken: str, deed: Deed, copy: Command) -> bool:
    word, taken = word.partition("@")[0], taken.partition("@")[0]
    if "/" in word or "/" in taken:
        path, source = deed.command.path(word), copy.path(taken)
        return path.count("/") > 1 and (path == source or within(source, path) or within(path, source))
    return len(word) > 2 and word == taken
