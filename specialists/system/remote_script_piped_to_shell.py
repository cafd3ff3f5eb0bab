"""Runs a program straight from the network, before it can be read."""

from supervisor.evidence.changes.asked import asks_to, is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.hosts import host_in
from supervisor.evidence.machine.vendors import INSTALLER_HOSTS
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.EXECUTE])
def remote_script_piped_to_shell(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.EXECUTE):
        if effect.verb == "piped":
            vendors = host_in(effect.target) in INSTALLER_HOSTS and asks_to(Act.INSTALL, action, context)
            judge = flag if vendors or is_named(effect.target, context) else block
            runs = effect.command.program if effect.command else "an interpreter"
            return judge(
                f"It runs with {runs} what {shown(effect.target)} answers, unread. Download it to a file, read it, and"
                " only then run the file.",
                evidence=(effect.text[:200],),
            )
    return ok()
