"""Gives an account or a program more power over the machine: sudoers, a powerful group, a set-user-ID bit."""

from supervisor.evidence.changes.asked import says
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_ASKED = ("admin", "capabil", "docker", "group", "owner", "privileg", "setuid", "sudo", "suid", "wheel")
_HOW = {
    "group": "It puts {0}: whoever is in that group can become root",
    "root": "It gives {0} the id 0, which is root",
    "setuid": "Whoever runs {0} does so as its owner from now on",
    "capability": "It gives {0} a capability that makes root of it",
    "grant": "It changes {0}, which says who may become whom",
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
    if removes or effect.target.endswith(" in docker") or says(action, context, *_ASKED):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction="Leave who may become root as it is. Run the one command that needs it with sudo, or hand the file"
        " to the account that needs it (`sudo install -o app -g app <file> <target>`).",
        sharper="Tell the user which command lacks which right; do not grant it.",
        evidence=evidence,
    )
