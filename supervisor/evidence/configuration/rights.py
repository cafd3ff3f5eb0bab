"""Rights: statements of IAM policies in whatever file they stand, roles of Kubernetes, roles of clouds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, entries, scalar, texts

_READS = re.compile(r"(?i)^[\w-]+:(?:get|list|describe|head|batchget|query|scan|view|lookup|search|select|read)\w*\*?$")
# Services in which every right together is no more than a task may need: logs, metrics, traces.
_HARMLESS = frozenset("logs xray cloudwatch ec2messages ssmmessages pricing ce tag rum synthetics".split())
_ALL_RESOURCES = re.compile(r"^\*$|^arn:aws[\w-]*:\*?:?\*?:?\*?:?\*?:?\*?$")
_ADMIN = re.compile(
    r"(?i)(?:^|[/.\"])(?:AdministratorAccess|PowerUserAccess|IAMFullAccess)\b|^roles/(?:owner|editor"
    r"|iam\.securityAdmin)$"
)
_ESCALATES = frozenset(
    "iam:passrole iam:createpolicyversion iam:attachuserpolicy iam:attachrolepolicy iam:putuserpolicy"
    " iam:putrolepolicy"
    " sts:assumerole iam:createaccesskey iam:updateassumerolepolicy".split()
)


def faults_of_statements(block: Block) -> Iterator[Fact]:
    """A statement that allows everything, or that names everybody as its principal."""
    values = block.values
    actions = [each.lower() for each in texts(values.get("action", values.get("actions")))]
    refused = texts(values.get("notaction", values.get("notactions")))
    if not (actions or refused) or scalar(values.get("effect", "Allow")).lower() == "deny":
        return
    if not {"effect", "resource", "resources", "principal", "principals", "sid"} & values.keys():
        return
    has_condition = bool(values.get("condition") or values.get("conditions"))
    if _is_everybody(values) and not has_condition:
        yield Fact(Fault.OPEN, f"principal * {','.join(actions)[:60]}", block.shown(*_keys(values)))
        return
    if "principal" in values or "principals" in values:
        return  # a policy of one resource, which `*` stands for
    resources = texts(values.get("resource", values.get("resources")))
    if not any(map(_ALL_RESOURCES.match, resources)):
        return
    if refused and not has_condition:
        yield Fact(Fault.RIGHTS, "all but some on *", block.shown(*_keys(values)), Weight.SLIGHT)
    for action in actions:
        service, _, verb = action.partition(":")
        if action in ("*", "*:*") and not has_condition:
            yield Fact(Fault.RIGHTS, "* on *", block.shown(*_keys(values)))
        elif verb == "*" and service not in _HARMLESS and "*" not in service:
            weight = Weight.SLIGHT if has_condition else Weight.SERIOUS
            yield Fact(Fault.RIGHTS, f"{action} on *", block.shown(*_keys(values)), weight)
        elif action in _ESCALATES and not has_condition:
            yield Fact(Fault.RIGHTS, f"{action} on *", block.shown(*_keys(values)))
        elif verb.startswith(("delete", "put", "terminate")) and not _READS.match(action) and verb.endswith("*"):
            yield Fact(Fault.RIGHTS, f"{action} on *", block.shown(*_keys(values)), Weight.SLIGHT)


def _keys(values: dict[str, object]) -> list[str]:
    order = ("principal", "principals", "action", "actions", "notaction", "notactions", "resource", "resources")
    return [key for key in order if key in values]


def _is_everybody(values: dict[str, object]) -> bool:
    given = values.get("principal", values.get("principals"))
    if given is None:
        return False
    named = [scalar(given)] if not isinstance(given, (dict, list)) else texts(given)
    for each in entries(given):
        kind = scalar(each.get("type")).lower()
        named += texts(each.get("identifiers")) if kind in ("", "aws", "*") else []
        named += texts(each.get("AWS"))
    return "*" in named


def faults_of_trust(block: Block) -> Iterator[Fact]:
    """A role that any repository of a host of pipelines may take."""
    for key, value in block.values.items():
        subject = key.endswith(":sub") or (key == "values" and "actions.githubusercontent.com:sub" in str(block.values))
        for each in texts(value) if subject else ():
            if re.fullmatch(r"\*|repo:\*(?:/.*)?|repo:[^/]+/\*(?::\*)?|project_path:\*.*", each):
                yield Fact(Fault.RIGHTS, f"trusts {each}", f"{key}: {each}")


def faults_of_roles(block: Block) -> Iterator[Fact]:
    """Roles of Kubernetes over everything, and bindings of the highest roles."""
    values = block.values
    verbs, things = texts(values.get("verbs")), texts(values.get("resources"))
    if "*" in verbs and "*" in things:
        yield Fact(Fault.RIGHTS, "verbs * on resources *", block.shown("verbs", "resources"))
    elif things and {"escalate", "bind", "impersonate"} & set(verbs) and "resourcenames" not in values:
        yield Fact(Fault.RIGHTS, f"verbs {','.join(verbs)}", block.shown("verbs", "resources"))
    elif "*" in verbs and "secrets" in things:
        yield Fact(Fault.RIGHTS, "verbs * on secrets", block.shown("verbs", "resources"), Weight.SLIGHT)
    yield from _of_mapped(block)
    role = next(iter(entries(values.get("roleref"))), {})
    if scalar(role.get("name")) == "cluster-admin":
        subjects = [scalar(each.get("name")) for each in entries(values.get("subjects"))]
        weight = Weight.SLIGHT if all(each in _OPERATORS for each in subjects) and subjects else Weight.SERIOUS
        yield Fact(
            Fault.RIGHTS,
            f"cluster-admin {','.join(sorted(subjects))}",
            f"roleRef: cluster-admin for {', '.join(subjects)}",
            weight,
        )
    for each in entries(values.get("subjects")):
        if scalar(each.get("name")) in ("system:anonymous", "system:unauthenticated") and role:
            yield Fact(Fault.OPEN, "binds everybody", f"subjects: {scalar(each.get('name'))}", Weight.GRAVE)
        elif scalar(each.get("name")) == "system:authenticated" and not scalar(role.get("name")).startswith("system:"):
            yield Fact(Fault.RIGHTS, "binds every login", f"subjects: system:authenticated as {role.get('name')}")


_ADMINISTRATORS = re.compile(
    r"(?i)admin|master|root|break-?glass|platform|operator|sre\b|devops|deploy|terraform|owner"
)


def _of_mapped(block: Block) -> Iterator[Fact]:
    """A role of a cloud whose holders are made administrators of a cluster, whom no role of it limits."""
    who = scalar(block.values.get("rolearn") or block.values.get("userarn"))
    if who and "system:masters" in texts(block.values.get("groups")):
        name = who.rpartition("/")[2]
        weight = Weight.SLIGHT if _ADMINISTRATORS.search(name) else Weight.SERIOUS
        yield Fact(Fault.RIGHTS, f"system:masters {name}", f"groups: system:masters for {name}", weight)


_OPERATORS = frozenset(
    {"system:masters", "cluster-admins", "admins", "platform-admins", "argocd-application-controller"}
)
_ROLE_KEYS = (
    "policyarn",
    "managedpolicyarns",
    "policyarns",
    "role",
    "roledefinitionname",
    "managedpolicies",
    "roles",
    "policies",
)


def faults_of_sudo(block: Block) -> Iterator[Fact]:
    """An account that may run every command as root without a password."""
    values = block.values
    if block.path[-1:] == ("sudo",) and scalar(values.get("commands")) == "ALL":
        who = scalar(values.get("who"))
        if "NOPASSWD" in scalar(values.get("tags")) and who not in ("%sudo", "%wheel", "%admin", "root"):
            yield Fact(Fault.RIGHTS, f"sudo {who}", f"{who}: every command as root without a password")


def faults_of_attached(block: Block) -> Iterator[Fact]:
    """A policy or a role over a whole account that is attached by its name."""
    for key in _ROLE_KEYS:
        for each in texts(block.values.get(key))[:50]:
            is_owner = key == "roledefinitionname" and each.lower() in ("owner", "user access administrator")
            if _ADMIN.search(each) or is_owner:
                yield Fact(Fault.RIGHTS, f"attached {each}", block.shown(key))
    permissions = block.values.get("permissions")
    if scalar(permissions) == "write-all":
        yield Fact(Fault.RIGHTS, "permissions write-all", block.shown("permissions"), Weight.SLIGHT)
