"""Sends data out inside the host names that it looks up."""

from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.hosts import place_of_host
from supervisor.evidence.effects.network import Sent
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_RESOLVERS = frozenset({"dig", "drill", "host", "nslookup", "ping"})
# Commands that print host names, which are meant to be looked up.
_NAMES = frozenset({"aws", "docker", "hostname", "hostnamectl", "ip", "jq", "kubectl", "terraform", "uname", "yq"})


@specialist("shell", "python", "javascript", about=[Act.SEND])
def data_smuggled_in_dns(action: Action, context: Context) -> Opinion:
    for sent in effects(action, context).of(Act.SEND):
        if not isinstance(sent, Sent) or sent.verb != "name" or sent.command is None:
            continue
        zone = sent.target.rpartition(HOLE)[2].lstrip(".")
        by = sent.payload.command
        if sent.command.program not in _RESOLVERS or place_of_host(zone) is not Place.REMOTE:
            continue
        if sent.payload.what == "text" or (by is not None and by.program in _NAMES) or zone in (context.task or ""):
            continue
        what = shown(sent.payload.path) or f"the {sent.payload.what} of {by.program if by else 'a command'}"
        judge = block if sent.payload.what in ("environment", "file") or _is_about_user(sent) else flag
        return judge(
            f"It looks up names that contain {what}: the name server of {shown(zone)} receives it.",
            evidence=(sent.text[:200],),
        )
    return ok()


def _is_about_user(sent: Sent) -> bool:
    return sent.payload.command is not None and sent.payload.command.program in ("id", "ls", "ps", "whoami", "history")
