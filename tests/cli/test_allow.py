"""`supervisor allow`: a person reads what is allowed, makes it, looks at it and takes it back."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from supervisor.cli.exemption_draft import expiry
from supervisor.errors import BadInput
from tests.attack.terminals import SUPERVISOR, terminal
from tests.conftest import Ran, TinyTaxonomy

HERE = "/srv/app"


class Deployment:
    """A policy, its records, and the command under it. `screen` is what the person at the terminal has read."""

    def __init__(self, run: Callable[..., Ran], tiny: TinyTaxonomy, folder: Path) -> None:
        self._run, self._tiny, self.folder = run, tiny, folder
        self.screen = ""
        self.policy()

    def policy(self, **changed: Any) -> None:
        records = {"path": str(self.folder / "records"), "key": str(self.folder / "key.pem")}
        self._tiny.set_policy(**{"records": records, "isolation": "none", **changed})

    def read(self, shown: str, question: str, accepted: Iterable[str], otherwise: str = "") -> None:
        assert "yes" in accepted
        self.screen = shown

    def check(self, command: str = "touch block", cwd: str = HERE, **context: Any) -> dict[str, Any]:
        action = {"tool": "bash", "args": {"command": command}, "context": {"cwd": cwd, **context}}
        ran = self._run("check", "--policy", self._tiny.policy, stdin=json.dumps(action))
        decision: dict[str, Any] = json.loads(ran.out)
        return decision

    def verdict(self, command: str = "touch block", cwd: str = HERE, **context: Any) -> str:
        return str(self.check(command, cwd, **context)["verdict"])

    def allow(self, *arguments: str, options: bool = True) -> Ran:
        named = ["--policy", str(self._tiny.policy)]
        return self._run("allow", *arguments, *named) if options else self._run("allow", *arguments)

    def made(self, *arguments: str) -> dict[str, Any]:
        ran = self.allow(*arguments, "--reason", "it is mine", "--by", "ann", "--json")
        assert (ran.code, ran.err) == (0, "")
        exemption: dict[str, Any] = json.loads(ran.out)
        return exemption


@pytest.fixture
def deployed(
    run: Callable[..., Ran], tiny: TinyTaxonomy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Deployment:
    made = Deployment(run, tiny, tmp_path)
    monkeypatch.setattr("supervisor.cli.terminal.confirm", made.read)
    monkeypatch.delenv("SUPERVISOR_URL", raising=False)
    return made


def test_a_stopped_action_is_allowed_by_its_record(deployed: Deployment) -> None:
    stopped = deployed.check("touch block 'a b'")
    assert stopped["verdict"] == "block"
    made = deployed.made("--record", stopped["record"][:12])
    assert (made["specialists"], made["project"], made["by"]) == (["touches_block"], HERE, "ann")
    assert "lifts: touches_block" in deployed.screen
    assert "action: bash: touch block 'a b'" in deployed.screen
    assert "Of the last 1 decision, it would have let 1 run." in deployed.screen
    assert deployed.verdict("touch block 'a b'") == "flag"
    assert deployed.verdict('touch block   "a b"') == "flag"
    assert deployed.verdict("touch block a b") == "block"
    assert deployed.verdict("touch block 'a b'; touch block") == "block"
    assert deployed.verdict("touch block 'a b'", cwd="/srv/other") == "block"
    assert deployed.verdict("touch block 'a b' && touch nudge") == "block"


def test_it_is_named_by_the_decisions_id_too(deployed: Deployment) -> None:
    assert deployed.made("--record", deployed.check()["id"])["specialists"] == ["touches_block"]


def test_parts_say_what_is_allowed(deployed: Deployment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deployed.check()
    monkeypatch.chdir(tmp_path)
    block = ("--specialist", "touches_block")
    here = deployed.made(*block, "--command", " touch  block", "--agent", "builder")
    assert (here["project"], here["shown"]) == (str(tmp_path), " touch  block")
    assert deployed.verdict(cwd=str(tmp_path), agent="builder") == "flag"
    assert deployed.verdict(cwd=str(tmp_path)) == "block"
    deployed.made(*block, "--command", "touch block", "--project", "/srv/there", "--expires", "never")
    assert deployed.verdict(cwd="/srv/there") == "flag"
    below = deployed.made(*block, "--path", "blo?k")
    assert below["path"] == f"{tmp_path}/blo?k"
    assert deployed.verdict("touch block/a", cwd=str(tmp_path)) == "flag"
    assert deployed.verdict("touch block/a /etc/block", cwd=str(tmp_path)) == "block"
    where = deployed.made(*block, "--path", "/srv/block", "--environment", "staging")
    assert where["environment"] == "staging"
    assert deployed.verdict(cwd="/srv", environment="staging") == "flag"
    assert deployed.verdict(cwd="/srv", environment="production") == "block"
    assert deployed.verdict(cwd="/srv") == "block"


def test_list_show_and_revoke(deployed: Deployment) -> None:
    id = deployed.made("--record", deployed.check()["record"])["id"]
    listed = deployed.allow("list")
    assert (listed.code, id[:12] in listed.out, "it is mine" in listed.out) == (0, True, True)
    (row,) = [json.loads(line) for line in deployed.allow("list", "--json").out.splitlines()]
    assert (row["id"], row["state"]) == (id, "in force")
    shown = deployed.allow("show", id[:8])
    assert all(text in shown.out for text in (id, "touches_block", "bash: touch block", "in force"))
    assert deployed.allow("revoke", id[:8]).code == 0
    assert deployed.verdict() == "block"
    assert id[:12] not in deployed.allow("list").out
    assert "1 expired or revoked" in deployed.allow("list").out
    assert "revoked" in deployed.allow("list", "--all").out
    assert deployed.allow("revoke", id[:8]).err.strip().endswith("[already_revoked]")
    assert deployed.allow("show", "000000").code == 2


def test_a_trial_shows_what_would_have_run_and_makes_nothing(deployed: Deployment) -> None:
    for command in ("touch block a", "touch block b", "ls", "touch nudge block"):
        deployed.check(command)
    broad = ("--specialist", "touches_block", "--path", f"{HERE}/**", "--try")
    rows = [json.loads(line) for line in deployed.allow(*broad, "--json").out.splitlines()]
    assert [(each["action"]["args"]["command"], each["lifted"], each["still"]) for each in rows] == [
        ("touch block a", ["touches_block"], []),
        ("touch block b", ["touches_block"], []),
    ]
    assert "of the last 4 decisions, it would have let 2 run" in deployed.allow(*broad).out
    assert "of the last 1 decision, it would have let 0 run" in deployed.allow(*broad, "--last", "1").out
    assert deployed.screen == ""
    assert deployed.verdict("touch block a") == "block"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), "usage"),
        (("--specialist", "touches_block"), "too_broad"),
        (("--specialist", "touches_block", "--agent", "a", "--project", "/"), "too_broad"),
        (("--specialist", "touches_block", "--tool", "bash"), "too_broad"),
        (("--specialist", "touches_block", "--path", "/**"), "too_broad"),
        (("--specialist", "touches_block", "--path", "a/../../etc"), "usage"),
        (("--specialist", "*", "--command", "touch block"), "too_broad"),
        (("--specialist", "touches_blok", "--command", "touch block"), "bad_input"),
        (("--specialist", "touches_block", "--command", "x", "--expires", "soon"), "usage"),
        (("--specialist", "touches_block", "--command", "x", "--expires", "2001-01-01"), "usage"),
        (("--specialist", "touches_block", "--command", "x" * 5000), "too_long"),
        (("--record", "000000"), "no_record"),
        (("--record", "zz"), "no_record"),
    ],
)
def test_what_fits_too_much_or_nothing_is_refused(deployed: Deployment, arguments: tuple[str, ...], code: str) -> None:
    deployed.check()
    ran = deployed.allow(*arguments, "--reason", "x")
    assert (ran.code, ran.out, deployed.screen) == (2, "", "")
    assert ran.err.strip().endswith(f"[{code}]")
    assert ran.err.count("\n") == 1


def test_a_reason_is_required(deployed: Deployment) -> None:
    ran = deployed.allow("--record", deployed.check()["record"])
    assert (ran.code, ran.err) == (2, "supervisor: --reason: say why this is fine, for whoever reads it next [usage]\n")


def test_what_ran_and_what_did_not_object_is_told(deployed: Deployment) -> None:
    ran, stopped = deployed.check("ls"), deployed.check()
    assert "it ran (verdict ok)" in deployed.allow("--record", ran["record"], "--reason", "x").err
    other = deployed.allow("--record", stopped["record"], "--specialist", "touches_nudge", "--reason", "x")
    assert "touches_nudge did not stop this action; touches_block did" in other.err


def test_what_nobody_may_exempt_is_refused_with_the_reason(deployed: Deployment) -> None:
    record = deployed.check()["record"]
    for section in ("exemptions", "approval"):
        deployed.policy(**{section: {"never": ["touches_block"]}})
        ran = deployed.allow("--record", record, "--reason", "x")
        told = f"touches_block: nobody may exempt an action from it: the policy rules that out ({section}.never)"
        assert (ran.code, ran.err) == (2, f"supervisor: {told} [never_exempt]\n")


def test_an_entry_that_allows_none_is_refused_and_explained(
    deployed: Deployment, run: Callable[..., Ran], tiny: TinyTaxonomy
) -> None:
    tiny.add("system/holds_block", exemptible=False)
    record = deployed.check()["record"]
    ran = deployed.allow("--record", record, "--reason", "x")
    assert ran.err.strip().endswith("(`exemptible: false`) [never_exempt]")
    deployed.made("--record", record, "--specialist", "touches_block")
    decision = deployed.check()
    assert (decision["verdict"], decision["by"], [*decision["exemptions"]]) == (
        "block",
        ["holds_block"],
        ["touches_block"],
    )
    assert "makes no exemption from it" in run("explain", "holds_block", "--policy", tiny.policy).out
    assert "makes no exemption" not in run("explain", "touches_block", "--policy", tiny.policy).out


def test_those_of_the_policy_are_listed(deployed: Deployment) -> None:
    deployed.check()
    entry = {"specialists": ["touches_block"], "reason": "ours", "command": "touch block", "project": HERE}
    deployed.policy(exemptions={"allow": [entry]})
    assert deployed.verdict() == "flag"
    assert "the policy" in deployed.allow("list").out


def test_a_file_that_does_not_count_is_told(deployed: Deployment, run: Callable[..., Ran], tiny: TinyTaxonomy) -> None:
    deployed.made("--record", deployed.check()["record"])
    (deployed.folder / "records" / "exemptions" / f"{'0' * 64}.exemption").write_text("{}")
    listed = deployed.allow("list")
    assert (listed.code, listed.err.count("[bad_exemption]; it does not count")) == (1, 1)
    (row,) = [
        each
        for each in json.loads(run("doctor", "--json", "--policy", tiny.policy).out)
        if each["what"] == "exemptions"
    ]
    assert row["level"] == "wrong"
    assert deployed.verdict() == "flag"


def test_the_log_names_the_exemption(deployed: Deployment, run: Callable[..., Ran], tiny: TinyTaxonomy) -> None:
    id = deployed.made("--record", deployed.check()["record"])["id"]
    record = deployed.check()["record"]
    assert f"touches_block was overruled: allowed by exemption {id[:8]}" in " ".join(
        run("log", deployed.folder / "records").out.split()
    )
    shown = " ".join(run("log", "show", record, deployed.folder / "records").out.split())
    assert f"Allowed by exemption {id[:12]}: it is mine lifts the objection of touches_block; until 20" in shown
    assert f"UTC; made by ann `supervisor allow revoke {id[:12]}` ends it" in shown
    assert "The action may run: an exemption lifts every objection." in shown
    assert "Also recorded" not in shown


def test_a_daemon_has_its_own(deployed: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPERVISOR_URL", "http://127.0.0.1:1")
    for arguments in (("--record", "000000"), ("list",), ("revoke", "000000"), ("show", "000000")):
        ran = deployed.allow(*arguments)
        assert (ran.code, "without SUPERVISOR_URL" in ran.err) == (2, True)


def test_without_records_there_is_nothing_to_allow(deployed: Deployment) -> None:
    assert deployed.allow("list").code == 0
    ran = deployed.allow("--specialist", "touches_block", "--command", "x", "--reason", "x")
    assert (ran.code, "is not a folder of records" in ran.err) == (2, True)


def test_options_do_not_go_with_a_subcommand(run: Callable[..., Ran]) -> None:
    for option, value in (("--record", "000000"), ("--policy", "p.yaml"), ("--reason", "x")):
        ran = run("allow", option, value, "list")
        told = f"supervisor: {option}: options stand behind the subcommand: `supervisor allow list …` [usage]\n"
        assert (ran.code, ran.err) == (2, told)


NOW = datetime(2027, 1, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("2h", NOW + timedelta(hours=2)),
        ("30d", NOW + timedelta(days=30)),
        ("45m", NOW + timedelta(minutes=45)),
        ("8w", NOW + timedelta(weeks=8)),
        ("2027-02-01", datetime(2027, 2, 1, tzinfo=UTC)),
        ("2027-01-15T14:00:00+01:00", NOW + timedelta(hours=1)),
        ("never", None),
    ],
)
def test_an_expiry_is_a_span_a_date_or_never(text: str, then: datetime | None) -> None:
    assert expiry(text, NOW) == then


@pytest.mark.parametrize(
    "text", ["", "2", "h", "-2h", "2y", "2h30m", "999999999d", "2027-13-01", "2027-01-14", "Never"]
)
def test_any_other_expiry_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        expiry(text, NOW)


@pytest.mark.thorough
def test_only_a_person_at_a_terminal_allows(deployed: Deployment, tiny: TinyTaxonomy) -> None:
    record = deployed.check()["record"]
    command = [SUPERVISOR, "allow", "--record", record, "--reason", "mine", "--policy", str(tiny.policy)]
    alone = subprocess.run(command, input="yes\n", capture_output=True, text=True, check=False, start_new_session=True)
    assert (alone.returncode, alone.stderr.strip().endswith("[no_terminal]")) == (2, True)
    for typed, code in (("no\n", 2), ("yes\n", 0)):
        with terminal(*command, env=os.environ) as screen:
            screen.wait_for("Type yes to allow this:")
            screen.type(typed)
            assert screen.ends() == code, screen.shown
    assert deployed.verdict() == "flag"
