"""The policy of a deployment: authority, budgets, patience, tools, facts, doors, records.

A policy is a plain frozen dataclass, so the default one costs nothing; a YAML file is validated by pydantic (see
`reading`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from supervisor.errors import BadPolicy
from supervisor.intake.kinds import ToolShape
from supervisor.policy.business import Schema
from supervisor.policy.exemptions import ExemptionPolicy
from supervisor.policy.sections import (
    STRICT,
    VERDICT_OF,
    ApprovalPolicy,
    Authority,
    Budgets,
    DoorPolicy,
    Hooks,
    Isolation,
    Memory,
    OnRefuse,
    Projects,
    Records,
    Review,
    Taxonomy,
    TelemetryPolicy,
    Workers,
)
from supervisor.policy.spending import SpendingPolicy
from supervisor.verdict import Verdict

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
    - `facts`: what specialists are told about this deployment (docs/facts.md). A name that no specialist reads counts
      as a typo, unless it is in `own_facts`.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    authority: Authority = field(default_factory=Authority)
    budgets: Budgets = field(default_factory=Budgets)
    patience: int = 2
    on_refuse: dict[str, OnRefuse] = field(default_factory=dict)
    tools: dict[str, ToolShape] = field(default_factory=dict)
    trusted_tools: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    own_facts: tuple[str, ...] = ()
    doors: DoorPolicy = field(default_factory=DoorPolicy)
    records: Records = field(default_factory=Records)
    memory: Memory = field(default_factory=Memory)
    review: Review = field(default_factory=Review)
    isolation: Isolation = "auto"
    workers: Workers = field(default_factory=Workers)
    hooks: Hooks = field(default_factory=Hooks)
    taxonomy: Taxonomy = field(default_factory=Taxonomy)
    business: Schema = field(default_factory=Schema)
    telemetry: TelemetryPolicy = field(default_factory=TelemetryPolicy)
    approval: ApprovalPolicy = field(default_factory=ApprovalPolicy)
    projects: Projects = field(default_factory=Projects)
    exemptions: ExemptionPolicy = field(default_factory=ExemptionPolicy)
    spending: SpendingPolicy = field(default_factory=SpendingPolicy)

    def refusal_means(self, specialist: str, default_verdict: str, default: str = "") -> Verdict:
        """The verdict that an input-caused refusal of this specialist counts as. `default` is the value of its entry,
        empty if the entry has none."""
        usual = default or ("flag" if default_verdict == "block" else "proceed")
        return VERDICT_OF[self.on_refuse.get(specialist, usual)]

    def to_json(self) -> dict[str, Any]:
        """The policy as plain values, as recorded with every decision. What tasks may spend decides nothing."""
        values = asdict(self)
        del values["spending"]
        for each in values["exemptions"]["allow"]:
            each["expires"] = each["expires"] and each["expires"].isoformat()
        return values

    def digest(self) -> str:
        """A short hash of the policy, so that two processes can compare theirs."""
        return hashlib.sha256(json.dumps(self.to_json(), default=str).encode()).hexdigest()[:16]


def expanded(path: str) -> Path:
    """A path of the policy, its `~` resolved. Raises BadPolicy if it cannot be a path."""
    try:
        resolved = Path(path).expanduser()
    except RuntimeError:  # no user of that name
        raise BadPolicy(f"{path!r}: its ~ stands for no home directory") from None
    if "\0" in path:
        raise BadPolicy(f"{path!r} contains a NUL character")
    return resolved
