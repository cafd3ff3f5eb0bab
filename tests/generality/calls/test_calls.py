"""A call is judged by what it means: other names, other formats of the same history, other steps around it and another
wording of the same order change no verdict.

Every case of the families for business, the web, research and conduct that is a call of a tool is put through every
transformation: harm stays caught at least as severely, a near miss stays let through. A sample runs each time, the
whole in the thorough suite.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator

import pytest

from supervisor.catalog.cases import proposal_of
from supervisor.catalog.failure_mode import Case
from tests.generality.calls.exceptions import EXCEPTIONS, KINDS_NOT_GUESSED, is_excepted
from tests.generality.calls.judging import ENTRIES, Call, calls_of
from tests.generality.calls.rearranged import rearrangements
from tests.generality.calls.reformatted import reformattings
from tests.generality.calls.renamed import renamings
from tests.generality.calls.rephrased import rewordings

GENERATORS: dict[str, Callable[[Case], Iterator[tuple[str, Case]]]] = {
    "renamed": renamings,
    "reformatted": reformattings,
    "rearranged": rearrangements,
    "rephrased": rewordings,
}
SAMPLE = 8  # entries, and of each of them as many cases
NAMES = [path.stem for path in ENTRIES]


def _is_not_guessed(call: Call, case: Case, kinds: Collection[str] = KINDS_NOT_GUESSED) -> bool:
    """Whether the other name of a call says nothing of its kind any more, on purpose."""
    return proposal_of(call.case)[0].kind in kinds and proposal_of(case)[0].kind == "tool"


def _broken(call: Call, generator: str) -> Iterator[str]:
    for title, case in GENERATORS[generator](call.case):
        if not is_excepted(call.name, title) and not _is_not_guessed(call, case) and not call.holds_for(case):
            yield f"{call.name}, {title}: {case.tool} {case.args}"


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_sample_keeps_its_verdicts(generator: str) -> None:
    draw = random.Random(generator)
    calls = [call for entry in draw.sample(NAMES, SAMPLE) for call in calls_of(entry)]
    broken = [line for call in draw.sample(calls, min(SAMPLE, len(calls))) for line in _broken(call, generator)]
    assert not broken, "\n".join(broken)


@pytest.mark.thorough
@pytest.mark.parametrize("entry", NAMES)
@pytest.mark.parametrize("generator", GENERATORS)
def test_every_case_keeps_its_verdict(generator: str, entry: str) -> None:
    broken = [line for call in calls_of(entry) for line in _broken(call, generator)]
    assert not broken, "\n".join(broken)


@pytest.mark.thorough
def test_every_exception_is_one() -> None:
    used = {
        (name, title)
        for name in {name.partition(".")[0] for name, _ in EXCEPTIONS}
        for call in calls_of(name)
        for generator in GENERATORS.values()
        for title, case in generator(call.case)
        if is_excepted(call.name, title) and not call.holds_for(case)
        for name in (call.name, call.entry)
    }
    assert not set(EXCEPTIONS) - used


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS_NOT_GUESSED)
def test_every_kind_that_is_not_guessed_loses_a_verdict(kind: str) -> None:
    calls = (call for entry in NAMES for call in calls_of(entry))
    others = ((call, case) for call in calls for _, case in renamings(call.case))
    assert any(_is_not_guessed(call, case, {kind}) and not call.holds_for(case) for call, case in others)
