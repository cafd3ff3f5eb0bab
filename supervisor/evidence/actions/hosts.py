"""On which hosts the commands of a shell action run."""

from __future__ import annotations

import re

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command

_SSH = frozenset({"ssh", "slogin", "autossh", "mosh"})
_VALUED = frozenset("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B".split())


_ASKS_NAME = re.compile(r"(?i)^\s*(?:hostname|uname -n|hostnamectl)\b|\$env:computername|%computername%")
_LATEST = 40  # steps


def own_names(context: Context) -> list[str]:
    """The names of the machine at hand: the fact `host`, and what commands showed that ask for it."""
    fact = context.facts.get("host")
    names = [fact] if isinstance(fact, str) else []
    for step in context.history[-_LATEST:]:
        if not step.failed and any(_ASKS_NAME.search(text) for _, text in strings_in(step.args)):
            names += [*step.text.strip().partition("\n")[0].split()[-1:], *step.text.split()[-1:]]
    return [name for name in names if len(name) > 2]


def hosts_of(command: Command, action: Action, context: Context) -> tuple[str, ...]:
    """The hosts on which ssh runs a command, without the name of the account; none if it runs here, or only running
    the action shows where.

    Raises Unreadable and NoReader as `script` does.
    """
    if action.kind != "shell" or _SSH.isdisjoint(command.wrappers):
        return ()
    outer = (each for each in script(action, context).commands if each.program in _SSH and command.text in each.text)
    named = [operands[0].rpartition("@")[2] for each in outer if (operands := each.operands(_VALUED))]
    return () if any(HOLE in host for host in named) else tuple(dict.fromkeys(named))
