"""Running the cases of a taxonomy entry against its specialist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.catalog.case_world import CaseWorld
from supervisor.catalog.failure_mode import Case, FailureMode
from supervisor.catalog.lookups import Lookups, Observed, declared
from supervisor.decision.ask import ask, ask_through_doors
from supervisor.errors import BadInput
from supervisor.intake.parsing import action_from, context_from, outcome_from
from supervisor.specialist import Specialist
from supervisor.verdict import Finding, Opinion, Refusal, Verdict

_BUDGET = 5.0  # seconds; a case tests the opinion of a specialist, not its speed on this machine


@dataclass(frozen=True, slots=True)
class Promise:
    """One case, its place in the entry, and the verdict that it promises (None: a refusal)."""

    place: str
    case: Case
    verdict: Verdict | None


def promises(mode: FailureMode) -> Iterator[Promise]:
    """Everything that an entry promises, in the order written."""
    for number, case in enumerate(mode.cases.caught):
        yield Promise(f"caught[{number}]", case, Verdict.named(case.verdict or mode.verdict))
        if case.corrected is not None:
            world, output = case.world.corrected, case.corrected_output
            corrected = replace(case, args=case.corrected, world=world, output=output, failed=False)
            yield Promise(f"caught[{number}].corrected", corrected, Verdict.OK)
    for number, case in enumerate(mode.cases.let_through):
        yield Promise(f"let_through[{number}]", case, Verdict.OK)
    for number, case in enumerate(mode.cases.refused):
        yield Promise(f"refused[{number}]", case, None)


async def problems(mode: FailureMode, specialist: Specialist) -> list[str]:
    """The promises that the specialist breaks, one line each; empty if all cases pass."""
    return (await examined(mode, specialist)).problems


class Examined(NamedTuple):
    """The promises that a specialist breaks, one line each, and the names of the facts that were looked up in its
    cases, by itself or by the evidence."""

    problems: list[str]
    facts: frozenset[str]


async def examined(mode: FailureMode, specialist: Specialist) -> Examined:
    """Runs every case. A fact that the specialist's own file looks up without declaring it counts as a problem: a
    policy that states it would be taken for a typo."""
    lookups = Lookups(specialist.judge.__code__.co_filename)
    results = [await broken(promise, specialist, lookups) for promise in promises(mode)]
    undeclared = sorted(lookups.own - declared(specialist))
    if undeclared:
        results.append(f"it reads the fact {undeclared[0]!r}; declare it: @specialist(…, facts=[{undeclared[0]!r}])")
    return Examined([problem for problem in results if problem], frozenset(lookups.all))


async def broken(promise: Promise, specialist: Specialist, lookups: Lookups | None = None) -> str:
    """How the specialist breaks one promise, as one line that names its place; empty if it keeps the promise."""
    place = f"cases.{promise.place} ({promise.case.because})"
    try:
        action, context = proposal_of(promise.case)
    except BadInput as error:
        return f"{place}: not an action: {error}"
    if lookups is not None:
        context = replace(context, facts=Observed(context.facts, lookups))
    problem = _difference(promise.verdict, await _opinion(specialist, action, context))
    return f"{place}: {problem}" if problem else ""


def proposal_of(case: Case) -> tuple[Action, Context]:
    """The action and the context that a case describes, with the case's world behind the doors and, if the action has
    run, with its outcome."""
    action = action_from({"tool": case.tool, "args": case.args, "kind": case.kind})
    outcome = None if case.output is None else {"output": case.output, "failed": case.failed}
    return action, replace(context_from(case.context), doors=CaseWorld(case.world), ran=outcome_from(outcome, action))


async def _opinion(specialist: Specialist, action: Action, context: Context) -> Opinion:
    if not specialist.covers(action.kind):
        return Refusal(f"{action.kind} is not its domain")
    if specialist.uses_doors:
        return await ask_through_doors(specialist, action, context, _BUDGET)
    return ask(specialist, action, replace(context, doors=None), _BUDGET)


def _difference(promised: Verdict | None, opinion: Opinion) -> str:
    if isinstance(opinion, Refusal):
        return f"expected {promised.label}, but it refused: {opinion.reason}" if promised is not None else ""
    if promised is None:
        return f"expected a refusal, got {opinion.verdict.label}"
    if opinion.verdict is not promised:
        return f"expected {promised.label}, got {opinion.verdict.label} {opinion.reason!r}"
    return _incomplete(opinion)


def _incomplete(finding: Finding) -> str:
    if finding.verdict is Verdict.NUDGE and not finding.correction.strip():
        return "a nudge without a correction; say what to do instead"
    if finding.verdict and not finding.reason.strip():
        return f"a {finding.verdict.label} without a reason; say what was seen"
    return ""
