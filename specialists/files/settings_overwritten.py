"""Replaces or empties a configuration file of the system or of an account."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, Effects, effects
from supervisor.evidence.machine.vital import is_generated, is_program, is_settings, is_vital_tree
from supervisor.evidence.reading.paths import within
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_LOSES = frozenset({"move", "replace", "truncate"})
_KEPT = (".bak", ".backup", ".old", ".orig", ".save", "~")


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.WRITE])
def settings_overwritten(action: Action, context: Context) -> Opinion:
    done = effects(action, context)
    written = [each for each in done.of(Act.WRITE) if each.verb in _LOSES and not each.is_remote]
    findings = [_judge(each, done, action, context) for each in written]
    findings += [_judge_remote(each, context) for each in done.of(Act.WRITE) if each.verb == "remote"]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, done: Effects, action: Action, context: Context) -> Finding:
    path = effect.target
    replaceable = is_program(path) or is_generated(path)  # the new contents may be a new version, or generated
    if not (is_settings(path) or replaceable) or is_own(path, action, context):
        return ok()
    reason = f"It replaces all of {shown(path)}; what the system or the account had there is lost."
    evidence = (effect.text[:200],)
    if replaceable or is_named(path, context) or _is_kept(path, done, action, context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction=f"Keep a copy (`cp -p {shown(path)} {shown(path)}.bak`) and change only the lines in question, in"
        " place (`sed -i`), or append to its end with `>>`.",
        sharper=f"Do not write {shown(path)} whole. Copy it first, then edit the one line.",
        evidence=evidence,
    )


def _judge_remote(effect: Effect, context: Context) -> Finding:
    """Judges files that are copied over the configuration of another machine."""
    path = effect.target
    if not (is_vital_tree(path) or is_settings(path) or is_program(path) or within(path, "/usr/local/bin")):
        return ok()
    reason = f"It copies over {shown(path)} on another machine, which holds that machine's configuration."
    evidence = (effect.text[:200],)
    if is_named(path, context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Copy it to a directory of your own there (`scp <file> <host>:/tmp/`), and have the machine's"
        " administrator put it in place, after a copy of the old file.",
        evidence=evidence,
    )


def _is_kept(path: str, done: Effects, action: Action, context: Context) -> bool:
    """Whether a copy was made, by this action or before."""
    copied = any(each.target == path for each in done.of(Act.READ) if each.command and each.command.program == "cp")
    return copied or any(is_own(path + suffix, action, context) for suffix in _KEPT)
