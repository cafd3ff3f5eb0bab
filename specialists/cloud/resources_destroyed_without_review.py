"""Destroys cloud resources at once, where a plan or a dry run would have shown what goes.

One grammar for every product: a program, the words that name the deed, and what makes it final. A broad catalogue of
products is not its aim; what it names is beyond doubt.
"""

from dataclasses import dataclass

from supervisor.evidence.shell import Command, script
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@dataclass(frozen=True, slots=True)
class Deed:
    """`programs` run with `words` side by side among the operands (`|` between alternatives), and one of `given`."""

    programs: str
    words: str
    instead: str
    given: frozenset[str] = frozenset()


def _deed(programs: str, words: str, instead: str, given: str = "") -> Deed:
    return Deed(programs, words, instead, frozenset(given.split()))


_PLAN = "Save a plan with `{program} plan -destroy -out=destroy.tfplan`, show it to the owner, and apply that plan."
_REHEARSE = "Run it with `--dry-run=server` first and show the owner what would go."
_LIST = "List what it would destroy with the matching `list` or `describe` command, and have the owner confirm it."
_SNAPSHOT = "Name a final snapshot (`--final-db-snapshot-identifier <name>`) in place of `--skip-final-snapshot`."
_DRYRUN = "Run it with `--dryrun` first and show the owner what would go."

_DEEDS = (
    _deed("terraform tofu terragrunt", "destroy", _PLAN),
    _deed("terraform tofu terragrunt", "apply", _PLAN, "-destroy --destroy"),
    _deed("pulumi", "destroy|down", "Run `pulumi destroy --preview-only` first and show the owner what would go."),
    _deed("cdk", "destroy", "Run `cdk list` and `cdk diff`, and have the owner confirm the stacks."),
    _deed("kubectl oc k", "delete namespace|namespaces|ns|pv|persistentvolume|pvc|persistentvolumeclaim", _REHEARSE),
    _deed("kubectl oc k", "delete crd|customresourcedefinition|node|nodes|project|storageclass", _REHEARSE),
    _deed("kubectl oc k", "delete all|deployment|deployments|statefulset|svc|service|secret", _REHEARSE, "--all -A"),
    _deed("aws", "s3 rb", _LIST, "--force"),
    _deed("aws", "s3 rm", _DRYRUN, "--recursive"),
    _deed("aws", "rds delete-db-instance|delete-db-cluster", _SNAPSHOT, "--skip-final-snapshot"),
    _deed("aws", "ec2 terminate-instances", "Run it with `--dry-run` first, and have the owner confirm the instances."),
    _deed("aws", "cloudformation delete-stack", _LIST),
    _deed("aws", "eks|ecs|redshift|elasticache delete-cluster|delete-cache-cluster", _LIST),
    _deed("aws", "dynamodb delete-table", _LIST),
    _deed("eksctl", "delete cluster", _LIST),
    _deed("gcloud", "projects delete", _LIST),
    _deed("gcloud", "sql|compute|spanner|filestore instances delete", _LIST),
    _deed("gcloud", "container clusters delete", _LIST),
    _deed("gcloud", "storage buckets delete", _LIST),
    _deed("gsutil", "rb", _LIST),
    _deed("az", "group delete", _LIST),
    _deed("az", "aks|vm|vmss delete", _LIST),
    _deed("az", "sql|postgres|mysql|cosmosdb db|server|database|flexible-server delete", _LIST),
    _deed("az", "storage account|container delete", _LIST),
    _deed("doctl", "databases|droplet|projects delete", _LIST),
    _deed("heroku", "apps:destroy|pg:reset", _LIST),
    _deed("flyctl fly", "apps destroy", _LIST),
)
_REHEARSALS = ("--dry-run", "--dryrun", "--preview-only", "--what-if", "--help", "-h", "-help", "--version")


@specialist("shell")
def resources_destroyed_without_review(action: Action, context: Context) -> Opinion:
    for command in script(action, context).commands:
        deed = next(
            (deed for deed in _DEEDS if command.program in deed.programs.split() and _does(deed, command)), None
        )
        if deed and not _is_rehearsal(command):
            return nudge(
                f"`{command.text[:120]}` destroys cloud resources that nobody has reviewed.",
                correction=deed.instead.replace("{program}", command.program),
                sharper="Leave the resources as they are and ask their owner to decide.",
                evidence=(command.text[:200],),
            )
    return ok()


def _does(deed: Deed, command: Command) -> bool:
    """Whether the deed's words stand side by side among the operands; a bucket's part is no bucket."""
    operands = [word.partition("/")[0] if "://" not in word else word for word in command.operands()]
    wanted = [choice.split("|") for choice in deed.words.split()]
    at = next((at for at in range(len(operands)) if _stands_at(at, wanted, operands)), None)
    if at is None or (deed.given and deed.given.isdisjoint(_options(command))):
        return False
    buckets = [word.split("://", 1)[1].rstrip("/") for word in operands if "://" in word]
    return deed.words != "s3 rm" or any("/" not in bucket for bucket in buckets)


def _stands_at(at: int, wanted: list[list[str]], operands: list[str]) -> bool:
    found = operands[at : at + len(wanted)]
    return len(found) == len(wanted) and all(word in choices for word, choices in zip(found, wanted, strict=True))


def _options(command: Command) -> set[str]:
    return {word.partition("=")[0] for word in command.args if word.startswith("-")}


def _is_rehearsal(command: Command) -> bool:
    if any(word.startswith(("--dry-run=none", "--dry-run=false")) for word in command.args):
        return False
    return not _options(command).isdisjoint(_REHEARSALS) or command.argv[1:2] == ("plan",)
