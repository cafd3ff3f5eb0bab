"""Opens access to this machine from the internet."""

import re

from supervisor.evidence.changes.asked import asks_to
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.effects.hosts import place_of_host
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_PORT = re.compile(r"(?<![\d.:-])(?:localhost:|127\.0\.0\.1:)?(\d{4,5})(?![\d.:-])")
_SAYS = {
    "tunnel": "It opens a tunnel with {}: anyone on the internet who has its address reaches this machine.",
    "forward": "It has {} forward a port to this machine, past every firewall between them.",
    "terminal": "It serves a terminal with {} to every address, where visitors run commands on this machine.",
}


@specialist("shell", "python", "javascript", about=[Act.EXPOSE])
def machine_exposed_by_tunnel(action: Action, context: Context) -> Opinion:
    flagged: Finding | None = None
    for effect in effects(action, context).of(Act.EXPOSE):
        near = effect.verb == "forward" and place_of_host(effect.target) is not Place.REMOTE
        if effect.verb not in _SAYS or near:
            continue
        reason, evidence = _SAYS[effect.verb].format(shown(effect.target)), (effect.text[:200],)
        asked = asks_to(Act.EXPOSE, action, context) or effect.target in (context.task or "")
        if asked and not _is_on_other_port(effect, context):
            flagged = flagged or flag(reason, evidence=evidence)
            continue
        return nudge(
            reason,
            correction="Keep the service on 127.0.0.1 and test it there with curl; if it must be open to the outside,"
            " ask the user first.",
            evidence=evidence,
        )
    return flagged or ok()


def _is_on_other_port(effect: Effect, context: Context) -> bool:
    """Whether the user names ports, and this one is another."""
    asked, opened = set(_PORT.findall(context.task or "")), set(_PORT.findall(effect.text))
    return bool(asked and opened) and asked.isdisjoint(opened)
