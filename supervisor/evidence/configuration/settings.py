"""Settings that are a fault by their name and value, in whatever format: `settings.yaml`, read by one engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, is_off, is_on, number_of, scalar, texts
from supervisor.evidence.configuration.walls import filters_of
from supervisor.evidence.reading.tables import table_beside

_MOST = 50  # values of one list


class _Rule(NamedTuple):
    fault: Fault
    holds: Callable[[object], bool]
    weight: Weight
    under: re.Pattern[str] | None
    not_under: re.Pattern[str] | None
    beside: re.Pattern[str] | None
    key: str  # with what stands before its dot


def faults_of_settings(block: Block) -> Iterator[Fact]:
    """The settings of a level that are faults by themselves."""
    rules = _rules()
    for key, value in block.values.items():
        known = rules.get(key.rpartition(".")[2])
        if known is None or isinstance(value, dict):
            continue
        for rule in known:
            if (
                _is_here(rule, key, block)
                and (found := next(filter(rule.holds, texts(value)[:_MOST] or [""]), None)) is not None
            ):
                if (found == "" and scalar(value) != "") or (isinstance(value, list) and not value):
                    continue
                yield Fact(rule.fault, f"{key.rpartition('.')[2]}={found.lower()}", block.shown(key), rule.weight)
                break


def _is_here(rule: _Rule, key: str, block: Block) -> bool:
    above = ".".join((*block.path, *key.split(".")[:-1]))
    if "." in rule.key and not f"{above}.{key.rpartition('.')[2]}".endswith(rule.key):
        return False
    if rule.under is not None and not rule.under.search(above):
        return False
    if rule.not_under is not None and rule.not_under.search(above):
        return False
    return rule.beside is None or any(rule.beside.search(each) for each in block.values if each != key)


@cache
def _rules() -> dict[str, tuple[_Rule, ...]]:
    """The rules by the last part of the names that they are about."""
    found: dict[str, list[_Rule]] = {}
    for fault, rows in table_beside(__file__, "settings.yaml").items():
        for row in rows:
            patterns = (re.compile(row[name]) if name in row else None for name in ("under", "not_under", "beside"))
            under, not_under, beside = patterns
            holds, weight = _test(row["when"]), Weight(row.get("weight", Weight.SERIOUS))
            for key in row["keys"].split():
                rule = _Rule(Fault(fault), holds, weight, under, not_under, beside, key)
                found.setdefault(key.rpartition(".")[2], []).append(rule)
    return {key: tuple(rules) for key, rules in found.items()}


def _test(when: object) -> Callable[[object], bool]:
    if when is True:
        return is_on
    if when is False:
        return is_off
    if when == "zero":
        return lambda value: number_of(value) == 0
    matches = re.compile(str(when)).fullmatch
    return lambda value: matches(scalar(value).strip()) is not None


_KEEPS = frozenset(
    "deletionprotection deletionprotectionenabled enabledeletionprotection terminationprotection"
    " disableapitermination"
    " preventdestroy storageencrypted encrypted atrestencryptionenabled transitencryptionenabled versioningenabled"
    " pointintimerecoveryenabled blockpublicacls blockpublicpolicy ignorepublicacls restrictpublicbuckets"
    " runasnonroot objectlockenabled"
    " readonlyrootfilesystem xpack.security.enabled protectedmode actionsenabled purgeprotectionenabled".split()
)
# Blocks that are a protection of the block above them.
PROTECTIONS = frozenset({"versioning", "pointintimerecovery", "backupconfiguration", "lifecycle", "securitycontext"})
_FAULT_OF = {
    **dict.fromkeys(("blockpublicacls", "blockpublicpolicy", "ignorepublicacls", "restrictpublicbuckets"), Fault.OPEN),
    **dict.fromkeys(("runasnonroot", "readonlyrootfilesystem"), Fault.HOST),
    **dict.fromkeys(("xpack.security.enabled", "protectedmode", "requirepass"), Fault.LOGIN),
    "actionsenabled": Fault.SILENT,
}
_VALUED = {
    "backupretentionperiod": Fault.UNPROTECTED,
    "requirepass": Fault.LOGIN,
    "deletionpolicy": Fault.DELETES,
    "reclaimpolicy": Fault.DELETES,
    "persistentvolumereclaimpolicy": Fault.DELETES,
}


# What a unit of systemd gives up of the machine.
_HARDENING = frozenset(
    "nonewprivileges protectsystem protecthome privatetmp privatedevices protectkerneltunables protectcontrolgroups"
    " restrictsuidsgid memorydenywriteexecute dynamicuser capabilityboundingset systemcallfilter".split()
)
# Protections whose loss alone is for a person to look at.
MINOR = _HARDENING - {"nonewprivileges", "protectsystem", "dynamicuser"}
_OF_SERVICE = (
    frozenset("execstart group workingdirectory environmentfile restart image build command".split()) | _HARDENING
)
_ROOT = frozenset({"root", "0", "0:0", "root:root", ""})
_ASKED_AT_DOOR = re.compile(
    r"/auth(?:url|type|secret|tlssecret|signin|request|realm)|/(?:white|allow)listsourcerange|router\.middlewares"
)
_DOORS = frozenset({"authbasic", "authrequest", "authjwt", "sslverifyclient"})  # of nginx


def guards_of(block: Block) -> Iterator[tuple[Fault, str, str]]:
    """The settings of a level that protect, each with the fault that is there without it and with its text."""
    yield from filters_of(block)
    for key, value in block.values.items():
        if key in _KEEPS and is_on(value):
            yield _FAULT_OF.get(key, Fault.UNPROTECTED), key, block.shown(key)
        elif key in _VALUED and scalar(value).lower() not in ("", "0", "delete"):
            yield _VALUED[key], key, block.shown(key)
        elif key == "enabled" and block.path and block.path[-1] in PROTECTIONS and is_on(value):
            yield Fault.UNPROTECTED, f"{block.path[-1]}.enabled", block.shown(key)
        elif (key in _HARDENING and not is_off(value)) or (
            key == "user" and _OF_SERVICE & block.values.keys() and scalar(value).lower() not in _ROOT
        ):
            yield Fault.HOST, key, block.shown(key)
        elif (block.path[-1:] in ((), ("annotations",)) and _ASKED_AT_DOOR.search(key)) or (
            key in _DOORS and not is_off(value)
        ):
            yield Fault.LOGIN, key, block.shown(key)
        elif key == "deny" and scalar(value) == "all":
            yield Fault.OPEN, key, block.shown(key)
