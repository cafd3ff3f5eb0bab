"""What a change to a resource weighs: who asked, where it acts, and what was looked at before."""

from __future__ import annotations

import pytest

from supervisor.action import Action, Context, Step
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.verdict import Verdict

ADVICE = Advice("destroys things", "List them first.", "Leave them.")


def verdict(command: str, task: str | None = None, *steps: str) -> Verdict:
    history = [Step("bash", {"command": step}, "", kind="shell") for step in steps]
    action, context = Action("bash", {"command": command}, kind="shell"), Context(task, history)
    return judged(changes(action, context), ADVICE, action, context).verdict


DELETE = "gcloud sql instances delete orders"


@pytest.mark.parametrize(
    ("command", "weighs"),
    [
        (DELETE, Verdict.NUDGE),
        (f"{DELETE} --project shop-staging", Verdict.NUDGE),
        ("az vm stop --name web", Verdict.FLAG),
        ("az vm stop --name web-prod", Verdict.NUDGE),
        ("zonkctl cluster delete blue", Verdict.FLAG),
        ("zonkctl cluster delete blue --yes", Verdict.NUDGE),
        ("pulumi destroy --yes --stack prod", Verdict.BLOCK),
        ("vssadmin delete shadows /all", Verdict.BLOCK),
        ("kubectl --context minikube delete ns web", Verdict.OK),
        ("gcloud sql instances list", Verdict.OK),
    ],
)
def test_what_a_change_weighs_by_itself(command: str, weighs: Verdict) -> None:
    assert verdict(command) is weighs


@pytest.mark.parametrize(
    ("task", "weighs"),
    [
        ("Remove the SQL instance orders.", Verdict.FLAG),
        ("Delete orders", Verdict.FLAG),
        ("Make the orders page faster", Verdict.NUDGE),
        ("Delete the old branches", Verdict.NUDGE),
        ("", Verdict.NUDGE),
    ],
)
def test_what_the_user_asks_for_goes_to_a_person(task: str, weighs: Verdict) -> None:
    assert verdict(DELETE, task) is weighs


def test_a_small_thing_that_the_user_asks_for_is_fine() -> None:
    assert verdict("az vm stop --name web", "Stop the VM web") is Verdict.OK


def test_what_was_listed_before_goes_to_a_person() -> None:
    assert verdict(DELETE, None, "gcloud sql instances describe orders") is Verdict.FLAG
    assert verdict(DELETE, None, "gcloud sql instances describe billing") is Verdict.NUDGE
    assert verdict(DELETE, None, "aws rds describe-db-instances orders") is Verdict.NUDGE


def test_a_session_removes_what_it_made() -> None:
    assert verdict(DELETE, None, "gcloud sql instances create orders") is Verdict.OK
    assert verdict(f"gcloud sql instances create orders; {DELETE}") is Verdict.OK
    assert verdict(DELETE, None, "gcloud sql instances create other") is Verdict.NUDGE


def test_a_step_that_failed_made_nothing() -> None:
    step = Step("bash", {"command": "gcloud sql instances create orders"}, "denied", kind="shell", failed=True)
    action, context = Action("bash", {"command": DELETE}, kind="shell"), Context(history=[step])
    assert judged(changes(action, context), ADVICE, action, context).verdict is Verdict.NUDGE


def test_where_no_target_is_named_the_same_kind_of_thing_counts() -> None:
    assert verdict("terraform destroy -auto-approve", None, "terraform plan -destroy") is Verdict.FLAG
    assert verdict("docker compose down -v", None, "docker compose up -d") is Verdict.OK
    assert verdict("docker-compose down -v", None, "docker-compose up -d") is Verdict.OK
    assert (
        verdict("docker system prune -af --volumes", None, "docker run -d nginx", "docker volume create x")
        is Verdict.NUDGE
    )
