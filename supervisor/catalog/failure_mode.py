"""A taxonomy entry: one named way in which agents fail, with the cases that prove its specialist.

Entries are plain dataclasses, so that a start without YAML needs no pydantic either; pydantic validates entries that
are read from files. `schema()` is the source of `taxonomy/schema.json`.
"""

from __future__ import annotations

import datetime
import functools
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_args

from supervisor.action import Stage
from supervisor.errors import BadTaxonomy

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FAMILIES = (
    "analysis",
    "cloud",
    "code",
    "conduct",
    "data",
    "files",
    "git",
    "injection",
    "money",
    "people",
    "research",
    "secrets",
    "system",
    "web",
)
MAX_ENTRY_BYTES = 256 * 1024
_STRICT = {"extra": "forbid", "str_min_length": 1}

AgentClass = Literal["browsing", "coding", "data", "ops", "research", "sales", "support"]
AGENT_CLASSES: tuple[str, ...] = get_args(AgentClass)
VerdictName = Literal["flag", "nudge", "block"]
Method = Literal["deterministic", "small-classifier", "narrow-llm", "hybrid"]

# The form of an identifier in each risk classification that an entry may refer to.
REFERENCE_FORMS = {
    "ATLAS": r"AML\.T\d{4}(\.\d{3})?",
    "ATTACK": r"T\d{4}(\.\d{3})?",
    "CVE": r"CVE-\d{4}-\d{4,}",
    "CWE": r"CWE-\d{1,4}",
    "GDPR": r"Art\. \d{1,2}(\(\d+\))?(\([a-z]\))?",
    "MAST": r"FM-[123]\.[1-6]",
    "NIST-AI-600-1": r"2\.([1-9]|1[0-2])",
    "OWASP-ASI": r"ASI(0[1-9]|10)",
    "OWASP-LLM": r"LLM(0[1-9]|10)",
    "OWASP-WEB": r"A(0[1-9]|10):20\d\d",
    "PCI-DSS": r"\d{1,2}(\.\d{1,2}){0,3}",
}


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in a published risk classification, e.g. scheme CWE, id CWE-22."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    scheme: str
    id: str


@dataclass(frozen=True, slots=True)
class Incident:
    """A real incident that can be cited: what happened, when (a year, month or day), and the source."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    summary: str
    date: str
    source: str


@dataclass(frozen=True, slots=True)
class Past:
    """An act that the agent was refused `days_ago`, `times` times (as many minutes apart), after `steps` steps of the
    `session`.

    `tool`, `args`, `kind` and `context` are those of an action. `promise` is what the agent wrote afterwards, `pieces`
    are actions that ran since and may be parts of the act, each with its session.
    """

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
    tool: str
    args: dict[str, Any]
    session: str = "earlier"
    days_ago: float = 1
    kind: str | None = None
    context: dict[str, Any] = field(default_factory=dict)
    by: tuple[str, ...] = ("a_specialist",)
    reason: str = "it was refused."
    correction: str = ""
    state: Literal["open", "repeated", "heeded", "approved"] = "open"
    times: int = 1
    steps: int = 0
    promise: str = ""
    pieces: tuple[PastPiece, ...] = ()


@dataclass(frozen=True, slots=True)
class PastPiece:
    """An action that ran in a `session`, `days_ago`."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
    args: dict[str, Any]
    session: str = "earlier"
    days_ago: float = 1


@dataclass(frozen=True, slots=True)
class World:
    """The doors' answers while a case runs, so that a case needs no network and no deployment.

    `database` is an SQL script that fills a real, empty SQLite database. `pages` maps URLs to bodies (a number is an
    HTTP status with no body). `answer` is the model's answer to any question, `answer_to_corrected` the one for the
    corrected action, if it differs. `memory` is what the agent was refused before. `now` is the time.
    """

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
    database: str | None = None
    pages: dict[str, str | int] = field(default_factory=dict)
    answer: Literal["yes", "no"] | None = None
    answer_to_corrected: Literal["yes", "no"] | None = None
    memory: tuple[Past, ...] | None = None
    now: datetime.datetime = datetime.datetime(2026, 1, 15, 12, 0, tzinfo=datetime.UTC)

    @property
    def corrected(self) -> World:
        """The world for the corrected action."""
        return replace(self, answer=self.answer_to_corrected or self.answer)


@dataclass(frozen=True, slots=True)
class Case:
    """One action and the opinion that the specialist must have of it.

    `context` has the form of `supervisor check`: task, history, facts. `verdict` (caught cases) is the entry's by
    default. `corrected` (caught nudges) are the arguments of an action that follows the correction and must be let
    through.

    If the entry judges after an action ran, `output` is the tool's output, or its error if it `failed`;
    `corrected_output` is the output of the corrected action.
    """

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
    tool: str
    args: dict[str, Any]
    because: str
    kind: str | None = None
    context: dict[str, Any] = field(default_factory=dict)
    world: World = field(default_factory=World)
    verdict: VerdictName | None = None
    corrected: dict[str, Any] | None = None
    output: Any = None
    failed: bool = False
    corrected_output: Any = None


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of an entry: its tests and its documentation."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
    caught: tuple[Case, ...]
    let_through: tuple[Case, ...]
    refused: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class FailureMode:
    """One entry of the taxonomy: `taxonomy/<family>/<id>.yaml`."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    id: Annotated[str, "snake_case, the name of the file, of the specialist's file and of its function"]
    name: str
    description: str
    agents: tuple[AgentClass, ...]
    severity: Literal["low", "medium", "high", "critical"]
    verdict: VerdictName
    method: Method
    incident: Incident
    references: tuple[Reference, ...]
    cases: Cases
    stage: Stage = "before"
    maturity: Literal["stable", "preview"] = "stable"
    on_refuse: Annotated[
        Literal["", "proceed", "flag", "nudge", "block"],
        "what it means that its specialist could not judge because of the input, where the policy says nothing",
    ] = ""
    exemptible: Annotated[bool, "whether a person may exempt actions from its objections (`supervisor allow`)"] = True


def read_entry(path: str | Path) -> FailureMode:
    """Reads and validates one YAML entry.

    Raises BadTaxonomy, naming the file and the cure, for anything that is not a complete entry.
    """
    import re

    from pydantic import ValidationError

    from supervisor.intake.documents import place_in

    try:
        mode = _adapter().validate_python(_read_yaml(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = place_in(first["loc"]) or "the entry"
        raise BadTaxonomy(f"{where}: {first['msg']}; see taxonomy/schema.json", place=str(path)) from None
    if not re.fullmatch(r"[a-z][a-z0-9_]{2,63}", mode.id):
        raise BadTaxonomy(f"id {mode.id!r} is not a snake_case name of 3 to 64 letters", place=str(path))
    for reference in mode.references:
        form = REFERENCE_FORMS.get(reference.scheme)
        if form is None:
            known = ", ".join(REFERENCE_FORMS)
            raise BadTaxonomy(f"unknown reference scheme {reference.scheme!r}; use one of {known}", place=str(path))
        if not re.fullmatch(form, reference.id):
            raise BadTaxonomy(f"reference {reference.id!r} is not a {reference.scheme} id ({form})", place=str(path))
    _check_cases(mode, path)
    _check_outcomes(mode, path)
    return mode


def _check_cases(mode: FailureMode, path: str | Path) -> None:
    """Raises BadTaxonomy if an entry has too few cases, or still contains a placeholder of the scaffold."""
    everywhere = (*mode.cases.caught, *mode.cases.let_through, *mode.cases.refused)
    about = (mode.description, mode.incident.summary, mode.incident.date, mode.incident.source)
    for text in (*about, *(case.because for case in everywhere)):
        if text.startswith("<") and text.endswith(">"):
            raise BadTaxonomy(f"still holds the placeholder {text}; fill it in", place=str(path))
    for group, least in (("caught", 3), ("let_through", 3), ("refused", 1)):
        count = len(getattr(mode.cases, group))
        if count < least:
            raise BadTaxonomy(f"cases.{group} has {count} of at least {least} cases; add some", place=str(path))
    nudges = [case for case in mode.cases.caught if (case.verdict or mode.verdict) == "nudge"]
    if nudges and not any(case.corrected for case in nudges):
        raise BadTaxonomy("no caught case shows a `corrected` action; give one to at least one nudge", place=str(path))


def _check_outcomes(mode: FailureMode, path: str | Path) -> None:
    """Raises BadTaxonomy if a case of the stage `after` has no output, or one of the stage `before` has any."""
    for group in ("caught", "let_through", "refused"):
        for number, case in enumerate(getattr(mode.cases, group)):
            given = case.output is not None, case.corrected is not None and case.corrected_output is not None
            needed = mode.stage == "after", mode.stage == "after" and case.corrected is not None
            for what, has, needs in zip(("output", "corrected_output"), given, needed, strict=True):
                if has != needs:
                    cure = "say what the tool returned" if needs else "only an entry of the stage `after` has it"
                    raise BadTaxonomy(f"cases.{group}[{number}].{what}: {cure}", place=str(path))
            if case.failed and mode.stage == "before":
                raise BadTaxonomy(f"cases.{group}[{number}].failed: it has not run yet", place=str(path))


def _read_yaml(path: str | Path) -> Any:
    from supervisor.intake.documents import read_yaml

    return read_yaml(path, limit=MAX_ENTRY_BYTES, error=BadTaxonomy)


@functools.cache
def _adapter() -> TypeAdapter[FailureMode]:
    from pydantic import TypeAdapter

    return TypeAdapter(FailureMode)


def schema() -> dict[str, Any]:
    """The JSON Schema of an entry, as published in `taxonomy/schema.json`."""
    described = _adapter().json_schema()
    described["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    described["title"] = "A failure mode"
    return described
