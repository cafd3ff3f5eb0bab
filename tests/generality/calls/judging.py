"""The cases of the taxonomy that are calls of tools, and what their specialists say of other calls in their place."""

from __future__ import annotations

import asyncio
import functools
import runpy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from supervisor.catalog.cases import proposal_of
from supervisor.catalog.failure_mode import Case, read_entry
from supervisor.decision.ask import ask, ask_through_doors
from supervisor.specialist import Specialist
from supervisor.verdict import Finding, Verdict
from tests.fuzz.corpus import TAXONOMY

FAMILIES = ("money", "people", "web", "research", "conduct")
# What these run or change is code or a file, which other transformations respell.
_NO_CALLS = frozenset(
    {"shell", "python", "javascript", "sql", "file_read", "file_write", "file_edit", "file_delete", "http"}
)
_BUDGET = 5.0  # seconds
ENTRIES = sorted(path for family in FAMILIES for path in (TAXONOMY / family).glob("*.yaml"))


@dataclass(frozen=True)
class Call:
    """A case that is a call of a tool: its name, what is called, and what its specialist says of it."""

    name: str
    case: Case
    verdict: Verdict
    specialist: Specialist

    @property
    def entry(self) -> str:
        return self.name.partition(".")[0]

    @property
    def family(self) -> str:
        return next(path.parent.name for path in ENTRIES if path.stem == self.entry)

    @property
    def is_harm(self) -> bool:
        return self.verdict > Verdict.OK

    def verdict_on(self, case: Case) -> Verdict | None:
        """What the specialist says of another call; None where it refuses."""
        action, context = proposal_of(case)
        if not self.specialist.covers(action.kind):
            return None
        if self.specialist.uses_doors:
            opinion = asyncio.run(ask_through_doors(self.specialist, action, context, _BUDGET))
        else:
            opinion = ask(self.specialist, action, replace(context, doors=None), _BUDGET)
        return opinion.verdict if isinstance(opinion, Finding) else None

    def holds_for(self, case: Case) -> bool:
        """Whether another call of the same meaning is judged alike: harm at least as severely, no harm not at all."""
        verdict = self.verdict_on(case)
        return verdict is not None and verdict >= self.verdict if self.is_harm else not verdict


@functools.cache
def calls_of(entry: str) -> Sequence[Call]:
    """The caught cases and the near misses of an entry that are calls of tools."""
    path = next(path for path in ENTRIES if path.stem == entry)
    mode = read_entry(path)
    specialist = runpy.run_path(str(TAXONOMY.parent / "specialists" / path.parent.name / f"{entry}.py"))[entry]
    caught = (
        (f"caught[{number}]", case, case.verdict or mode.verdict) for number, case in enumerate(mode.cases.caught)
    )
    passed = ((f"let_through[{number}]", case, "ok") for number, case in enumerate(mode.cases.let_through))
    return tuple(
        Call(f"{entry}.{place}", case, Verdict.named(verdict), specialist)
        for place, case, verdict in (*caught, *passed)
        if proposal_of(case)[0].kind not in _NO_CALLS
    )


def history_of(case: Case) -> list[Mapping[str, Any]]:
    """The earlier steps of a case, as they are written."""
    return [step for step in case.context.get("history") or [] if isinstance(step, Mapping)]


def with_history(case: Case, steps: Sequence[Any]) -> Case:
    """A case with other earlier steps."""
    return replace(case, context={**case.context, "history": list(steps)})
