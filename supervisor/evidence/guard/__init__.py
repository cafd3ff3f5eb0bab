"""What an action does to the guard that judges it: to its places, its processes, its hooks and its channels.

`supervisor.evidence.effects.guard` reads what the action's text alone shows. This package compares that with the
assets of the running guard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.guard import may_concern_guard
from supervisor.evidence.effects.guard.assets import Assets, assets
from supervisor.evidence.guard import (
    channels,
    cmdlets,
    direct,
    environments,
    flows,
    forwarded_texts,
    host_environment,
    indirect,
    lasting,
    later,
    listed_places,
    places,
    process_code,
    processes,
    taken_out,
    unmodelled,
)
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.shell.inner import word_set

__all__ = ["Disarming", "How", "disarmings"]

_Reading = Callable[..., Iterator[Disarming]]
_BY_EFFECTS: tuple[_Reading, ...] = (
    direct.read,
    places.read,
    places.read_unpacked,
    processes.read,
    process_code.read,
    lasting.read,
    environments.read,
    host_environment.read,
)
_BY_NAMES: tuple[_Reading, ...] = (
    places.read_secrets,
    taken_out.read,
    indirect.read,
    unmodelled.read,
    flows.read,
    listed_places.read,
    channels.read,
)
_ALL = (*_BY_EFFECTS, *_BY_NAMES)
_ON_FILES: tuple[_Reading, ...] = (places.read, lasting.read)
# Programs that do nothing to processes, packages and what surrounds the guard, whatever their arguments are.
_EVERYDAY = word_set(
    "[ basename cat cd cut diff dirname echo egrep false fgrep file fmt git grep head jq less ls mkdir mypy nl paste"
    " pwd pytest realpath rg ruff sort stat tail test tr tree true tsc uniq wc which"
)
_WRITTEN = (Act.WRITE, Act.PERSIST)
# What can act on an asset without naming it: patterns, `..`, mounts over a parent folder, and code that composes names.
_UNNAMED = re.compile(r"[*?\[$`{]|\.\.")
_UNNAMED_BY = tuple(
    "python node deno bun tsx perl ruby php lua awk osascript mount bindfs unionfs overlayfs sshfs encfs gocryptfs"
    " pivot_root docker podman nerdctl".split()
)


@reader
def disarmings(action: Action, context: Context) -> tuple[Disarming, ...]:
    """Everything that an action does to the guard, the most direct first. Raises Unreadable as `effects` does."""
    known = assets(action, context)
    if cmdlets.is_powershell(action):
        lines = forwarded_texts.read_lines(cmdlets.plain_lines(action), context, known, _ALL)
        if found := (*cmdlets.read(action, context, known), *lines):
            return found
    readings = _readings(action, context, known)
    now = [found for read in readings for found in read(action, context, known)]
    handed_on = forwarded_texts.read(action, context, known, _ALL) if readings is _ALL else ()
    written = not effects(action, context).acts.isdisjoint(_WRITTEN)
    return (*now, *(later.read(action, context, known, _ALL) if written else ()), *handed_on)


def _readings(action: Action, context: Context, known: Assets) -> tuple[_Reading, ...]:
    """The readings that may find something. An everyday command that names no asset can only change files."""
    if _may_name(action, context, known):
        return _ALL
    if all(command.program in _EVERYDAY for command in script(action, context).commands):
        return _ON_FILES
    return _BY_EFFECTS


def _may_name(action: Action, context: Context, known: Assets) -> bool:
    """Whether an action may name an asset of the guard. Most commands name none."""
    if action.kind != "shell" or known.may_be_named_in(context.cwd or ""):
        return True
    texts = [text for _, text in action.strings()]
    if any(_UNNAMED.search(text) for text in texts) or any(name in text for text in texts for name in _UNNAMED_BY):
        return True
    return any(may_concern_guard(text) or known.may_be_named_in(text) for text in texts)
