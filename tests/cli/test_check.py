"""`supervisor check` is a contract: ids, order, sessions, exit codes, and what stands on which stream."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from supervisor.cli.decisions import cure_of
from supervisor.decision.lost_votes import LostVotes

ROOT = Path(__file__).parents[2]


def shell(command: str, **more: Any) -> str:
    return json.dumps({"tool": "bash", "args": {"command": command}, **more})


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def check(run, tiny):
    def checking(*actions: str, options: tuple[Any, ...] = ()):
        ran = run("check", "--jsonl", "--policy", tiny.policy, *options, stdin="\n".join(actions) + "\n")
        assert ran.code == 0
        return lines(ran.out)

    return checking


# check


@pytest.mark.parametrize(
    ("command", "verdict", "code"),
    [("ls", "ok", 0), ("touch flag", "flag", 0), ("touch nudge", "nudge", 1), ("touch block", "block", 1)],
)
def test_check_answers_one_action_and_exits_by_its_verdict(run, tiny, command, verdict, code):
    ran = run("check", "--policy", tiny.policy, stdin=shell(command))
    assert (ran.code, ran.err) == (code, "")
    assert lines(ran.out)[0]["verdict"] == verdict


def test_check_tells_who_found_what(run, tiny):
    told = json.loads(run("check", "--policy", tiny.policy, stdin=shell("touch nudge")).out)
    assert told["by"] == ["touches_nudge"]
    assert told["correction"] == "Leave it out."
    (finding,) = told["findings"]
    usual = {"specialist": "touches_nudge", "verdict": "nudge", "confidence": 1.0, "reason": "It is there."}
    assert finding == {**usual, "correction": "Leave it out.", "sharper": "Leave it out at last."}
    assert told["refusals"] == []
    assert told["elapsed_ms"] > 0


def test_bad_input_is_one_line_on_stderr_and_exit_code_2(run, tiny):
    ran = run("check", "--policy", tiny.policy, stdin='{"tool": 7}')
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "supervisor: tool: a name of 1 to 256 characters is needed [bad_input]\n"


def test_check_reads_the_policy_that_the_environment_names(run, tiny, monkeypatch):
    monkeypatch.setenv("SUPERVISOR_POLICY", str(tiny.policy))
    assert run("check", stdin=shell("touch block")).code == 1


def test_without_a_policy_nothing_is_written(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run("check", stdin=shell("ls")).code == 0
    assert list(tmp_path.iterdir()) == []


def test_every_finding_says_its_correction(run, tiny):
    told = json.loads(run("check", "--policy", tiny.policy, stdin=shell("touch block")).out)
    assert told["findings"][0]["correction"] == ""
    assert "correction" not in told


# check --jsonl


def test_jsonl_answers_each_line_in_order_under_its_own_id(check):
    ids = ["a", 7, 1.5, 0, "", [1], {"k": None}, True]
    told = check(*(shell("touch block" if number % 2 else "ls", id=id) for number, id in enumerate(ids)))
    assert [each["id"] for each in told] == ids
    assert [each["verdict"] for each in told] == ["ok", "block"] * 4


def test_jsonl_goes_on_after_a_line_that_is_no_action(check):
    told = check('{"id": 1, "tool": 5}', "nonsense", shell("touch block", id=3))
    assert (told[0]["id"], told[0]["code"]) == (1, "bad_input")
    assert (told[1]["id"], told[1]["code"]) == (None, "not_json")
    assert told[2]["verdict"] == "block"


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ('{"id": "a", "tool": "bash", "tool": "sql"}', "a"),
        ('{"tool": "bash", "tool": "sql", "id": "a"}', "a"),
        ('{"tool": "bash", "args": {"n": NaN}, "id": 7}', 7),
        ('{"tool": "bash", "args": {"command": "\\ud800"}, "id": 7}', 7),
        ('{"id": "a\\ud800", "tool": "bash"}', "a?"),
        ('{"id": "a", "n": ' + "9" * 5000 + "}", "a"),
        ('{"tool": "bash", "n": ' + "9" * 30 + ', "id": "a"}', "a"),
        ('{"id": ' + "9" * 30 + ', "tool": 7}', "9" * 30),
        ('{"id": "a", "args": ' + "[" * 100_000, "a"),
        ('{"id": "caf\\u00e9 \\"x\\"", "tool', 'caf\u00e9 "x"'),
        (' { "id" : -1.5 , "tool', -1.5),
        ('\ufeff{"id": "a", "tool": "bash"}', "a"),
        ('{"id": [1], "tool": 7}', [1]),
        ('{"id": "a", "args": {"command": "' + "x" * (16 << 20) + '"}}', "a"),
        (b'{"id": "a", "tool": "b\xffsh"}', "a"),
        ('{"id": 12', None),
        ('{"id": "never closed', None),
        ('{"id": 1.2.3, "tool": "bash"}', None),
        ('{"id": "' + "a" * 5000 + '", "tool', None),
        ('{"args": {"id": "a"}, "tool', None),
        ('["id", "a"]', None),
    ],
)
def test_jsonl_answers_a_broken_line_under_the_id_that_it_plainly_has(run, tiny, line, id):
    raw = line if isinstance(line, bytes) else line.encode()
    ran = run("check", "--jsonl", "--policy", tiny.policy, stdin=raw + b"\n" + shell("ls", id="next").encode())
    first, second = lines(ran.out)
    assert (first["id"], second["id"]) == (id, "next")
    assert first["error"]


def test_jsonl_answers_before_the_next_line_comes(tiny):
    command = [sys.executable, "-m", "supervisor", "check", "--jsonl", "--policy", tiny.policy]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        for number, verdict in enumerate(("ls", "touch block")):
            process.stdin.write(shell(verdict, id=number) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_lines_without_a_session_know_nothing_of_each_other(check):
    assert [each["verdict"] for each in check(*[shell("touch nudge")] * 5)] == ["nudge"] * 5


@pytest.mark.parametrize("place", ["line", "context"])
def test_a_session_nudges_then_sharpens_then_blocks(check, place):
    named = {"session": "s"} if place == "line" else {"context": {"session": "s"}}
    told = check(*[shell("touch nudge", **named)] * 3)
    assert [each["verdict"] for each in told] == ["nudge", "nudge", "block"]
    assert [each.get("correction") for each in told] == ["Leave it out.", "Leave it out at last.", None]


def test_other_sessions_start_anew(check):
    told = check(*[shell("touch nudge", session=name) for name in "ababab"])
    assert [each["verdict"] for each in told] == ["nudge"] * 4 + ["block"] * 2


def test_a_session_remembers_what_was_allowed(run, tiny):
    tiny.add(
        "conduct/second_step_flag",
        "from supervisor.specialist import flag, ok, specialist\n\n\n"
        '@specialist("shell")\ndef second_step_flag(action, context):\n'
        '    return flag(f"It follows {context.history[-1].args}.") if context.history else ok()\n',
        cases=json.loads(json.dumps(_cases_with_history())),
    )
    actions = "\n".join(shell(each, session="s") for each in ("touch block", "touch flag", "ls"))
    told = lines(run("check", "--jsonl", "--policy", tiny.policy, stdin=actions).out)
    assert "second_step_flag" not in told[1]["by"]  # the first was blocked, so it never ran
    assert told[2]["findings"][0]["reason"] == "It follows {'command': 'touch flag'}."


def _cases_with_history() -> dict[str, Any]:
    step = {"history": [{"tool": "bash", "args": {"command": "ls"}}]}
    case = {"tool": "bash", "args": {"command": "pwd"}, "because": "of the test"}
    refused = {"tool": "sql", "args": {"query": "SELECT 1"}, "because": "no command"}
    return {"caught": [{**case, "context": step}] * 3, "let_through": [case] * 3, "refused": [refused]}


def test_elapsed_time_is_the_decisions_own(check):
    started = time.perf_counter()
    (told,) = check(shell("ls"))
    assert 0 < told["elapsed_ms"] < (time.perf_counter() - started) * 1000


# lost votes, text for people, failures of the daemon


@pytest.fixture
def blind(tiny):
    """Adds two specialists that cannot judge shell commands, for one reason."""
    for name in ("data/first_flag", "data/second_flag"):
        source = (
            "from supervisor.specialist import Cause, flag, ok, refuse, specialist\n\n\n"
            f'@specialist("shell")\ndef {name.partition("/")[2]}(action, context):\n'
            '    if "database" in action.text("command"):\n'
            '        return refuse("no such table: refunds", Cause.INFRASTRUCTURE)\n'
            '    return flag("It is there.") if "touch flag" in action.text("command") else ok()\n'
        )
        tiny.add(name, source)
    return tiny


@pytest.fixture
def at_a_terminal(monkeypatch):
    monkeypatch.setattr("tests.conftest._Stream.isatty", lambda self: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")  # text alone


def test_lost_votes_are_grouped_and_refusals_stay(run, blind):
    told = json.loads(run("check", "--policy", blind.policy, stdin=shell("ask the database")).out)
    reason, cause = "no such table: refunds", "infrastructure"
    names = ["first_flag", "second_flag"]
    assert told["version"] == 1
    assert told["refusals"] == [{"specialist": name, "reason": reason, "cause": cause} for name in names]
    assert told["lost"] == [{"reason": reason, "cause": cause, "count": 2, "specialists": names}]


def test_people_at_a_terminal_read_text_with_each_reason_once(run, blind, at_a_terminal):
    ran = run("check", "--policy", blind.policy, stdin=shell("ask the database, touch nudge"))
    shown = " ".join(ran.out.split())
    assert ran.code == 1
    assert "nudge touches_nudge: It is there." in shown
    assert "instead: Leave it out." in shown
    assert shown.count("no such table") == 1
    assert "2 votes lost: no such table: refunds (first_flag, second_flag); name yours in the policy's facts" in shown
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("specialists", "cure"),
    [
        (("duplicate_refund_same_order",), "name yours in the policy's facts.refunds (docs/facts.md#refunds)"),
        (
            ("payment_rate_exceeded", "refund_exceeds_payment"),
            "name yours in the policy's business.records (docs/policy.md#a-business-and-its-names)"
            " or facts.rates (docs/facts.md#rates)",
        ),
    ],
)
def test_the_fact_that_names_a_missing_table_is_named(specialists, cure):
    lost = LostVotes("no such table: x", "infrastructure", specialists)
    assert cure_of(lost) == cure
    for page, place in re.findall(r"(docs/[\w.]+)#([\w-]+)", cure):
        headings = re.findall(r"^#+ `?(.+?)`?$", (ROOT / page).read_text(), re.MULTILINE)
        assert place in [each.lower().replace(" ", "-") for each in headings]


def test_programs_at_a_terminal_ask_for_json(run, tiny, at_a_terminal):
    assert json.loads(run("check", "--json", "--policy", tiny.policy, stdin=shell("ls")).out)["verdict"] == "ok"
    assert json.loads(run("check", "--jsonl", "--policy", tiny.policy, stdin=shell("ls")).out)["verdict"] == "ok"


@pytest.mark.parametrize(
    ("commands", "code"), [(["ls", "touch flag"], 0), (["ls", "touch nudge"], 1), (["touch block", "ls"], 1)]
)
def test_jsonl_exits_by_its_verdicts_only_if_it_is_asked_to(run, tiny, commands, code):
    actions = "\n".join(map(shell, commands))
    assert run("check", "--jsonl", "--policy", tiny.policy, stdin=actions).code == 0
    assert run("check", "--jsonl", "--fail", "--policy", tiny.policy, stdin=actions).code == code


def test_a_line_that_is_no_action_fails_too(run, tiny):
    assert run("check", "--jsonl", "--fail", "--policy", tiny.policy, stdin='{"tool": 7}').code == 1


@pytest.mark.parametrize(("named", "verdict", "code"), [(None, "block", 1), ("flag", "flag", 0), ("ok", "ok", 0)])
def test_without_its_daemon_an_action_gets_the_verdict_that_the_environment_names(
    run, monkeypatch, tmp_path, named, verdict, code
):
    monkeypatch.setenv("SUPERVISOR_URL", f"unix:{tmp_path}/none.sock")
    if named:
        monkeypatch.setenv("SUPERVISOR_ON_FAILURE", named)
    ran = run("check", stdin=shell("ls", id="mine"))
    told = json.loads(ran.out)
    assert (ran.code, told["verdict"], told["id"]) == (code, verdict, "mine")
    assert "none.sock: no answer" in told["unjudged"]
    (line,) = lines(run("check", "--jsonl", stdin=shell("ls")).out)
    assert line["verdict"] == verdict


def test_without_its_daemon_what_is_no_action_is_still_bad_input(run, monkeypatch, tmp_path):
    monkeypatch.setenv("SUPERVISOR_URL", f"unix:{tmp_path}/none.sock")
    monkeypatch.setenv("SUPERVISOR_ON_FAILURE", "ok")
    ran = run("check", stdin='{"tool": 7}')
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("[bad_input]\n")


def test_why_a_watched_agent_is_flagged_is_told() -> None:
    from supervisor.cli.decisions import decision_lines

    told = {"verdict": "flag", "findings": [], "refusals": [], "unheeded": 2.6}
    assert "did not heed 3 refusals in other sessions" in " ".join(decision_lines(told))
