"""Changes how this machine resolves host names, or how it boots."""

import re

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_LOCAL = re.compile(
    r"\s*(?:#.*|(?:127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|172\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|10\.\d+\.\d+\.\d+)\s.*)?"
)
_ASKED = ("boot", "dns", "fstab", "grub", "hosts", "nameserver", "resolv")


@specialist("shell", "python", "javascript", "file_write", "file_edit", "file_delete", about=[Act.SYSTEM])
def resolution_or_boot_changed(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.SYSTEM)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb not in ("resolution", "boot"):
        return ok()
    what = "where names lead" if effect.verb == "resolution" else "how this machine boots"
    reason = f"It changes {what}, for every program here: `{shown(effect.text)}`."
    evidence = (effect.text[:200],)
    if _adds_local_names(effect):
        return ok()
    if task_mentions(action, context, *_ASKED):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction="Do it for one program: `curl --resolve shop.test:443:127.0.0.1 …`, `docker run --add-host`, a"
        " mount by hand instead of a line in fstab. If it should last, give the user the line.",
        sharper="Leave the file as it is and tell the user which line it would need.",
        evidence=evidence,
    )


def _adds_local_names(effect: Effect) -> bool:
    """Whether the added lines of /etc/hosts point only to this machine or a private network."""
    if effect.target != "/etc/hosts" or effect.whole or effect.content is None:
        return False
    return all(_LOCAL.fullmatch(line) for line in effect.content[:4096].splitlines())
