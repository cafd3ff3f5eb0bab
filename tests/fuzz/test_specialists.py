"""Every shipped specialist votes, refuses, or says why it could not read or ask; and twice the same.

What has no `@reader` of its own (web, secrets, git, text, sources, …) is tried here, through those who use it.
"""

from __future__ import annotations

import copy
import runpy
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
from hypothesis import strategies as st

from supervisor.action import Action, Answer, Context, Page, Step
from supervisor.errors import DoorFailed, Unreadable
from supervisor.intake.kinds import KINDS
from supervisor.memory import AgentMemory, Piece, Pledge, RefusedAct, memory_to_json
from supervisor.specialist import EVERY_KIND, Specialist
from supervisor.verdict import Finding, Refusal, Verdict
from tests.fuzz.corpus import offered, proposals
from tests.fuzz.texts import any_text
from tests.fuzz.watch import fuzzed, watched
from tests.intake.json_strategies import ordinary

_FOLDER = Path(__file__).parents[2] / "specialists"
SPECIALISTS: dict[str, Specialist] = {
    path.stem: runpy.run_path(str(path))[path.stem] for path in sorted(_FOLDER.glob("*/*.py"))
}
_LANGUAGES = {
    "shell": "shell",
    "python": "python",
    "javascript": "javascript",
    "sql": "sql",
    **dict.fromkeys(("browse", "click", "http"), "url"),
}


class AnyDoors:
    """Doors that answer what they are told to; None is no answer."""

    now = datetime(2026, 1, 15, tzinfo=UTC)

    def __init__(self, page: tuple[int, str] | None, yes: bool | None, memory: AgentMemory | None = None) -> None:
        self._page, self._yes, self._memory = page, yes, memory

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        return []

    async def fetch(self, url: str) -> Page:
        if self._page is None:
            raise DoorFailed("no page")
        return Page(url, *self._page)

    async def ask(self, question: str, material: Mapping[str, str]) -> Answer:
        if self._yes is None:
            raise DoorFailed("no model", code="no_model")
        return Answer(self._yes, 0.75)

    async def recall(self) -> dict[str, Any]:
        if self._memory is None:
            raise DoorFailed("no memory", code="no_memory")
        return memory_to_json(self._memory)


_FEATURES = st.frozensets(any_text | st.sampled_from(["rm a", "rm b", "option:rm -r", "writes users"]), max_size=4)
_AT = st.floats(1_700_000_000, 1_800_000_000)
_REFUSED = st.builds(
    RefusedAct,
    st.sampled_from(sorted(KINDS)),
    _FEATURES,
    st.just(("guards_it",)),
    st.lists(_AT, min_size=1, max_size=3).map(tuple),
    session=st.sampled_from(["", "s1", "s2"]),
    place=any_text,
    task=any_text,
    steps=st.integers(0, 99),
    shown=any_text,
    reason=any_text,
    correction=any_text,
    amount=st.none() | st.floats(allow_nan=False),
    pledge=st.none()
    | st.builds(Pledge, any_text, _AT, st.sampled_from(["never", "instead"]), st.tuples(any_text), st.tuples(any_text)),
    pieces=st.lists(st.builds(Piece, any_text, _AT, _FEATURES, st.none() | st.floats(0, 9)), max_size=2).map(tuple),
)
DOORS = st.builds(
    AnyDoors,
    st.none() | st.tuples(st.sampled_from([200, 404, 500]), any_text),
    st.none() | st.booleans(),
    st.none() | st.lists(_REFUSED, max_size=3).map(tuple).map(AgentMemory),
)


@fuzzed(name=st.sampled_from(sorted(SPECIALISTS)), data=st.data())
def test_a_specialist_votes_or_refuses(name: str, data: st.DataObject) -> None:
    judge = SPECIALISTS[name]
    kinds = tuple(KINDS) if EVERY_KIND in judge.kinds else tuple(sorted(judge.kinds))
    languages = {_LANGUAGES.get(kind, "prose") for kind in kinds}
    proposal = data.draw(st.sampled_from(sorted(languages)).flatmap(lambda language: proposals(kinds, language)))
    doors = data.draw(DOORS) if judge.uses_doors else None
    first, second = offered(proposal), offered(copy.deepcopy(proposal))
    if first is None or second is None or first[0].kind not in kinds:
        return
    output = data.draw(ordinary | any_text)
    with watched((name, proposal, output)):
        opinions = [_opinion(judge, *each, output, doors) for each in (first, second)]
        assert opinions[0] == opinions[1], "two opinions differ"


def _opinion(judge: Specialist, action: Action, context: Context, output: Any, doors: AnyDoors | None) -> Any:
    context = replace(context, ran=Step(action.tool, action.args, output, action.kind))  # for those who judge it
    try:
        opinion = anyio.run(judge, action, replace(context, doors=doors)) if doors else judge(action, context)  # type: ignore[arg-type]
    except (Unreadable, DoorFailed) as error:
        return str(error)
    assert isinstance(opinion, (Finding, Refusal))
    if isinstance(opinion, Finding):
        assert 0 <= opinion.confidence <= 1
        assert opinion.reason or opinion.verdict is Verdict.OK
        assert opinion.correction or opinion.verdict is not Verdict.NUDGE
    return opinion
