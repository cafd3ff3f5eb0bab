"""Reads a file that its own output empties: `sort list > list` leaves nothing.

A shell opens and truncates the target of `>` before the command that reads it begins (POSIX.1-2024, 2.7.2).
"""

from collections.abc import Iterator

from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.own_output import STREAMING, own_output
from supervisor.evidence.effects import Act, effects, is_known
from supervisor.evidence.prose.request_names import named_in
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_LONGEST = 16  # commands of a pipeline


@specialist("shell", about=[Act.WRITE, Act.DEED])
def overwritten_by_own_output(action: Action, context: Context) -> Opinion:
    for command in script(action, context).commands:
        if (name := own_output(command.argv)) and _is_lost(command, action, context):
            return _renamed(name, command)
        words = [each.target for each in command.redirects if each.writes and ">>" not in each.operator]
        if command.program == "tee" and not command.has_flag("-a", "--append"):
            words += command.operands()
        emptied = {path for path in map(command.path, words) if not path.startswith("/dev/")}
        if not emptied:
            continue
        before = list(_pipeline(command))
        for read in effects(action, context).of(Act.READ):
            if read.command in before and read.target in emptied and is_known(read.target) and not read.whole:
                return _corrected(read.target, command)
    return ok()


def _pipeline(command: Command) -> Iterator[Command]:
    """A command, those within it and those before it in its pipeline."""
    pending = [command]
    for _ in range(_LONGEST):
        if not pending:
            return
        here = pending.pop()
        yield here
        pending.extend((*here.upstream, *here.writers))


def _is_lost(command: Command, action: Action, context: Context) -> bool:
    """Whether the output is opened before the input is read, or the user named another file for it."""
    if command.program in STREAMING:
        return True
    files = [name for name in named_in(context.task or "").names if "." in name[1:-1] and "/" not in name]
    return len(files) > 0 and not any(name in action.text("command") for name in files)


def _renamed(name: str, command: Command) -> Opinion:
    return nudge(
        f"`{shown(command.text)}` writes onto {shown(name)} while it reads it, so what is in it is lost.",
        correction=f"Write to another name, check the result, and rename it: `-o {shown(name)}.new`.",
        sharper=f"Leave {shown(name)} as it is, and write to the file that the user names.",
        evidence=(command.text[:200],),
    )


def _corrected(path: str, command: Command) -> Opinion:
    name = shown(path.rpartition("/")[2])
    return nudge(
        f"`> {name}` empties {shown(path)} before it is read, so what is in it is lost.",
        correction=f"Write to another file and rename it on success: `sort {name} > {name}.new && mv"
        f" {name}.new {name}`; `sed -i` and `sort -o` write in place by themselves.",
        sharper=f"Write the output to a new name, never to {name} itself.",
        evidence=(command.text[:200],),
    )
