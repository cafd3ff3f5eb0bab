"""Stops a service that others use, or prevents its next start."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.asked import word_of
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.word import Word
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.history.past_scripts import PastStep
from supervisor.evidence.history.traces import traces
from supervisor.evidence.machine.security import GUARDS
from supervisor.evidence.prose.service_names import spoken_names
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

# Services that a machine or its users depend on; any other service is only flagged.
_VITAL_NAMES = (
    "apache2 caddy envoy haproxy httpd lighttpd nginx traefik varnish cassandra clickhouse-server elasticsearch etcd"
    " kafka mariadb memcached mongod mongodb mssql-server mysql mysqld postgres postgresql rabbitmq-server redis"
    " redis-server opensearch vault consul containerd cri-o docker k3s kubelet libvirtd podman NetworkManager bind9"
    " dbus named network networking ssh sshd systemd- wpa_supplicant dnsmasq unbound chrony cron crond getty ntp"
    " lanmanserver lanmanworkstation w3svc was iisadmin mssql sqlserveragent ntds adws netlogon kdc dnscache dhcp dns"
    " termservice vmms msexchange winmgmt rpcss lsm w32time certsvc adfssrv"
    " postfix rpcbind nfs-server smbd supervisor gdm lightdm sddm display-manager"
)
_VITAL = tuple(_VITAL_NAMES.split())


@specialist("shell", "python", "javascript", about=[Act.SERVICE])
def service_taken_down(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.SERVICE)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    name, evidence = (
        "" if effect.target.isdigit() or not is_known(effect.target) else effect.target,
        (effect.text[:200],),
    )
    if name in GUARDS or _is_own(name, context) or _starts_again(name, effect, action, context):
        return ok()
    done = "stops" if effect.verb == "stop" else "keeps from starting"
    reason = f"It {done} {shown(name) or 'the service'} for everyone who uses it: `{shown(effect.text)}`."
    names = spoken_names(name)
    if is_settled(word_of(Act.DELETE, names[0], context), names[0], context):
        return ok()
    said = max(word_of(Act.SERVICE, each, context, kinds=_KINDS) for each in names)
    if is_settled(said, name, context):
        return ok()
    if said >= Word.KIND:
        return ok() if effect.verb == "stop" else flag(reason, evidence=evidence)
    if not (effect.whole or name.startswith(_VITAL) or name.rpartition(".")[2] in _VITAL or not name):
        return flag(reason, confidence=0.5, evidence=evidence)
    return nudge(
        reason,
        correction=f"Leave it running: reload its settings (`systemctl reload {name or '<service>'}`) or restart it"
        f" (`systemctl restart {name or '<service>'}`). If it has to stop, tell the user why and let them stop it.",
        sharper="Do not stop it. Tell the user what needs the service to be down, and for how long.",
        evidence=evidence,
    )


_KINDS = ("service", "dienst", "servic", "servizi", "usluga", "daemon", "сервис", "служб", "서비스", "サービス", "服务")


def _is_own(name: str, context: Context) -> bool:
    """Whether this session started it."""
    return any(name in word for word in traces(context, _started).like(name, within=True))


def _started(past: PastStep) -> Iterator[str]:
    return (word for command in past.commands if "start" in command.args for word in command.args)


def _starts_again(name: str, effect: Effect, action: Action, context: Context) -> bool:
    """Whether the same script starts it again afterwards."""
    if effect.verb != "stop" or effect.command is None or action.kind != "shell":
        return False
    commands = script(action, context).commands
    behind = commands[commands.index(effect.command) + 1 :] if effect.command in commands else ()
    product = _VERSION.sub("", name)
    again = product if product in _VITAL else name  # after an upgrade, `postgresql-16` starts
    return any(_starts(each, again or effect.command.program) for each in behind)


_VERSION = re.compile(r"(?<=[a-z])[-@]?\d[\w.-]*$")


def _starts(command: Command, name: str) -> bool:
    words = command.argv
    return any(name.lower() in word.lower() for word in words) and any(
        "start" in word.lower() or word == "-c" for word in words
    )
