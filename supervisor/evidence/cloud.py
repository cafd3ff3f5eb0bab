"""Which command lines destroy cloud resources, and which only show what would go.

One grammar for every product: a program, the words that name the deed, and what makes it final. A broad catalogue of
products is not its aim; what it names is beyond doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from supervisor.evidence.shell.commands import Command


class Rehearsal(Enum):
    """How a program shows what it would destroy, without destroying it."""

    LIST = auto()  # by a command of its own
    PLAN = auto()
    PREVIEW = auto()
    DIFF = auto()
    DRY_RUN = auto()  # --dry-run
    DRY_RUN_SERVER = auto()  # --dry-run=server
    DRYRUN = auto()  # --dryrun
    SNAPSHOT = auto()  # not at all: it keeps a copy


@dataclass(frozen=True, slots=True)
class _Deed:
    """A program run with `words` side by side among its operands, and with one of the options `given`, if any are.

    `on_bucket`: it counts only where it meets a whole bucket, and not a part of one (`s3://bucket/logs`).
    """

    words: tuple[frozenset[str], ...]
    rehearsal: Rehearsal
    given: frozenset[str]
    on_bucket: bool


def _deed(words: str, rehearsal: Rehearsal = Rehearsal.LIST, given: str = "", *, on_bucket: bool = False) -> _Deed:
    """`|` stands between alternatives for one word."""
    choices = tuple(frozenset(word.split("|")) for word in words.split())
    return _Deed(choices, rehearsal, frozenset(given.split()), on_bucket)


_TERRAFORM = (
    _deed("destroy", Rehearsal.PLAN),
    _deed("apply", Rehearsal.PLAN, "-destroy --destroy"),
)
_KUBECTL = (
    _deed("delete namespace|namespaces|ns|pv|persistentvolume|pvc|persistentvolumeclaim", Rehearsal.DRY_RUN_SERVER),
    _deed("delete crd|customresourcedefinition|node|nodes|project|storageclass", Rehearsal.DRY_RUN_SERVER),
    _deed("delete all|deployment|deployments|statefulset|svc|service|secret", Rehearsal.DRY_RUN_SERVER, "--all -A"),
)
_FLY = (_deed("apps destroy"),)
_DEEDS: dict[str, tuple[_Deed, ...]] = {
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), _TERRAFORM),
    **dict.fromkeys(("kubectl", "oc", "k"), _KUBECTL),
    **dict.fromkeys(("flyctl", "fly"), _FLY),
    "pulumi": (_deed("destroy|down", Rehearsal.PREVIEW),),
    "cdk": (_deed("destroy", Rehearsal.DIFF),),
    "aws": (
        _deed("s3 rb", given="--force"),
        _deed("s3 rm", Rehearsal.DRYRUN, "--recursive", on_bucket=True),
        _deed("rds delete-db-instance|delete-db-cluster", Rehearsal.SNAPSHOT, "--skip-final-snapshot"),
        _deed("ec2 terminate-instances", Rehearsal.DRY_RUN),
        _deed("cloudformation delete-stack"),
        _deed("eks|ecs|redshift|elasticache delete-cluster|delete-cache-cluster"),
        _deed("dynamodb delete-table"),
    ),
    "eksctl": (_deed("delete cluster"),),
    "gcloud": (
        _deed("projects delete"),
        _deed("sql|compute|spanner|filestore instances delete"),
        _deed("container clusters delete"),
        _deed("storage buckets delete"),
    ),
    "gsutil": (_deed("rb"),),
    "az": (
        _deed("group delete"),
        _deed("aks|vm|vmss delete"),
        _deed("sql|postgres|mysql|cosmosdb db|server|database|flexible-server delete"),
        _deed("storage account|container delete"),
    ),
    "doctl": (_deed("databases|droplet|projects delete"),),
    "heroku": (_deed("apps:destroy|pg:reset"),),
}
_REHEARSES = ("--dry-run", "--dryrun", "--preview-only", "--what-if", "--help", "-h", "-help", "--version")
_IN_EARNEST = ("--dry-run=none", "--dry-run=false")


def destroys(command: Command) -> Rehearsal | None:
    """How to rehearse what this command destroys; None where it destroys nothing, or is a rehearsal itself."""
    deeds = _DEEDS.get(command.program)
    if deeds is None:
        return None
    deed = next((deed for deed in deeds if _does(deed, command)), None)
    return deed.rehearsal if deed and not _is_rehearsal(command) else None


def _does(deed: _Deed, command: Command) -> bool:
    if deed.given and deed.given.isdisjoint(_options(command)):
        return False
    operands = command.operands()
    names_deed = any(
        all(word in choices for word, choices in zip(found, deed.words, strict=True))
        for found in _neighbours(operands, len(deed.words))
    )
    return names_deed and (not deed.on_bucket or _names_bucket(operands))


def _neighbours(operands: list[str], count: int) -> Iterator[list[str]]:
    """Every `count` operands that stand side by side, of `kind/name` the kind alone."""
    kinds = [word if "://" in word else word.partition("/")[0] for word in operands]
    return (kinds[at : at + count] for at in range(len(kinds) - count + 1))


def _names_bucket(operands: list[str]) -> bool:
    buckets = [word.split("://", 1)[1].rstrip("/") for word in operands if "://" in word]
    return any("/" not in bucket for bucket in buckets)


def _options(command: Command) -> set[str]:
    return {word.partition("=")[0] for word in command.args if word.startswith("-")}


def _is_rehearsal(command: Command) -> bool:
    if any(word.startswith(_IN_EARNEST) for word in command.args):
        return False
    return not _options(command).isdisjoint(_REHEARSES) or command.argv[1:2] == ("plan",)
