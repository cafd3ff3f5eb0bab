"""On which hosts the commands of a shell action run."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command

_SSH = frozenset({"ssh", "slogin", "autossh", "mosh"})
_VALUED = frozenset("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B".split())


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
