"""What stands between a machine and its attackers: firewalls and watchers that a playbook stops, filters of requests
that only count, walls between the parts of a network that a change takes down."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, entries, is_off, scalar, texts

_MODULES = re.compile(r"(?:^|\.)(?:service|systemd|systemdservice|sysvinit)$")  # of Ansible, whose task names a service
_WALLS = frozenset(
    "firewalld ufw iptables ip6tables nftables auditd rsyslog fail2ban apparmor crowdsec falcon-sensor wazuh-agent"
    " clamav-daemon clamd osqueryd ossec sshguard aide usbguard setroubleshootd".split()
)
_STOPPED = frozenset({"stopped", "absent"})


def faults_of_walls(block: Block) -> Iterator[Fact]:
    """A task that stops a service which guards the machine."""
    values = block.values
    if not block.path or not _MODULES.search(block.path[-1]):
        return
    name = scalar(values.get("name")).removesuffix(".service")
    is_stopped = scalar(values.get("state")) in _STOPPED or is_off(values.get("enabled"))
    if name in _WALLS and is_stopped:
        yield Fact(Fault.UNPROTECTED, f"stops {name}", block.shown("name", "state"))


def filters_of(block: Block) -> Iterator[tuple[Fault, str, str]]:
    """The settings with which a filter of requests turns them away, rather than count them."""
    last = block.path[-1:]
    if last == ("overrideaction",) and "none" in block.values:
        yield Fault.UNPROTECTED, "overrideaction.none", "override_action: none, with which the rules apply"
    elif last in (("action",), ("defaultaction",)) and "block" in block.values:
        yield Fault.UNPROTECTED, f"{last[0]}.block", f"{last[0]}: block"
    for key, value in _IN_FORCE.items():
        if scalar(block.values.get(key)).lower() == value:
            yield Fault.UNPROTECTED, f"{key}={value}", block.shown(key)


_IN_FORCE = {"mode": "prevention", "wafmode": "prevention", "secruleengine": "on", "enforcementmode": "enforced"}
_SIDES = {"ingress": "from", "egress": "to"}


_RANGES = (
    "cidrblocks ipv6cidrblocks cidrip cidripv4 cidrs sourceranges sourceaddressprefix loadbalancersourceranges"
    " authorizedipranges publicaccesscidrs whitelistsourcerange allowedcidrs allowedips ipallowlist".split()
)
_EVERY_ADDRESS = frozenset({"0.0.0.0/0", "::/0", "*", "any", "internet"})


def opened_ranges(before: tuple[Block, ...], after: tuple[Block, ...]) -> Iterator[Fact]:
    """The lists of addresses in a part of a file that named some, and that hold every address from now on."""
    for key in _RANGES:
        was, now = (
            [each.strip().lower() for block in blocks if not block.path for each in texts(block.values.get(key))]
            for blocks in (before, after)
        )
        if was and not _EVERY_ADDRESS.intersection(was) and _EVERY_ADDRESS.intersection(now):
            yield Fact(Fault.OPEN, f"{key}: every address", f"{key}: {', '.join(now)}")


def opened_policies(before: tuple[Block, ...], after: tuple[Block, ...]) -> Iterator[Fact]:
    """The sides of a NetworkPolicy that named whom they let in or out, and that let all from now on."""
    for side, whom in _SIDES.items():
        was_open, named = _rules(before, side, whom)
        is_open, _ = _rules(after, side, whom)
        if named and is_open and not was_open:
            yield Fact(Fault.OPEN, f"{side} of all", f"{side}: [{{}}] lets everybody through")


def _rules(blocks: tuple[Block, ...], side: str, whom: str) -> tuple[bool, bool]:
    """Whether a rule of this side lets everybody through, and whether one names whom."""
    policies = [block for block in blocks if {"podselector", "policytypes", side} & block.values.keys()]
    listed = [block.values[side] for block in policies if isinstance(block.values.get(side), list)]
    is_open = any(rule == {} for rules in listed if isinstance(rules, list) for rule in rules)
    return is_open, any(rule.get(whom) for rules in listed for rule in entries(rules))
