"""The audit of what models judged: whether people are shown the policy's share of it, and whether they agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Answer
from supervisor.decision.sampling import is_sampled
from supervisor.doors.live import LiveDoors
from supervisor.engine.supervisor import Supervisor
from supervisor.feedback.audit import Bounds, judge_checks
from supervisor.feedback.judges import LetThrough, let_through, sample_of
from supervisor.feedback.labelling import give
from supervisor.policy import policy_from
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal
from supervisor.records.labels import Label
from tests.catalog.taxonomies import add
from tests.conftest import Ran

NOW = datetime.now(UTC)
_ASKS = """\
    if action.kind == "refund":
        answer = await context.ask("Is it refunded twice?", order=action.text("order"))
        return flag("twice") if answer.yes else ok()
"""
shown, due, neither = (LetThrough(0.5, *each) for each in ((True, True), (False, True), (False, False)))
other = LetThrough(0.0, is_shown=False, is_due=False)


@pytest.mark.parametrize(
    ("found", "rate", "state", "told"),
    [
        ([shown, neither] * 20, 0.5, "ok", "20 are shown to people (50.0%; the policy says 50.0%)"),
        ([shown, neither, other], 0.5, "ok", "1 were decided under another rate"),
        ([shown, neither, due], 0.5, "out", "1 should be shown and are not"),
        ([other] * 10, 0.5, "out", "10 were decided under another rate"),
        ([other] * 9, 0.5, "ok", "9 were decided under another rate"),
        ([other] * 10, 0.0, "unknown", "(0.0%; the policy says 0.0%)"),
    ],
)
def test_the_sample_against_the_rate(found: list[LetThrough], rate: float, state: str, told: str) -> None:
    (check,) = judge_checks(sample_of(found, rate), [], rate, "2026-W47", Bounds())
    assert (check.name, check.state) == ("sample of the judges", state)
    assert told in check.told


@pytest.mark.parametrize(
    ("weeks", "state"),
    [
        ([("2026-W47", 10, 1)], "ok"),
        ([("2026-W47", 8, 1)], "unknown"),
        ([("2026-W47", 8, 2)], "out"),
        ([("2026-W46", 200, 0), ("2026-W47", 37, 4)], "out"),  # nine in ten are right, and it was better
        ([("2026-W46", 0, 9), ("2026-W47", 10, 0)], "ok"),
    ],
)
def test_agreement(weeks: list[tuple[str, int, int]], state: str) -> None:
    (check,) = judge_checks(sample_of([], 0.5), weeks, 0.5, "2026-W47", Bounds())
    assert (check.name, check.state) == ("agreement with the judges", state)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.05, 1.0]), st.booleans(), st.booleans())))
def test_counts(found: list[tuple[float, bool, bool]]) -> None:
    sample = sample_of((LetThrough(*each) for each in found), 0.05)
    assert sample.judged == len(found)
    assert sample.shown == sum(is_shown for _, is_shown, _ in found)
    assert sample.ruled == [rate for rate, *_ in found].count(0.05)
    assert sample.lacking == found.count((0.05, False, True))


class Judged:
    """A guard with a judge whose model agrees to everything, and people who look at half of that."""

    def __init__(self, folder: Path) -> None:
        _, judge = add(folder / "own", "asks_a_model", verdict="flag", word="never")
        source = judge.read_text().replace('("shell")\ndef', '("shell", "refund")\nasync def')
        judge.write_text(source.replace('    if "never"', _ASKS + '    if "never"'))
        self.folder, self.records, self.key = folder, folder / "records", folder / "key.pem"

    def policy(self, rate: float) -> Path:
        values = {
            "taxonomy": {"shipped": False, "folders": [str(self.folder / "own")]},
            "records": {"path": str(self.records), "key": str(self.key)},
            "review": {"judges": rate},
        }
        path = self.folder / f"policy-{rate}.yaml"
        path.write_text(json.dumps(values))
        return path

    def decide(self, rate: float, number: int) -> list[Any]:
        opened = Supervisor(policy_from(json.loads(self.policy(rate).read_text()), place="the test"))
        actions = [opened.action("refund", {"order": f"A-{each}"}) for each in range(number)]
        made = [anyio.run(opened.decide, action, None, None) for action in actions]
        made.append(anyio.run(opened.decide, opened.action("bash", {"command": "ls"}), None, None))  # no model is asked
        opened.close()
        return made[:-1]

    def label(self, decisions: list[Any], word: Any, verdict: str = "") -> None:
        signer = open_signer(self.key)
        journal = Journal(self.records, signer)
        for each in decisions:
            give(journal, signer, Label(each.record, word, "ann", datetime.now(UTC), "terminal", verdict))
        journal.close()


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judged:
    async def ask(self: LiveDoors, question: str, material: Any) -> Answer:
        return Answer(yes=False, confidence=0.9)

    monkeypatch.setattr(LiveDoors, "ask", ask)
    monkeypatch.setattr(LiveDoors, "check", lambda self, door: None)
    return Judged(tmp_path)


def audited(run: Callable[..., Ran], policy: Path, *more: str) -> tuple[int, dict[str, tuple[str, str]]]:
    ran = run("audit", "--policy", policy, "--replay", "0", "--json", *more)
    return ran.code, {each["name"]: (each["state"], each["told"]) for each in json.loads(ran.out)["checks"]}


def test_a_night_with_judges(judged: Judged, run: Callable[..., Ran]) -> None:
    made = judged.decide(0.5, 60)
    sampled = [each for each in made if is_sampled(each.id, 0.5)]
    assert {each.verdict.label for each in made} == {"ok"}
    assert [each for each in made if each.review] == sampled
    code, checks = audited(run, judged.policy(0.5))
    state, told = checks.pop("sample of the judges")
    assert (code, state, set(checks)) == (0, "ok", {"records"})
    assert f"of 60 actions that a model judged and nothing objected to, {len(sampled)} are shown to people" in told
    judged.label(sampled[:10], "right")
    code, checks = audited(run, judged.policy(0.5))
    right = "people call 10 of 10 actions right that a model judged and nothing objected to"
    assert (code, checks["agreement with the judges"]) == (0, ("ok", right))
    judged.label(sampled[:2], "should_have_been", "block")
    code, checks = audited(run, judged.policy(0.5))
    assert (code, checks["agreement with the judges"][0]) == (1, "out")
    assert audited(run, judged.policy(0.5), "--judges", "0.5")[0] == 0


def test_a_guard_that_samples_at_another_rate_is_out_of_bounds(judged: Judged, run: Callable[..., Ran]) -> None:
    judged.decide(0, 10)
    code, checks = audited(run, judged.policy(0.5))
    assert (code, checks["sample of the judges"][0]) == (1, "out")
    judged.decide(0.5, 1)
    assert audited(run, judged.policy(0.5))[0] == 0


def test_only_what_is_late_enough_counts_and_what_cannot_be_read_is_left_out(judged: Judged) -> None:
    judged.decide(1, 3)
    assert len(list(let_through(judged.records, NOW - timedelta(hours=1)))) == 3
    assert list(let_through(judged.records, datetime.now(UTC) + timedelta(hours=1))) == []
    (path,) = judged.records.glob("*.jsonl")
    signer = open_signer(judged.key)
    journal = Journal(judged.records, signer)
    journal.append("decision", {"answers": "0" * 64, "decision": {"verdict": "ok"}, "time": NOW.isoformat()}, "a" * 64)
    journal.append("decision", {"answers": 7}, "a" * 64)
    journal.close()
    path.write_bytes(path.read_bytes() + b"nonsense\n")
    assert len(list(let_through(judged.records, NOW - timedelta(hours=1)))) == 3
