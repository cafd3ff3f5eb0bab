"""Mirrors a directory and deletes, without a review, the files that exist only in the destination."""

from supervisor.evidence.changes.asked import asks_to
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.past_scripts import latest_steps
from supervisor.evidence.reading.paths import REBUILT, Place
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_RECENT = 8  # steps of the history in which a rehearsal counts


@specialist("shell", "python", "javascript", about=[Act.DELETE])
def mirror_deletes_destination(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.DELETE):
        if effect.verb != "mirror" or effect.reversible or _is_harmless(effect, action, context):
            continue
        reason = f"It deletes the files that exist only in {shown(effect.target)}, and they were not listed before."
        built = effect.command is not None and _is_built(effect.command)
        if built or asks_to(Act.DELETE, action, context) or "mirror" in (context.task or "").lower():
            return flag(reason, evidence=(effect.text[:200],))
        return nudge(
            reason,
            correction="Rehearse it with `--dry-run --itemize-changes` and read the lines that begin with `*deleting`;"
            " then run it with `--backup --backup-dir=<directory>`, which keeps what it deletes, or with"
            " `--max-delete=<number>`.",
            sharper="First run it with --dry-run.",
            evidence=(effect.text[:200],),
        )
    return ok()


def _is_harmless(effect: Effect, action: Action, context: Context) -> bool:
    """Whether the destination is temporary, rebuilt, or the agent's own, or the mirror was rehearsed before."""
    if effect.scope is Place.TEMPORARY or not REBUILT.isdisjoint(effect.target.lower().split("/")):
        return True
    return is_own(effect.target, action, context) or _was_rehearsed(context)


def _is_built(command: Command) -> bool:
    """Whether the source is a whole build, which is to replace the destination."""
    return any(not REBUILT.isdisjoint(word.lower().split("/")) for word in command.operands()[:-1])


def _was_rehearsed(context: Context) -> bool:
    commands = (command for each in latest_steps(context, _RECENT) for command in each.commands)
    return any(each.program == "rsync" and each.has_flag("-n", "--dry-run", valued="efTMB") for each in commands)
