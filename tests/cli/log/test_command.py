"""`supervisor log`: which decisions are shown, how, and what `log show` tells about one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from supervisor.cli.log import command
from supervisor.engine.session import Session
from supervisor.policy import ApprovalPolicy, Memory
from supervisor.policy.sections import Askable
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal
from tests.cli.log.conftest import BUILDER, SUPPORT, Written, deployment


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def ids(run, written: Written):
    """The names of the decisions that `log` shows with these options."""
    names = {decision.id: name for name, decision in written.decided.items()}

    def shown(*options: str) -> list[str]:
        ran = run("log", written.folder, "--json", *options)
        assert ran.code == 0, ran.err
        return [names[each["id"]] for each in lines(ran.out) if each["kind"] == "decision"]

    return shown


# the list


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_nothing_that_is_needed_next_is_cut_at_any_width(run, written, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = run("log", written.folder)
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= columns
    whole = "".join(ran.out.split())
    for decision in written.decided.values():
        assert decision.id[:8] in ran.out
        assert set(decision.by) <= {each for each in decision.by if each in whole}
    assert f"session{BUILDER}" in whole
    assert "agentrefunds·sessionsupport-1" in whole
    assert "rm-rf~" + "long" * 30 in whole
    assert "stops_deletion:Itdeletes[red]all[/]<b>files</b>." in whole


def test_a_lost_vote_is_marked_once_with_its_count(run, written):
    shown = " ".join(run("log", written.folder, "--session", SUPPORT).out.split())
    assert shown.count("no such table") == 1
    assert "! 2 votes lost: no such table: refunds (knows_refunds, knows_orders)" in shown
    assert "not_concerned" not in shown


def test_hostile_text_is_shown_as_text(run, written):
    for verb in (["log"], ["log", "show", written.id("hostile")]):
        shown = run(*verb, written.folder).out
        assert "[red]x[/] \\x1b[2J <script>" in shown
        assert not {"\x1b", "\u202e"} & set(shown)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--verdict", "nudge"], ["push"]),
        (["--session", SUPPORT], ["refund"]),
        (["--session", "3f0c9a1e", "--verdict", "block"], ["delete"]),
        (["--session", "claude:3f", "-n", "3"], ["install", "hostile"]),
        (["--session", "other"], []),
        (["--agent", "refunds"], ["refund"]),
        (["--agent", "refund"], []),
        (["--specialist", "knows_orders"], ["refund"]),
        (["--specialist", "stops_deletion"], ["delete"]),
        (["--specialist", "flags_install"], ["install"]),
        (["--since", "1h", "--until", "1s"], None),
        (["--since", "1h"], ["test", "push", "refund", "delete", "install", "hostile"]),
        (["--until", "1h"], []),
        (["--until", "yesterday"], []),
    ],
)
def test_it_can_be_narrowed(ids, options, expected):
    found = ids(*options)
    assert expected is None or found == expected


def test_times_bound_what_is_shown_exactly(ids, written, run):
    times = [each["time"] for each in lines(run("log", written.folder, "--json").out) if each["kind"] == "decision"]
    assert ids("--since", times[2]) == ["refund", "delete", "install", "hostile"]
    assert ids("--until", times[2]) == ["test", "push"]
    assert ids("--since", times[1], "--until", times[3]) == ["push", "refund"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--verdict", "blok"], "did you mean 'block'?"),
        (["--since", "whenever"], "--since: 'whenever' is no time; write "),
        (["--since", "1h", "--until", "2h"], "--since: it is not before --until"),
        (["--html", "x.html", "--follow"], "--html: "),
        (["-n", "0"], "--last"),
    ],
)
def test_a_condition_that_is_none_is_said(run, written, options, problem):
    ran = run("log", written.folder, *options)
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err
    assert ran.err.count("\n") == 1


def test_a_specialist_that_nobody_knows_is_no_empty_list(run, written, tiny):
    ran = run("log", written.folder, "--specialist", "touches_flg", "--policy", tiny.policy)
    assert (ran.code, ran.out) == (2, "")
    assert "--specialist: no specialist 'touches_flg'; did you mean 'touches_flag'?" in ran.err
    assert run("log", written.folder, "--specialist", "touches_flag", "--policy", tiny.policy).code == 0


def test_what_is_left_out_is_said_beside_the_list(run, written):
    ran = run("log", written.folder, "-n", "2")
    assert ran.err == "supervisor: the newest 2; -n shows more\n"
    assert run("log", written.folder, "--session", "nobody").err == "supervisor: no decision matches\n"


def test_json_names_its_version_and_the_agent(run, written):
    told = lines(run("log", written.folder, "--json", "-n", "1").out)[0]
    assert (told["version"], told["agent"], told["session"]) == (1, "builder", BUILDER)
    assert told["place"].startswith(next(written.folder.glob("*.jsonl")).name)


def test_the_policys_folder_is_the_usual_one(run, written, tiny):
    tiny.set_policy(records={"path": str(written.folder)})
    assert len(run("log", "--policy", tiny.policy).out.splitlines()) > 10
    tiny.set_policy(records={"path": str(written.folder / "none")})
    ran = run("log", "--policy", tiny.policy)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.endswith("nothing has been decided under this policy [no_records]\n")


# log show


def test_show_tells_what_was_proposed_after_what_and_who_objected(run, written):
    shown = " ".join(run("log", "show", written.id("delete")[:6], written.folder).out.split())
    for part in (
        "block · 20",
        "The action does not run; the agent gets the reason.",
        "bash (kind shell) command: rm -rf ~ long",
        "agent builder",
        f"session {BUILDER}",
        "task: Fix the test",
        "in /repo",
        'fact customer: {"name":"Ann"}',
        "After 1 step bash failed pytest → 1 failed",
        "block stops_deletion It deletes [red]all[/] <b>files</b>. read from: rm -rf",
        "It did not run: it was stopped.",
        f"id {written.id('delete')}",
        f"address {written.decided['delete'].record}",
        "3 specialists asked",
    ):
        assert part in shown, shown
    assert "guard_assets" not in shown


def test_show_tells_who_could_not_judge_and_what_to_do(run, written):
    shown = " ".join(run("log", "show", written.id("refund"), written.folder).out.split())
    assert "Could not judge 2 votes lost: no such table: refunds (knows_refunds, knows_orders); name yours in" in shown
    assert "currency" not in shown


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("test", "It ran and failed: 1 failed Its outcome was judged: flag judges_output"),
        ("push", "Told the agent Push to a branch. What ran, and what came out It did not run: it was stopped."),
        ("install", "flag flags_install (confidence 0.75) It installs a package."),
        ("install", "It ran: installed"),
        ("hostile", "Not recorded: no later decision of the session is in this journal."),
    ],
)
def test_show_tells_what_came_of_it(run, written, name, told):
    assert told in " ".join(run("log", "show", written.id(name), written.folder).out.split())


def test_show_as_json_has_the_parts_and_not_their_addresses(run, written):
    told = json.loads(run("log", "show", written.id("test"), written.folder, "--json").out)
    assert (told["version"], told["task"], told["agent"]) == (1, "Fix the test", "builder")
    assert told["facts"]["cwd"] == "/repo"
    assert told["came_out"] == {
        "tool": "bash",
        "args": {"command": "pytest"},
        "output": "1 failed",
        "kind": "shell",
        "failed": True,
    }
    assert told["outcome"]["decision"]["verdict"] == "flag"
    assert set(told["asked"]) == {"stops_deletion", "corrects_push", "flags_install"}
    assert told["missing"] == []
    lost = json.loads(run("log", "show", written.id("refund"), written.folder, "--json").out)["lost"]
    assert lost == [
        {
            "reason": "no such table: refunds",
            "cause": "infrastructure",
            "count": 2,
            "specialists": ["knows_refunds", "knows_orders"],
        }
    ]


def test_show_takes_the_records_address_and_an_outcomes_own_id(run, written):
    by_address = run("log", "show", written.decided["push"].record[:20], written.folder)
    assert written.id("push") in by_address.out
    (outcome,) = [
        each for each in lines(run("log", written.folder, "--json").out) if each["decision"]["by"] == ["judges_output"]
    ]
    shown = " ".join(run("log", "show", outcome["id"], written.folder).out.split())
    assert "The result may be used; a person should look at it." in shown
    assert "It ran and failed: 1 failed" in shown


def test_show_at_a_time_tells_what_the_guard_saw_then(run, written):
    time = next(
        each["time"] for each in lines(run("log", written.folder, "--json").out) if each["id"] == written.id("push")
    )
    told = lines(run("log", "show", "--at", time, written.folder, "--json").out)
    assert [each["id"] for each in told] == [written.id("push")]
    minute = lines(run("log", "show", "--at", time[:16], written.folder, "--json").out)
    assert written.id("push") in [each["id"] for each in minute]
    later = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    last = lines(run("log", "show", "--at", later, "--session", SUPPORT, written.folder, "--json").out)
    assert [each["id"] for each in last] == [written.id("refund")]


def test_show_lists_what_is_too_much_to_tell_whole(run, written, monkeypatch):
    monkeypatch.setattr(command, "_MOST_WHOLE", 0)
    ran = run("log", "show", written.id("push"), written.folder)
    assert (ran.code, ran.err) == (0, "supervisor: 1 decision then; `log show ID` tells one of them whole\n")
    assert written.id("push")[:8] in ran.out
    assert "Proposed" not in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["ffffffffffffffffffff"], 1, "no decision with the id 'ffffffffffffffffffff'"),
        (["--at", "2001-01-01T00:00:00"], 1, "no decision at or before 2001-01-01T00:00:00 UTC"),
        (["../x"], 2, "ID: an id has only letters and digits"),
    ],
)
def test_show_of_what_there_is_not(run, written, arguments, code, problem):
    ran = run("log", "show", *arguments, written.folder)
    assert (ran.code, ran.out) == (code, "")
    assert problem in ran.err


def test_show_asks_for_more_of_an_id_that_several_have(run, tmp_path):
    with deployment(tmp_path) as deployed:
        made = [deployed.decide(Session(), "bash", command=f"ls {n}").id for n in range(17)]
    begin = next(each[0] for each in made if sum(other[0] == each[0] for other in made) > 1)
    ran = run("log", "show", begin, deployed.folder)
    assert (ran.code, ran.out) == (2, "")
    assert "several decisions begin so" in ran.err


def test_why_a_watched_agent_is_flagged_is_told_everywhere(run, tmp_path):
    memory = Memory(days=30, flag_after=1)
    with deployment(tmp_path, memory=memory) as deployed:
        deployed.decide(Session("one", name="s1"), "bash", command="rm -rf /srv")
        decision = deployed.decide(Session("one", name="s2"), "bash", command="touch x")
    assert decision.verdict.label == "flag"
    why = "the agent did not heed 1 refusal in other sessions"
    page = tmp_path / "page.html"
    for arguments in (["log"], ["log", "show", decision.id], ["log", "--html", page]):
        ran = run(*arguments, deployed.folder)
        assert ran.code == 0
        assert why in " ".join((page.read_text() if page in arguments else ran.out).split())


def test_show_names_what_the_journal_has_lost_and_tells_the_rest(run, tmp_path):
    with deployment(tmp_path) as deployed:
        decision = deployed.decide(Session("a", "a task"), "bash", command="ls")
    (segment,) = deployed.folder.glob("*.jsonl")
    kept = [line for line in segment.read_bytes().splitlines(keepends=True) if b'"task"' not in line]
    segment.write_bytes(b"".join(kept))
    ran = run("log", "show", decision.id, deployed.folder)
    assert ran.code == 0
    assert "command: ls" in ran.out
    assert "scene: " in ran.out.partition("Not readable")[2]


def test_a_record_of_any_form_breaks_neither_the_list_nor_the_page_nor_show(run, tmp_path):
    """Whoever has the key may write anything."""
    whole = {
        "id": "abcdef0123456789",
        "time": "2026-11-23T00:00:00+00:00",
        "session": None,
        "action": {"tool": "t", "args": {"a": [1, {"b": None}]}},
        "decision": {"verdict": "block", "by": ["x"], "correction": 7},
        "opinions": [{"specialist": "x", "verdict": "block", "reason": 8, "confidence": "much", "evidence": 9}],
        "approval": {"state": 5, "over": 3},
        "earlier": [],
        "unjudged": 4,
        "unheeded": "many",
    }
    journal = Journal(tmp_path / "records", open_signer(tmp_path / "key.pem"))
    for predicate in (whole, whole | {"opinions": [7]}, whole | {"time": "whenever"}, whole | {"id": 7}, {}):
        journal.append("decision", predicate, "0" * 64)
    journal.close()
    for arguments in (["log"], ["log", "--html", tmp_path / "x.html"], ["log", "show", "abcdef"]):
        ran = run(*arguments, tmp_path / "records")
        assert ran.code == 1
        assert ran.err.count("not_a_decision") == 3
        assert ran.err.count("bad_time") == 1
        assert "Traceback" not in ran.err


# log --follow


def test_follow_shows_what_is_decided_meanwhile_by_any_writer(run, tmp_path, monkeypatch):
    with deployment(tmp_path) as first, deployment(tmp_path) as second:
        steps = iter(["a", "b", "c"])
        first.decide(Session("one", name="s1"), "bash", command="before")

        def wait(seconds: float) -> None:
            step = next(steps, None)
            if step is None:
                raise KeyboardInterrupt
            for deployed, name in ((first, "s1"), (second, "s2")):
                deployed.decide(Session("one", name=name), "bash", command=f"{step} {name}")

        monkeypatch.setattr(command.time, "sleep", wait)
        ran = run("log", "--follow", first.folder, "--json", "--session", "s")
    assert ran.code == 0
    told = [each["action"]["args"]["command"] for each in lines(ran.out)]
    assert told == ["before", "a s1", "a s2", "b s1", "b s2", "c s1", "c s2"]
    assert {each["agent"] for each in lines(ran.out)} == {"one"}


@pytest.mark.thorough
def test_follow_ends_when_it_is_interrupted(written):
    heard = "signal.signal(signal.SIGINT, signal.default_int_handler)"  # what a shell starts with & ignores it
    interrupt = f"import time, signal; {heard}; time.sleep = lambda _: signal.raise_signal(signal.SIGINT)"
    script = f"{interrupt}; from supervisor.cli import main; main()"
    run = [sys.executable, "-c", script, "log", "-f", "-n", "1", str(written.folder)]
    ended = subprocess.run(run, capture_output=True, text=True, timeout=60, env=os.environ)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert written.id("hostile")[:8] in ended.stdout


# log --html


def test_the_page_is_whole_in_itself_and_shows_hostile_text_as_text(run, written, tmp_path):
    from html.parser import HTMLParser

    file = tmp_path / "page.html"
    assert run("log", written.folder, "--html", file).code == 0
    page = file.read_text()
    opened: list[str] = []
    seen: set[str] = set()

    class Balanced(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.add(tag)
            assert {name for name, _ in attrs} & {"src", "onclick", "onload", "style"} == set()
            assert all(value.startswith("#") for name, value in attrs if name == "href" and value)
            if tag not in ("meta", "line"):
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            if tag != "line":
                assert opened.pop() == tag

    parser = Balanced(convert_charrefs=False)
    parser.feed(page)
    parser.close()
    assert opened == []
    assert seen & {"script", "iframe", "img", "link", "object"} == set()
    assert "&lt;script&gt;alert(1)" in page
    assert not {"\x1b", "\u202e"} & set(page)
    assert "prefers-color-scheme: dark" in page
    assert page.count("<section>") == 2
    assert page.count("<rect ") == page.count("<details ") == 7 + 1
    assert (file.stat().st_mode & 0o777) == 0o600


def test_a_page_without_decisions_says_so(run, written, tmp_path):
    file = tmp_path / "page.html"
    assert run("log", written.folder, "--html", file, "--session", "nobody").code == 0
    assert "No decision matches." in file.read_text()


def test_a_folder_named_like_a_verb_is_named_with_its_path(run, written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("show").symlink_to(written.folder)
    assert run("log", "./show", "--json", "-n", "1").code == 0


def test_show_tells_who_was_asked_and_what_was_answered(run, tmp_path):
    approval = ApprovalPolicy(ask=(Askable(("nudge",), ("corrects_push",)),))
    with deployment(tmp_path, approval=approval) as deployed:
        session = Session("builder")
        asked = deployed.decide(session, "bash", command="git push -f")
        deployed.engine.answer(asked.approval.name, "approved", "Ann", "mine [red]alone[/]")
        approved = deployed.ran(session, "bash", "pushed", command="git push -f")
        deployed.decide(session, "bash", command="ls")
    first = " ".join(run("log", "show", asked.id, deployed.folder).out.split())
    assert f"Approval asked: question {asked.approval.name[:12]} over corrects_push" in first
    assert "approved by Ann: mine [red]alone[/]" in first
    second = " ".join(run("log", "show", approved.id, deployed.folder).out.split())
    assert "flag · 20" in second
    assert "Approval approved: question" in second
    assert "It ran: pushed" in second
    listed = " ".join(run("log", deployed.folder).out.split())
    assert "approval: asked" in listed
    assert "approval: approved by Ann" in listed
