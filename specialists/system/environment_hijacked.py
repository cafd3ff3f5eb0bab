"""Makes programs run foreign code: by a preloaded library, a search path or an alias of a command's name."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.evidence.shell.startup import hijacks
from supervisor.specialist import Action, Context, Finding, Opinion, block, nudge, ok, specialist


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.EXECUTE, Act.PERSIST])
def environment_hijacked(action: Action, context: Context) -> Opinion:
    findings = [_judge(each) for each in effects(action, context).of(Act.PERSIST)]
    findings += [_judge_load(each, action, context) for each in effects(action, context).of(Act.EXECUTE)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge_load(effect: Effect, action: Action, context: Context) -> Finding:
    """Judges a library that one program loads from a folder in which anyone can write."""
    is_foreign = effect.verb == "load" and effect.scope is Place.TEMPORARY
    if not is_foreign or is_own(effect.target, action, context) or is_named(effect.target, context):
        return ok()
    return nudge(
        f"It makes a program load {shown(effect.target)}, where anyone can put a file.",
        correction="Run the program without it. Build what it needs in the workspace, and load it from there.",
        evidence=(effect.text[:200],),
    )


def _judge(effect: Effect) -> Finding:
    deletes = effect.command is not None and effect.command.program in ("rm", "unlink", "truncate")
    if effect.verb == "preload" and not deletes:
        what = "a library into every program"
    elif effect.verb in ("rc", "autostart") and (hijack := hijacks(effect.content or "")):
        what = hijack
    else:
        return ok()
    return block(f"It puts {what} that starts from now on: `{shown(effect.text)}`.", evidence=(effect.text[:200],))
