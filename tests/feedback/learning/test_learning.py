"""From labels to a promotion and back: what a person promotes changes decisions, and the journal proves it."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from supervisor.action import Context
from supervisor.catalog.catalog import in_force
from supervisor.decision.decision import Decision
from supervisor.decision.learned import Promotion, learned_of
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadRecord
from supervisor.evidence.actions.traits import Traits, traits_of
from supervisor.feedback.labelling import give
from supervisor.feedback.learning.examples import MOST_A_DAY, MOST_A_KEY, examples, read_history
from supervisor.feedback.learning.fitting import fit
from supervisor.feedback.learning.proposals import Suggestion, suggested
from supervisor.policy import Policy, Records
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal
from supervisor.records.labels import Label
from supervisor.records.promotions import FOLDER, Promotions
from supervisor.records.verify import verify
from supervisor.verdict import Verdict
from tests.conftest import Ran

FORCE = "force_push_to_shared_branch"
MIRROR = "git push --force mirror main"
ORIGIN = "git push --force origin main"
_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Deployment:
    """An engine with records, and people who label them."""

    def __init__(self, folder: Path) -> None:
        self.records = folder / "records"
        self.policy = Policy(records=Records(path=str(self.records), key=str(folder / "key.pem")), isolation="none")
        self.engine = Supervisor(self.policy)
        self._numbers = itertools.count()

    def decide(self, command: str, session: str = "", **facts: str) -> Decision:
        context = Context(facts={"cwd": "/srv/app", **facts}, session=session or f"session {next(self._numbers)}")
        return self.engine.decide_from_thread(self.engine.action("bash", {"command": command}), context)

    def label(
        self, decision: Decision, word: Any, by: str = "ada", *, time: datetime | None = None, **more: Any
    ) -> None:
        assert decision.record is not None
        signer = open_signer(Path(self.policy.records.key))
        journal = Journal(self.records, signer)
        when = time or _NOON + timedelta(minutes=next(self._numbers))
        give(journal, signer, Label(decision.record, word, by, when, "terminal", **more))
        journal.close()

    def people_label(self) -> None:
        """Two people call pushes to the mirror fine, and pushes to the origin not."""
        for number in range(12):
            self.label(self.decide(MIRROR), "wrong", ("ada", "grace")[number % 2])
        for number in range(3):
            self.label(self.decide(ORIGIN), "right", ("ada", "grace")[number % 2])

    def suggestion(self) -> Suggestion:
        return suggested(read_history(self.records), in_force(self.policy), self.policy)

    def store(self) -> Promotions:
        signer = open_signer(Path(self.policy.records.key))
        return Promotions(self.records, lambda: signer, lambda: Journal(self.records, signer))

    def promote(self) -> str:
        learned = self.suggestion().learned()
        assert learned is not None
        promotion = Promotion(
            learned.digest, "ada", datetime.now(UTC), "the mirror is ours", "terminal", tuple(learned.specialists)
        )
        self.store().promote(learned, promotion)
        return learned.digest

    def rollback(self) -> None:
        self.store().promote(None, Promotion("", "ada", datetime.now(UTC), "a mistake", "terminal"))

    def problems(self) -> list[str]:
        return [problem.code for problem in verify(self.records).problems]


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    made = Deployment(tmp_path)
    yield made
    made.engine.close()


def test_what_was_promoted_turns_a_false_alarm_into_a_flag(deployment: Deployment) -> None:
    deployment.people_label()
    assert deployment.decide(MIRROR).verdict is Verdict.NUDGE
    digest = deployment.promote()
    now = deployment.decide(MIRROR)
    assert (now.verdict, now.review) == (Verdict.FLAG, False)
    lifted = now.exemptions[FORCE]
    assert (lifted.origin, lifted.id, lifted.by) == ("learned", digest, "ada")
    assert deployment.decide(ORIGIN).verdict is Verdict.NUDGE
    assert deployment.decide(f"{MIRROR} && {ORIGIN}").verdict is Verdict.NUDGE
    deployment.engine.close()
    assert deployment.problems() == []


def test_a_rollback_is_one_step_and_old_records_replay(
    deployment: Deployment, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUPERVISOR_REPLAY_PROCESS", "1")
    deployment.people_label()
    deployment.promote()
    assert deployment.decide(MIRROR).verdict is Verdict.FLAG
    deployment.rollback()
    assert deployment.decide(MIRROR).verdict is Verdict.NUDGE
    deployment.engine.close()
    assert deployment.problems() == []
    replayed = json.loads(run("replay", deployment.records, "--json").out)
    assert (replayed["differing"], replayed["unreadable"]) == ([], [])


def test_a_file_that_nobody_promoted_is_not_in_force(deployment: Deployment, caplog: pytest.LogCaptureFixture) -> None:
    deployment.people_label()
    digest = deployment.promote()
    path = deployment.records / FOLDER / f"{digest}.json"
    path.write_bytes(path.read_bytes().replace(b'"threshold": ', b'"threshold": -'))
    assert deployment.decide(MIRROR).verdict is Verdict.NUDGE
    assert "what was learned is ignored" in caplog.text
    with pytest.raises(BadRecord, match="not what its name says"):
        deployment.store().named(digest)
    path.unlink()
    assert Promotions(deployment.records, deployment.store()._signer, deployment.store()._journal).in_force() is None


def test_an_older_promotion_that_was_put_back_is_found(deployment: Deployment) -> None:
    deployment.people_label()
    deployment.promote()
    current = deployment.records / FOLDER / "promotion"
    promoted = current.read_bytes()
    deployment.rollback()
    current.write_bytes(promoted)
    deployment.engine.close()
    assert deployment.problems() == ["promotion_replaced"]
    current.write_bytes(b"{}")
    assert deployment.problems() == ["bad_promotion"]


def test_a_use_that_no_promotion_proves_is_found(deployment: Deployment) -> None:
    """Who holds the key could write a decision that names something learned, and no person promoted it."""
    deployment.people_label()
    learned = deployment.suggestion().learned()
    assert learned is not None
    promotion = Promotion(learned.digest, "ada", datetime.now(UTC), "unsaid", "terminal", (FORCE,))
    deployment.engine._ledger.promotions.in_force = lambda: (learned, promotion)  # type: ignore[union-attr, method-assign]
    assert deployment.decide(MIRROR).verdict is Verdict.FLAG
    deployment.engine.close()
    assert deployment.problems() == ["promotion_differs"]


def test_the_wrong_of_one_person_is_not_enough_where_several_label(deployment: Deployment) -> None:
    for _ in range(12):
        deployment.label(deployment.decide(MIRROR), "wrong", "mallory")
    deployment.label(deployment.decide(ORIGIN), "right", "ada")
    assert deployment.suggestion().learned() is None


def test_no_label_weakens_what_is_critical(deployment: Deployment) -> None:
    for number in range(12):
        deployment.label(deployment.decide("rm -rf /var/exports/old"), "wrong", ("ada", "grace")[number % 2])
    (proposal,) = deployment.suggestion().proposals
    assert (proposal.weights, proposal.is_promotable) == (None, False)
    assert "critical" in proposal.why


def test_a_right_stop_of_the_same_sort_stops_the_promotion(deployment: Deployment) -> None:
    deployment.people_label()
    for number in range(8):
        deployment.label(deployment.decide(MIRROR), "right", ("ada", "grace")[number % 2])
    suggestion = deployment.suggestion()
    assert suggestion.learned() is None
    (proposal,) = suggestion.proposals
    assert not all(gate.is_passed for gate in proposal.gates)


def test_labels_of_a_script_do_not_count(deployment: Deployment) -> None:
    stops = [deployment.decide(MIRROR) for _ in range(MOST_A_KEY + 4)]
    for stop in stops:
        deployment.label(stop, "wrong", time=_NOON)
    assert len(examples(read_history(deployment.records))) == MOST_A_KEY
    assert MOST_A_KEY < MOST_A_DAY


def test_a_scope_is_asked_for_before_a_weight(deployment: Deployment) -> None:
    for name in ("a", "b", "c"):
        deployment.label(deployment.decide(f"rm -rf /var/exports/{name}"), "wrong")
    deployment.label(deployment.decide("rm -rf /var/lib/mysql"), "right")
    deployment.decide("rm -rf /var/exports/d")
    (scope,) = deployment.suggestion().scopes
    named = ["--specialist", "recursive_delete_outside_workspace", "--path", "/var/exports", "--expires", "30d"]
    assert scope.command()[2:] == named
    assert (len(scope.labels), len(scope.others)) == (3, 1)


def test_a_scope_that_would_let_a_right_stop_run_is_narrowed(deployment: Deployment) -> None:
    first = deployment.decide("rm -rf /var/exports/a")
    deployment.label(first, "wrong")
    deployment.label(deployment.decide("rm -rf /var/exports/a"), "wrong")
    deployment.label(deployment.decide("rm -rf /var/exports/private"), "right")
    (scope,) = deployment.suggestion().scopes
    assert scope.options == ("--record", first.id[:12])


def test_each_action_has_a_scope_where_none_fits_all_of_its_sort(deployment: Deployment) -> None:
    decided = [deployment.decide(f"sudo chmod -R 777 /srv/dropbox/in{number}") for number in (1, 2, 2)]
    for each in decided:
        deployment.label(each, "wrong")
    scopes = deployment.suggestion().scopes
    assert [(scope.options, len(scope.labels)) for scope in scopes] == [
        (("--record", decided[1].id[:12]), 2),
        (("--record", decided[0].id[:12]), 1),
    ]


def test_a_scope_is_of_one_environment_where_that_is_what_people_know(deployment: Deployment) -> None:
    for name in ("a", "b"):
        deployment.label(deployment.decide(f"rm -rf /var/exports/{name}", environment="staging"), "wrong")
    right = deployment.decide("rm -rf /var/exports/c", environment="production")
    deployment.label(right, "right")
    deployment.decide("rm -rf /var/exports/d", environment="staging")
    (scope,) = deployment.suggestion().scopes
    assert scope.options == ("--path", "/var/exports", "--environment", "staging")
    assert (len(scope.labels), len(scope.others)) == (2, 1)


def test_a_missed_label_suggests_a_case_and_a_rule(deployment: Deployment, run: Callable[..., Ran]) -> None:
    deployment.decide("vacate --later")
    decided = [deployment.decide(f"vacate --now room{number}") for number in range(2)]
    for each in decided:
        deployment.label(each, "should_have_been", verdict="block")
    deployment.label(deployment.decide("ls"), "right")
    (found,) = deployment.suggestion().missed
    assert ([act.record for act in found.acts], found.verdict) == ([each.record for each in decided], "block")
    policy = deployment.records.parent / "policy.yaml"
    policy.write_text(f"records: {{path: {deployment.records}, key: {deployment.policy.records.key}}}\n")
    (told,) = json.loads(run("learn", "--policy", policy, "--json").out)["missed"]
    assert (told["rule"], told["fits_also"]) == ("a command that runs vacate with --now", [])
    shown = run("learn", "--policy", policy).out
    assert "rule: a command that runs vacate with --now, which fits 0 others of the newest 1,000 decisions" in shown
    _, _, _, *options = told["command"]
    made = run("new", "files/rooms_vacated", *options, "--folder", policy.parent / "own", "--policy", policy)
    assert made.code == 0, made.err
    source = (policy.parent / "own/specialists/files/rooms_vacated.py").read_text()
    assert "if command.program == 'vacate' and {'--now'} <= set(command.args):" in source
    entry = (policy.parent / "own/taxonomy/files/rooms_vacated.yaml").read_text()
    assert [f"vacate --now room{number}" in entry for number in range(3)] == [True, True, False]


def test_a_draft_is_of_actions_of_one_kind(deployment: Deployment, run: Callable[..., Ran]) -> None:
    shell = deployment.decide("vacate --now room1")
    other = deployment.engine.decide_from_thread(deployment.engine.action("remove", {"id": 4}), Context(session="s"))
    policy = deployment.records.parent / "policy.yaml"
    policy.write_text(f"records: {{path: {deployment.records}, key: {deployment.policy.records.key}}}\n")
    records = ("--from-record", shell.record, "--from-record", other.record)
    refused = run("new", "files/rooms_vacated", *records, "--folder", policy.parent / "own", "--policy", policy)
    assert (refused.code, "of different kinds" in refused.err) == (2, True)


def test_what_was_learned_is_read_as_it_was_written(deployment: Deployment) -> None:
    deployment.people_label()
    learned = deployment.suggestion().learned()
    assert learned is not None
    assert learned_of(learned.content()) == learned
    said = [each for each in examples(read_history(deployment.records)) if each.specialist == FORCE]
    digest = in_force(deployment.policy).digests()[FORCE]
    mixed = random.Random(7).sample(said, len(said))
    assert fit(said, [], digest) == fit(mixed, [], digest)


@pytest.mark.parametrize("broken", [b"{}", b"[]", b"null", b'{"supervisor": "1", "specialists": {"a": {}}}'])
def test_a_file_that_is_nothing_learned_is_refused(broken: bytes) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        learned_of(broken)


def test_a_person_promotes_and_takes_back(
    deployment: Deployment, tmp_path: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    screens: list[str] = []
    monkeypatch.setattr("supervisor.cli.terminal.confirm", lambda shown, *_: screens.append(shown))
    monkeypatch.delenv("SUPERVISOR_URL", raising=False)
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"records: {{path: {deployment.records}, key: {deployment.policy.records.key}}}\n")
    deployment.people_label()
    deployment.engine.close()
    shown = run("learn", "--policy", policy).out
    assert "may be promoted" in shown
    assert "passed held-out labels" in shown
    told = json.loads(run("learn", "--policy", policy, "--json").out)
    assert [each["specialist"] for each in told["weights"] if each["may_be_promoted"]] == [FORCE]
    assert run("learn", "promote", "--policy", policy).code == 2
    assert run("learn", "rollback", "--policy", policy, "--reason", "x").code == 2
    assert run("learn", "promote", "--only", "unknown", "--policy", policy, "--reason", "x").code == 2
    promoted = json.loads(run("learn", "promote", "--policy", policy, "--reason", "ours", "--by", "ada", "--json").out)
    assert (promoted["specialists"], promoted["by"]) == ([FORCE], "ada")
    assert screens[0].count(MIRROR) == 12
    assert "in force" in run("learn", "--policy", policy).out
    assert run("learn", "rollback", "--policy", policy, "--reason", "a mistake").code == 0
    assert run("verify", deployment.records).code == 0


def parts(*texts: str) -> Traits:
    return Traits(tuple(frozenset({text}) for text in texts), frozenset({"tool bash"}))


def test_each_part_must_be_known() -> None:
    shell = Supervisor(Policy(records=Records(path=None), isolation="none"))
    action = shell.action("bash", {"command": "rm -rf /mnt/scratch/job-17/out && curl https://a.example/x/y"})
    found = traits_of(action, Context())
    assert found is not None
    assert {"rm /mnt/scratch", "rm /mnt/scratch/job-0", "curl https://a.example"} <= found.all
    assert "rm /mnt" not in found.all
    assert parts("b", "a").key == "a · b"
