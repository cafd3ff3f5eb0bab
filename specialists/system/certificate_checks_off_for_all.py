"""Makes a program accept any certificate or host key from now on, in its settings instead of for one call, or removes
the known key of a host."""

import re

from supervisor.evidence.changes.asked import is_named, task_mentions
from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.machine.security import trusts_anyone
from supervisor.evidence.shell import shown
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_ASKED = ("cert", "insecure", "ssl", "tls")
_HOST_KEYS = ("fingerprint", "known", "rebuil", "reinstal")

_LESSON = Lesson(
    fault="makes a program trust any server",
    correction="Keep the check on, and name the authority that signs the server's certificate (`cafile`, `ca_file`,"
    " `NODE_EXTRA_CA_CERTS`).",
    sharper="Ask the user for the certificate of the authority that signs this host; do not switch the check off.",
)


@specialist(
    "shell",
    "python",
    "javascript",
    "file_write",
    "file_edit",
    about=[Act.SYSTEM, Act.PERSIST, Act.SETTING],
)
def certificate_checks_off_for_all(action: Action, context: Context) -> Opinion:
    found = effects(action, context).of(Act.SYSTEM, Act.PERSIST)
    findings = [_judge(each, action, context) for each in found]
    findings.append(set_wrongly(Fault.CHECKS, _LESSON, action, context))
    return max(findings, key=lambda finding: finding.verdict)


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb == "forget-host":
        return _forgotten(effect, action, context)
    if effect.verb not in ("certificates", "rc"):
        return ok()
    if effect.target.startswith(("/", "~")) and not trusts_anyone(effect.content or ""):
        return ok()
    reason = f"From now on every connection of that program trusts any server: `{shown(effect.text)}`."
    if task_mentions(action, context, *_ASKED):
        return flag(reason, evidence=(effect.text[:200],))
    return nudge(
        reason,
        correction="Keep the check and add the authority: `git config --global http.sslCAInfo <ca.pem>`,"
        " `npm config set cafile <ca.pem>`, `pip config set global.cert <ca.pem>`, a line in known_hosts.",
        sharper="Ask the user for the certificate of the authority that signs this host; do not switch the check off.",
        evidence=(effect.text[:200],),
    )


def _forgotten(effect: Effect, action: Action, context: Context) -> Finding:
    """Judges the removal of a line of known_hosts, by which another server in the host's place is recognised."""
    host = shown(effect.target)
    reason = f"It removes the known key of {host}, so that any server that answers next in its place is trusted."
    if task_mentions(action, context, *_HOST_KEYS):
        if is_named(effect.target, context) and _compares(action):
            return ok()
        return flag(reason, evidence=(effect.text[:200],))
    return nudge(
        reason,
        correction=f"First compare the keys: `ssh-keygen -F {host} -l` shows the known one, `ssh-keyscan {host} |"
        " ssh-keygen -lf -` the present one; have the host's administrator confirm the new one.",
        sharper="Leave known_hosts as it is and tell the user that the host's key has changed.",
        evidence=(effect.text[:200],),
    )


_COMPARES = re.compile(
    r"\bssh-keygen\b[^\n]{0,60}\s-\w*l[^\n]{0,200}(?:(?:\||&&)\s*(?:sudo\s)?grep\s|\bdiff\b|\bcmp\b"
    r"|==?)[^\n]{0,300}&&"
)


def _compares(action: Action) -> bool:
    """Whether the new key is added only if its fingerprint is the one that is known from elsewhere."""
    return _COMPARES.search(action.text("command").replace("\\\n", " ")[:8_192]) is not None
