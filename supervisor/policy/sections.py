"""The sections of a policy: plain frozen dataclasses. Their defaults apply to whatever a policy leaves out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from supervisor.policy.doors import DatabaseDoor, HttpDoor, ModelDoor
from supervisor.verdict import Verdict

Level = Literal["record", "flag", "nudge", "block", "revert"]
OnRefuse = Literal["proceed", "flag", "nudge", "block"]
Isolation = Literal["auto", "fork", "spawn", "none"]
Severity = Literal["low", "medium", "high", "critical"]
VERDICT_OF: dict[str, Verdict] = {
    "record": Verdict.OK,
    "proceed": Verdict.OK,
    "ok": Verdict.OK,
    "flag": Verdict.FLAG,
    "nudge": Verdict.NUDGE,
    "block": Verdict.BLOCK,
    "revert": Verdict.BLOCK,
}
STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Authority:
    """The greatest verdict of a specialist: `record` < `flag` < `nudge` < `block` < `revert`. The most specific grant
    applies. `revert` concerns specialists that judge after an action ran: an action that they block is undone if its
    tool has an inverse. For all other specialists it means `block`."""

    __pydantic_config__: ClassVar[Any] = STRICT
    default: Level = "block"
    kinds: dict[str, Level] = field(default_factory=dict)
    specialists: dict[str, Level | dict[str, Level]] = field(default_factory=dict)

    def ceiling(self, specialist: str, kind: str) -> Verdict:
        """The greatest verdict of this specialist's findings, for this kind of action."""
        return VERDICT_OF[self.granted(specialist, kind)]

    def reverts(self, specialist: str, kind: str) -> bool:
        """Whether an action that this specialist blocks after it ran is to be undone."""
        return self.granted(specialist, kind) == "revert"

    def granted(self, specialist: str, kind: str) -> Level:
        """The most specific grant for this specialist and kind."""
        granted = self.specialists.get(specialist)
        if isinstance(granted, dict):
            granted = granted.get(kind)
        return granted or self.kinds.get(kind, self.default)


@dataclass(frozen=True, slots=True)
class Budgets:
    """Milliseconds after which a specialist has no vote. Specialists that use doors wait for others and get more."""

    __pydantic_config__: ClassVar[Any] = STRICT
    pure_ms: float = 250
    doors_ms: float = 3000
    kinds: dict[str, float] = field(default_factory=dict)
    specialists: dict[str, float] = field(default_factory=dict)

    def seconds(self, specialist: str, kind: str, *, uses_doors: bool) -> float:
        """The budget of one specialist for one kind of action, in seconds; the most specific entry applies."""
        usual = self.doors_ms if uses_doors else self.pure_ms
        return self.specialists.get(specialist, self.kinds.get(kind, usual)) / 1000


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Which failure modes are in force, and where the deployment's own ones are.

    Each of `folders` contains a `taxonomy/` and a `specialists/`. Each of `plugins` names an installed package with the
    same two folders, registered under the entry-point group `supervisor.taxonomy`.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    folders: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    preview: bool = False
    shipped: bool = True


@dataclass(frozen=True, slots=True)
class Records:
    """Where decisions are recorded, and the verdict if a record cannot be written.

    `path` is a folder (None: no records). `key` is the Ed25519 private key in PEM, created on first use. `on_failure`
    is the least verdict of a decision that could not be recorded. `durability`: `write` survives the death of the
    process, `sync` also a power cut. `signatures`: `each` signs every record before its decision is returned; `sealed`
    gives decisions a MAC, and signs them together some 5 ms later (with `sync`, each is signed all the same). A file of
    records is closed, and the next one begun, after `rotate_mb` or `rotate_hours`; `supervisor records prune` removes
    closed files.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    path: str | None = "~/.local/state/supervisor/records"
    key: str = "~/.config/supervisor/signing-key.pem"
    on_failure: Literal["ok", "flag", "block"] = "block"
    durability: Literal["write", "sync"] = "write"
    signatures: Literal["each", "sealed"] = "sealed"
    rotate_mb: float = 64
    rotate_hours: float = 24


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered of each agent across its sessions, in a folder beside the records.

    Refused acts are kept for `days` (0: nothing is stored, and no specialist asks). A stop counts half after each
    `half_life_days`. An agent whose unheeded stops of near-equivalent acts in other sessions weigh `escalate_after`,
    when rounded, is blocked at the next one without another nudge (0: never). Of an agent whose unheeded stops in other
    sessions weigh `flag_after`, whatever they were about, each action that changes something and would be ok is a flag
    (0: never). Without records there is no memory.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    days: float = 0
    half_life_days: float = 7
    escalate_after: int = 3
    flag_after: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """What people look at besides what was stopped or flagged, as shares from 0 to 1.

    `judges`: of the decisions for which a model answered, also those that it found nothing wrong with. `overlap`: of
    the decisions that one person has judged, for a second person, who does not see the first one's label.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    judges: float = 0
    overlap: float = 0


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes for specialists that could not be stopped in this one.

    At most `count` of them work at once (0: one for each processor, at least two), each with `memory_mb` of address
    space. `on_failure` is the least verdict of a decision for which no worker was available.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    count: int = 0
    memory_mb: int = 1024
    on_failure: Literal["ok", "flag", "block"] = "block"


@dataclass(frozen=True, slots=True)
class Hooks:
    """The verdict for a command-line agent's action if the guard itself fails: no daemon starts, it hangs, its answer
    is invalid. `ok` lets the action run and reports the failure. `supervisor install` writes this into the host's
    settings."""

    __pydantic_config__: ClassVar[Any] = STRICT
    on_failure: Literal["ok", "block"] = "block"


@dataclass(frozen=True, slots=True)
class Projects:
    """What the policies of projects may do to this one, the user's. They may always make it stricter. `may_loosen`:
    `True` trusts every project with all settings; a list names the folders whose policies are trusted."""

    __pydantic_config__: ClassVar[Any] = STRICT
    may_loosen: bool | tuple[str, ...] = False


@dataclass(frozen=True, slots=True)
class Askable:
    """Objections about which a person is asked. Every field that is set has to match; an empty field matches anything.
    One exception: a critical objection matches only if `specialists` names the specialist or `severities` contains
    `critical`."""

    __pydantic_config__: ClassVar[Any] = STRICT
    verdicts: tuple[Literal["flag", "nudge", "block"], ...] = ("block",)
    specialists: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    severities: tuple[Severity, ...] = ()

    def fits(self, specialist: str, family: str, severity: str, kind: str, verdict: Verdict) -> bool:
        """Whether an objection of this specialist to this kind of action matches."""
        named = ((self.specialists, specialist), (self.families, family), (self.kinds, kind))
        if verdict.label not in self.verdicts or not all(not names or name in names for names, name in named):
            return False
        if self.severities or severity != "critical":
            return not self.severities or severity in self.severities
        return bool(self.specialists)


@dataclass(frozen=True, slots=True)
class ApprovalPolicy:
    """The objections about which a person is asked, and the verdict until there is an answer.

    `never` names specialists that no person may overrule. `where`: the host asks its own user if it can (`host`), or
    only the queue asks (`queue`). `wait` is how many seconds a caller waits for an answer (0: the agent is told to
    propose the action again after the answer). `otherwise` is the verdict without an answer by then: `block`, `flag`
    (it runs), or the specialists' own (`judged`). `valid_for`: the seconds that a question is open and an answer valid.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    ask: tuple[Askable, ...] = ()
    never: tuple[str, ...] = ()
    where: Literal["host", "queue"] = "host"
    wait: float = 0
    otherwise: Literal["block", "judged", "flag"] = "block"
    valid_for: float = 900


@dataclass(frozen=True, slots=True)
class TelemetryPolicy:
    """Whether decisions go to OpenTelemetry, and whether with the `arguments` of their actions (secrets masked)."""

    __pydantic_config__: ClassVar[Any] = STRICT
    enabled: bool = False
    arguments: bool = False


@dataclass(frozen=True, slots=True)
class DoorPolicy:
    """The three doors to the outside."""

    __pydantic_config__: ClassVar[Any] = STRICT
    database: DatabaseDoor = field(default_factory=DatabaseDoor)
    http: HttpDoor = field(default_factory=HttpDoor)
    model: ModelDoor = field(default_factory=ModelDoor)
