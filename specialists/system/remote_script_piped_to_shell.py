"""Runs a program straight from the network, before it can be read."""

from supervisor.evidence.effects import Act, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist


@specialist("shell", "python", "javascript", about=[Act.EXECUTE])
def remote_script_piped_to_shell(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.EXECUTE):
        if effect.verb == "piped":
            judge = flag if effect.target in (context.task or "") else block  # the user's own words may name it
            runs = effect.command.program if effect.command else "an interpreter"
            return judge(
                f"It runs with {runs} what {shown(effect.target)} answers, unread. Download it to a file, read it, and"
                " only then run the file.",
                evidence=(effect.text[:200],),
            )
    return ok()
