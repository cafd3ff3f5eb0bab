"""The sections of a policy: plain frozen dataclasses, whose defaults hold where a deployment says nothing."""

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
    """How far a specialist's word may go: `record` < `flag` < `nudge` < `block` < `revert`. The most specific grant
    holds. `revert` is for those who judge after an action ran: what they block is undone, where its tool has an
    inverse; for the others it is `block`."""

    __pydantic_config__: ClassVar[Any] = STRICT
    default: Level = "block"
    kinds: dict[str, Level] = field(default_factory=dict)
    specialists: dict[str, Level | dict[str, Level]] = field(default_factory=dict)

    def ceiling(self, specialist: str, kind: str) -> Verdict:
        """The greatest verdict that this specialist's findings count as, for this kind of action."""
        return VERDICT_OF[self._granted(specialist, kind)]

    def reverts(self, specialist: str, kind: str) -> bool:
        """Whether an action that this specialist blocks after it ran is to be undone."""
        return self._granted(specialist, kind) == "revert"

    def _granted(self, specialist: str, kind: str) -> Level:
        granted = self.specialists.get(specialist)
        if isinstance(granted, dict):
            granted = granted.get(kind)
        return granted or self.kinds.get(kind, self.default)


@dataclass(frozen=True, slots=True)
class Budgets:
    """Milliseconds after which a specialist has no vote. Specialists that use doors wait for others, so get more."""

    __pydantic_config__: ClassVar[Any] = STRICT
    pure_ms: float = 250
    doors_ms: float = 3000
    kinds: dict[str, float] = field(default_factory=dict)
    specialists: dict[str, float] = field(default_factory=dict)

    def seconds(self, specialist: str, kind: str, *, uses_doors: bool) -> float:
        """The budget of one specialist for one kind of action; the most specific entry holds."""
        usual = self.doors_ms if uses_doors else self.pure_ms
        return self.specialists.get(specialist, self.kinds.get(kind, usual)) / 1000


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Which failure modes are watched for, and where the deployment's own stand.

    Each of `folders` holds a `taxonomy/` and a `specialists/`; each of `plugins` names an installed package that does,
    registered under the entry-point group `supervisor.taxonomy`.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    folders: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    preview: bool = False
    shipped: bool = True


@dataclass(frozen=True, slots=True)
class Records:
    """Where decisions are written, and what an action gets when its record cannot be.

    `path` is a folder (None: no records). `key` is the Ed25519 private key in PEM, made on first use. `on_failure` is
    the least verdict of a decision that could not be recorded. `durability`: `write` survives the death of the
    process, `sync` also that of the machine.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    path: str | None = "~/.local/state/supervisor/records"
    key: str = "~/.config/supervisor/signing-key.pem"
    on_failure: Literal["ok", "flag", "block"] = "block"
    durability: Literal["write", "sync"] = "write"


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes in which specialists judge that could not be stopped otherwise.

    `count` of them may be at work at once (0: as many as there are processors, two at least), each with `memory_mb` of
    address space. `on_failure` is the least verdict of a decision for which none could be had.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    count: int = 0
    memory_mb: int = 1024
    on_failure: Literal["ok", "flag", "block"] = "block"


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a command-line agent's action gets where the guard itself fails: no daemon can be started, it hangs, it
    answers nonsense. `ok` lets the action run, and says so. `supervisor install` writes it into the host's settings."""

    __pydantic_config__: ClassVar[Any] = STRICT
    on_failure: Literal["ok", "block"] = "block"


@dataclass(frozen=True, slots=True)
class Askable:
    """Objections about which a person is asked. Everything that is named has to fit; what is not named is no condition,
    except that what is critical has to be named: the specialist itself, or `critical` among the `severities`."""

    __pydantic_config__: ClassVar[Any] = STRICT
    verdicts: tuple[Literal["flag", "nudge", "block"], ...] = ("block",)
    specialists: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    severities: tuple[Severity, ...] = ()

    def fits(self, specialist: str, family: str, severity: str, kind: str, verdict: Verdict) -> bool:
        """Whether an objection of this specialist to this kind of action is among them."""
        named = ((self.specialists, specialist), (self.families, family), (self.kinds, kind))
        if verdict.label not in self.verdicts or not all(not names or name in names for names, name in named):
            return False
        if self.severities or severity != "critical":
            return not self.severities or severity in self.severities
        return bool(self.specialists)


@dataclass(frozen=True, slots=True)
class ApprovalPolicy:
    """Over which objections a person is asked, and what holds until there is an answer.

    `never` names specialists that nobody may overrule. `where`: the host's own pause where it has one, or always the
    queue. `wait` is how many seconds a caller waits for an answer (0: it is told to propose again once there is one),
    `otherwise` what becomes of the action where none has come by then: `block`, `flag` (it runs), or what was `judged`.
    An answer holds for `valid_for` seconds, and so long a question is open.
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
    """Whether OpenTelemetry hears of decisions, and of the `arguments` of their actions (secrets masked), too."""

    __pydantic_config__: ClassVar[Any] = STRICT
    enabled: bool = False
    arguments: bool = False


@dataclass(frozen=True, slots=True)
class DoorPolicy:
    """What the doors lead to."""

    __pydantic_config__: ClassVar[Any] = STRICT
    database: DatabaseDoor = field(default_factory=DatabaseDoor)
    http: HttpDoor = field(default_factory=HttpDoor)
    model: ModelDoor = field(default_factory=ModelDoor)
