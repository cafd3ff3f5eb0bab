"""The policy of a deployment: authority, budgets, patience, tools, facts, doors, records.

A policy is a plain frozen dataclass, so the default one costs nothing; a YAML file is validated by pydantic.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from supervisor.errors import BadPolicy
from supervisor.intake.kinds import KINDS, ToolShape
from supervisor.pointers import MARK, is_well_formed
from supervisor.policy.business import FACT as BUSINESS
from supervisor.policy.business import IDENTIFIER, Schema
from supervisor.policy.exemptions import ExemptionPolicy, check_exemptions
from supervisor.policy.sections import (
    STRICT,
    VERDICT_OF,
    ApprovalPolicy,
    Authority,
    Budgets,
    DoorPolicy,
    Hooks,
    Isolation,
    OnRefuse,
    Records,
    Taxonomy,
    TelemetryPolicy,
    Workers,
)
from supervisor.verdict import Verdict

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = [
    "VERDICT_OF",
    "ApprovalPolicy",
    "Authority",
    "Budgets",
    "DoorPolicy",
    "Hooks",
    "Isolation",
    "Policy",
    "Records",
    "Taxonomy",
    "TelemetryPolicy",
    "Workers",
    "check_names",
    "expanded",
    "policy_from",
    "read_policy",
]
MAX_POLICY_BYTES = 1024 * 1024
MAX_VALID_FOR = 30 * 24 * 3600  # seconds


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything that a deployment decides.

    - `on_refuse`: by specialist, the verdict of an input-caused refusal. The default is the value in the specialist's
      entry; without one, `flag` for a specialist that may block and `proceed` for any other.
    - `isolation`: where specialists judge that parse, classify or are not shipped with this library. In workers (`fork`
      on Linux, `spawn` anywhere, `auto` for the better of the two), or in this process (`none`), which cannot enforce
      deadlines.
    - `trusted_tools`: tools whose output counts like the user's own words. Outsiders must not be able to write into
      these outputs.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    authority: Authority = field(default_factory=Authority)
    budgets: Budgets = field(default_factory=Budgets)
    patience: int = 2
    on_refuse: dict[str, OnRefuse] = field(default_factory=dict)
    tools: dict[str, ToolShape] = field(default_factory=dict)
    trusted_tools: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    doors: DoorPolicy = field(default_factory=DoorPolicy)
    records: Records = field(default_factory=Records)
    isolation: Isolation = "auto"
    workers: Workers = field(default_factory=Workers)
    hooks: Hooks = field(default_factory=Hooks)
    taxonomy: Taxonomy = field(default_factory=Taxonomy)
    business: Schema = field(default_factory=Schema)
    telemetry: TelemetryPolicy = field(default_factory=TelemetryPolicy)
    approval: ApprovalPolicy = field(default_factory=ApprovalPolicy)
    exemptions: ExemptionPolicy = field(default_factory=ExemptionPolicy)

    def refusal_means(self, specialist: str, default_verdict: str, default: str = "") -> Verdict:
        """The verdict that an input-caused refusal of this specialist counts as. `default` is the value of its entry,
        empty if the entry has none."""
        usual = default or ("flag" if default_verdict == "block" else "proceed")
        return VERDICT_OF[self.on_refuse.get(specialist, usual)]

    def to_json(self) -> dict[str, Any]:
        """The policy as plain values, as recorded with every decision."""
        values = asdict(self)
        for each in values["exemptions"]["allow"]:
            each["expires"] = each["expires"] and each["expires"].isoformat()
        return values

    def digest(self) -> str:
        """A short hash of the policy, so that two processes can compare theirs."""
        return hashlib.sha256(json.dumps(self.to_json(), default=str).encode()).hexdigest()[:16]


def read_policy(path: str | os.PathLike[str]) -> Policy:
    """The policy in a YAML file. Raises BadPolicy, naming the file and the offending key.

    The file's path becomes a fact, so that specialists notice changes to it; so does its business schema. Relative
    paths of folders and SQLite files are resolved against the file's folder.
    """
    from supervisor.intake.documents import read_yaml

    file = Path(path)
    values = read_yaml(file, limit=MAX_POLICY_BYTES, error=BadPolicy)
    policy = policy_from({} if values is None else values, place=str(file))
    beside = file.resolve().parent
    folders = tuple([str(beside / expanded(each)) for each in policy.taxonomy.folders])
    taxonomy = replace(policy.taxonomy, folders=folders)
    database = replace(policy.doors.database, url=_resolved_url(policy.doors.database.url, beside))
    facts = {"policy_file": str(file.resolve()), **policy.facts}
    return replace(policy, facts=facts, taxonomy=taxonomy, doors=replace(policy.doors, database=database))


def _resolved_url(url: str | None, folder: Path) -> str | None:
    """The URL of a database; a relative path of SQLite is resolved against a folder."""
    file = (url or "").removeprefix("sqlite:///")
    if not url or file == url or not file or file.startswith(("/", ":")):
        return url
    return f"sqlite:///{folder / file}"


def policy_from(values: Any, *, place: str) -> Policy:
    """The policy in plain values. Raises BadPolicy, naming `place` and the offending key."""
    from pydantic import ValidationError

    from supervisor.intake.documents import place_in

    try:
        policy = _adapter().validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = place_in(first["loc"]) or "the policy"
        raise BadPolicy(f"{where}: {first['msg']}", place=place) from None
    _check_ranges(policy, place)
    return _with_business(policy, place)


def _with_business(policy: Policy, place: str) -> Policy:
    """The policy with its business schema as a fact, where specialists read it."""
    if policy.business == Schema():
        return policy
    for name in policy.business.names_in_queries():
        if not re.fullmatch(IDENTIFIER, name):
            raise BadPolicy(f"business: {name!r} is no name of a table or a column", place=place)
    return replace(policy, facts={BUSINESS: asdict(policy.business), **policy.facts})


def _check_ranges(policy: Policy, place: str) -> None:
    named: dict[str, Iterable[str]] = {
        "authority.kinds": policy.authority.kinds,
        "budgets.kinds": policy.budgets.kinds,
        "tools": [shape.kind for shape in policy.tools.values()],
        "approval.ask": [kind for each in policy.approval.ask for kind in each.kinds],
    }
    for where, kinds in named.items():
        for kind in kinds:
            if kind not in KINDS:
                raise BadPolicy(f"{where}: no kind {kind!r}; kinds are {', '.join(KINDS)}", place=place)
    for tool, shape in policy.tools.items():
        for part, name in shape.fields.items():
            if name[:1] == MARK and not is_well_formed(name):
                raise BadPolicy(f"tools.{tool}.fields.{part}: {name!r} points at no argument", place=place)
    budgets = policy.budgets
    for milliseconds in (budgets.pure_ms, budgets.doors_ms, *budgets.kinds.values(), *budgets.specialists.values()):
        if not 0 < milliseconds <= 600_000:
            raise BadPolicy(f"budgets: {milliseconds} is not between 0 and 600000 ms", place=place)
    if not 0 <= policy.workers.count <= 256:
        raise BadPolicy(f"workers.count: {policy.workers.count} is not between 0 and 256", place=place)
    if not 512 <= policy.workers.memory_mb <= 1024 * 1024:
        raise BadPolicy(f"workers.memory_mb: {policy.workers.memory_mb} is not between 512 and 1048576", place=place)
    if not 0 <= policy.patience <= 100:
        raise BadPolicy(f"patience: {policy.patience} is not between 0 and 100", place=place)
    _check_approval(policy.approval, place)
    check_exemptions(policy.exemptions, place)


def _check_approval(approval: ApprovalPolicy, place: str) -> None:
    if not 0 <= approval.wait <= 3600:
        raise BadPolicy(f"approval.wait: {approval.wait:g} is not between 0 and 3600 s", place=place)
    if not max(1, approval.wait) <= approval.valid_for <= MAX_VALID_FOR:
        least = f"1 and `wait`, and at most {MAX_VALID_FOR} s"
        raise BadPolicy(f"approval.valid_for: {approval.valid_for:g} is not at least {least}", place=place)
    if approval.otherwise != "block" and not approval.wait:
        problem = f"{approval.otherwise!r} would hold at once where nobody is waited for; set approval.wait"
        raise BadPolicy(f"approval.otherwise: {problem}", place=place)
    for each in approval.ask:
        if not each.verdicts:
            raise BadPolicy("approval.ask: without verdicts nobody would ever be asked", place=place)


def check_names(policy: Policy, known: Iterable[str]) -> None:
    """Raises BadPolicy if the policy names a specialist that the catalogue does not have: a typo disarms a guard."""
    ids = set(known)
    named: dict[str, Iterable[str]] = {
        "authority.specialists": policy.authority.specialists,
        "budgets.specialists": policy.budgets.specialists,
        "on_refuse": policy.on_refuse,
        "taxonomy.disabled": policy.taxonomy.disabled,
        "approval.ask": [name for each in policy.approval.ask for name in each.specialists],
        "approval.never": policy.approval.never,
        "exemptions.allow": [name for each in policy.exemptions.allow for name in each.specialists],
        "exemptions.never": policy.exemptions.never,
    }
    for where, names in named.items():
        for name in names:
            if name not in ids:
                raise BadPolicy(f"{where}: no specialist {name!r}; `supervisor list` shows them all")


def expanded(path: str) -> Path:
    """A path of the policy, its `~` resolved. Raises BadPolicy if it cannot be a path."""
    try:
        resolved = Path(path).expanduser()
    except RuntimeError:  # no user of that name
        raise BadPolicy(f"{path!r}: its ~ stands for no home directory") from None
    if "\0" in path:
        raise BadPolicy(f"{path!r} contains a NUL character")
    return resolved


@functools.cache
def _adapter() -> TypeAdapter[Policy]:
    from pydantic import TypeAdapter

    return TypeAdapter(Policy)
