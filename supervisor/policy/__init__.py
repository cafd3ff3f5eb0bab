"""What a deployment allows: the policy and its sections, the business schema and the doors included."""

from supervisor.policy.policy import MAX_VALID_FOR, Policy, expanded
from supervisor.policy.reading import MAX_POLICY_BYTES, policy_from, read_policy
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

__all__ = [
    "MAX_POLICY_BYTES",
    "MAX_VALID_FOR",
    "STRICT",
    "VERDICT_OF",
    "ApprovalPolicy",
    "Authority",
    "Budgets",
    "DoorPolicy",
    "Hooks",
    "Isolation",
    "OnRefuse",
    "Policy",
    "Records",
    "Taxonomy",
    "TelemetryPolicy",
    "Workers",
    "expanded",
    "policy_from",
    "read_policy",
]
