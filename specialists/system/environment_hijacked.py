"""Makes every later program run foreign code: by a preloaded library, a search path or an alias of a command's name."""

from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.startup import hijacks
from supervisor.specialist import Action, Context, Finding, Opinion, block, ok, specialist


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.PERSIST])
def environment_hijacked(action: Action, context: Context) -> Opinion:
    findings = [_judge(each) for each in effects(action, context).of(Act.PERSIST)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect) -> Finding:
    deletes = effect.command is not None and effect.command.program in ("rm", "unlink", "truncate")
    if effect.verb == "preload" and not deletes:
        what = "a library into every program"
    elif effect.verb in ("rc", "autostart") and (hijack := hijacks(effect.content or "")):
        what = hijack
    else:
        return ok()
    return block(f"It puts {what} that starts from now on: `{shown(effect.text)}`.", evidence=(effect.text[:200],))
