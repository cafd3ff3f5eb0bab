"""Gives an account or a program more rights on the machine: by sudoers, a privileged group, a set-user-ID bit."""

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_ASKED = ("admin", "capabil", "docker", "group", "owner", "privileg", "setuid", "sudo", "suid", "wheel")
_HOW = {
    "group": "It puts {0}: members of that group can become root",
    "root": "It gives {0} the id 0, which is root",
    "setuid": "Every user runs {0} with its owner's rights from now on",
    "capability": "It gives {0} a capability that is equivalent to root",
    "grant": "It changes {0}, which defines who may use which account",
}


@specialist("shell", "python", "javascript", "file_write", "file_edit", "file_delete", about=[Act.PRIVILEGE])
def privilege_widened(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.PRIVILEGE)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb not in _HOW:
        return ok()
    evidence = (effect.text[:200],)
    reason = _HOW[effect.verb].format(shown(effect.target) or "it") + f": `{shown(effect.text)}`."
    removes = effect.command is not None and effect.command.program in ("rm", "unlink")
    if removes or effect.target.endswith(" in docker") or task_mentions(action, context, *_ASKED):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Grant no rights. Run the one command that needs root with sudo, or give the file to the account"
        " that needs it (`sudo install -o app -g app <file> <target>`).",
        sharper="Tell the user which command lacks which right; do not grant it.",
        evidence=evidence,
    )
