"""Actions as they arrive: judged as they stand, or refused in one line that names the place."""

from __future__ import annotations

import copy
import io
import json
from types import SimpleNamespace
from typing import Any

import anyio
import orjson
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.cli.check import _check_lines, decide_here
from supervisor.errors import BadInput
from supervisor.intake.kinds import KINDS
from supervisor.intake.parsing import action_from, context_from
from supervisor.policy import Policy
from supervisor.verdict import Verdict
from tests.fuzz.corpus import cases, spoiled
from tests.fuzz.files import edited
from tests.fuzz.texts import any_text
from tests.fuzz.watch import fuzzed, one_line, watched
from tests.intake.json_strategies import json_values

ACTIONS = st.deferred(lambda: st.sampled_from(cases()))
PROPOSALS = spoiled(ACTIONS, json_values | any_text) | json_values


@fuzzed(PROPOSALS)
def test_a_value_is_an_action_or_bad_input(value: Any) -> None:
    before = copy.deepcopy(value)
    with watched(value):
        try:
            action = action_from(value)
        except BadInput as error:
            one_line(error)
            return
        assert action.kind in KINDS
        assert action.args == value.get("args", {})
        assert set(action.fields.values()) <= set(action.args)
        orjson.dumps(action.args)
    assert repr(value) == repr(before)


@fuzzed(spoiled(ACTIONS.map(lambda action: action.get("context", {})), json_values | any_text) | json_values)
def test_a_value_is_a_context_or_bad_input(value: Any) -> None:
    before = copy.deepcopy(value)
    with watched(value):
        try:
            context = context_from(value)
        except BadInput as error:
            one_line(error)
            return
        assert all(step.kind in KINDS for step in context.history)
        json.dumps([step.output for step in context.history], allow_nan=False)
    assert repr(value) == repr(before)


class Approving:
    """Stands where the engine does and says ok: what is tried here is how lines are read and answered."""

    policy = Policy()

    async def decide(self, action: Action, context: Context, session: Any = None) -> Any:
        told = {"verdict": "ok", "args": action.args, "facts": context.facts}
        return SimpleNamespace(verdict=Verdict.OK, allowed=True, record_error="", to_json=lambda: told)

    def observe(self, session: Any, action: Action, output: Any) -> None:
        """Takes no notice."""


_IDS = st.integers() | st.text(max_size=4)
_WITH_ID = st.builds(lambda id, value: {"id": id, **value} if isinstance(value, dict) else value, _IDS, PROPOSALS)
_WRITTEN = _WITH_ID.map(lambda value: json.dumps(value).encode())
LINES = _WRITTEN | edited(_WRITTEN) | st.binary(max_size=60)


@fuzzed(st.lists(LINES, max_size=5))
def test_every_line_has_its_one_answer(lines: list[bytes]) -> None:
    source = b"\n".join(lines)
    target = io.BytesIO()
    with watched(source):
        anyio.run(_check_lines, decide_here(Approving()), io.BytesIO(source), target)
    told = [json.loads(line) for line in target.getvalue().splitlines()]
    given_lines = [line for line in source.split(b"\n") if line.strip()]
    assert len(told) == len(given_lines)
    assert all(("verdict" in each) != ("error" in each and "code" in each) for each in told)
    for line, answer in zip(given_lines, told, strict=True):
        sent = _id_of(line)
        assert sent is None or str(answer.get("id")) == str(sent)  # as text where it has more than 64 bits


def _id_of(line: bytes) -> Any:
    """The id that was sent, where anyone would read the same."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    id = value.get("id") if isinstance(value, dict) else None
    return id if isinstance(id, (str, int)) and line.count(b'"id"') == 1 else None
