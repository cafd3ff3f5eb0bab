"""What programs do to services: stop them, or prevent them from starting again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from supervisor.evidence.effects.command_lines import effect_of, is_contained, merged, quiet_without, shows_only, table
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command

# The verbs of each manager that stop or disable a service, and the verb of the effect.
_STOPS = {
    "stop": "stop",
    "kill": "stop",
    "disable": "disable",
    "mask": "mask",
    "bootout": "disable",
    "remove": "disable",
}
_STOPS |= {"unload": "disable", "del": "disable", "delete": "disable", "off": "disable", "isolate": "stop"}
_MANAGERS = {
    "systemctl": "stop kill disable mask isolate",
    "launchctl": "stop unload disable bootout remove kill",
    "supervisorctl": "stop remove",
    "initctl": "stop",
    "sv": "stop",
    "rc-update": "del delete",
    "sc": "stop delete",
    "sc.exe": "stop delete",
    "net": "stop",
}
_VALUED = frozenset({"-H", "--host", "-M", "--machine", "-s", "--signal", "-t", "-n", "-c"})


def service_name(word: str) -> str:
    """`nginx` for `nginx.service`, `system/nginx` and `/etc/systemd/system/nginx.service`."""
    return word.rpartition("/")[2].removesuffix(".service").removesuffix(".socket").removesuffix(".plist")


def _managed(command: Command, _: Ground) -> Iterator[Effect]:
    """Managers whose verb comes first: `systemctl stop nginx redis`."""
    operands = command.operands(_VALUED)
    if command.program.startswith("sc") and operands and operands[0].startswith(("\\\\", "/unc/")):
        operands = operands[1:]  # the host
    verbs = _MANAGERS[command.program].split()
    if not operands or operands[0] not in verbs or _is_off_limits(command):
        return
    for word in operands[1:]:
        if command.program.startswith("net") and word.startswith("/"):
            continue
        yield effect_of(Act.SERVICE, _STOPS[operands[0]], service_name(word), command, whole=word in ("all", "*"))


def _named_first(command: Command, _: Ground) -> Iterator[Effect]:
    """Managers whose verb comes last: `service nginx stop`, `rc-service nginx stop`, `chkconfig nginx off`."""
    operands = command.operands()
    if len(operands) > 1 and operands[-1] in ("stop", "off", "disable", "zap") and not _is_off_limits(command):
        yield effect_of(Act.SERVICE, _STOPS.get(operands[-1], "stop"), service_name(operands[0]), command)


def _by_rc(command: Command, _: Ground) -> Iterator[Effect]:
    """`update-rc.d nginx disable`, `update-rc.d -f nginx remove`."""
    operands = command.operands()
    if len(operands) > 1 and operands[1] in ("disable", "remove") and not _is_off_limits(command):
        yield effect_of(Act.SERVICE, "disable", service_name(operands[0]), command)


def of_script(command: Command) -> Iterator[Effect]:
    """`/etc/init.d/nginx stop`."""
    if command.args[:1] == ("stop",) and not is_contained(command):
        yield effect_of(Act.SERVICE, "stop", command.program, command)


def _is_off_limits(command: Command) -> bool:
    """Whether the service is not one of this machine's: a container's, a user's own, or only a dry run."""
    return is_contained(command) or shows_only(command) or "--user" in command.args


def _reading(read: Callable[[Command, Ground], Iterable[Effect]], *marks: str) -> Reading:
    """A reading that is quiet unless one of `marks` is an argument; never quiet without `marks`."""
    return (
        Reading(frozenset({Act.SERVICE}), read, quiet_without(*marks))
        if marks
        else Reading(frozenset({Act.SERVICE}), read)
    )


_THEIR_OWN = table(
    Act.SERVICE,
    stop="""
        nginx -s stop|quit
        apachectl|apache2ctl|httpd stop|graceful-stop
        haproxy -st
        iptables|ip6tables -P|--policy INPUT|OUTPUT DROP
        iptables|ip6tables INPUT tcp --dport|--destination-port 22|ssh -j|--jump DROP|REJECT
        ufw deny|reject ssh|22|22/tcp|OpenSSH
        ufw delete allow ssh|22|22/tcp|OpenSSH
        firewall-cmd --remove-service=ssh|--remove-port=22/tcp
        ip link|l set|s eth*|en*|wl*|bond* down
        ip route|r|ro del|delete|flush|d default|all|0.0.0.0/0
        ip address|addr|a flush eth*|en*|wl*|bond*|vmbr*|br*
        ifconfig eth*|en*|wl*|bond* down
        ifdown eth*|en*|wl*|bond*|-a|--all
        route del|delete default
        nmcli networking|n|net off
        nmcli connection|con|c delete|down
        nmcli device|dev|d disconnect|down eth*|en*|wl*|bond*
        networksetup -setnetworkserviceenabled|-setairportpower off|Off
    """,
)
PROGRAMS = merged(
    dict.fromkeys(_MANAGERS, _reading(_managed, *_STOPS)),
    dict.fromkeys(
        ("service", "rc-service", "chkconfig", "invoke-rc.d"), _reading(_named_first, "stop", "off", "disable", "zap")
    ),
    {"update-rc.d": _reading(_by_rc)},
    _THEIR_OWN,
)
