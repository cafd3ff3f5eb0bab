"""Coprocesses: `coproc NAME { …; }` reads what goes to `${NAME[1]}`, and prints what `${NAME[0]}` gives."""

from __future__ import annotations

from collections.abc import Sequence

from supervisor.evidence.shell.builtins import array
from supervisor.evidence.shell.commands import Command, Redirect
from supervisor.evidence.shell.state import Shell

PRINTS, READS = "/dev/fd/63", "/dev/fd/60"  # the descriptors that Bash gives the first coprocess


def connect_coprocess(command: Command, ran: Sequence[Command], shell: Shell) -> None:
    """Gives the commands of a coprocess its two pipes, and the shell the variable with their names."""
    words = command.args
    name = words[0] if len(words) > 1 and words[1] in ("{", "(") else "COPROC"
    shell.variables[name] = array([PRINTS, READS])
    for each in ran:
        if not (each.upstream or each.wraps or any(one.operator.startswith("<") for one in each.redirects)):
            each.redirects += (Redirect("<", READS),)
        if not (each.wraps or each.redirects_output):
            each.redirects += (Redirect(">", PRINTS),)
