"""Whatever comes from outside gets an answer: a decision, or one line that names the place and the cure."""

from __future__ import annotations

import io
import json
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from supervisor.cli.check import _check_lines, decide_here
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput
from supervisor.intake.json_values import MAX_ITEMS
from supervisor.intake.parsing import MAX_ACTION, MAX_NAME, MAX_STEPS, MAX_VALUES, context_from, shaped
from supervisor.policy import read_policy
from tests.intake.json_strategies import json_values

GOOD = {"tool": "bash", "args": {"command": "ls"}}
FEW = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)


def good(**changed: Any) -> str:
    return json.dumps(GOOD | changed)


# actions

BAD_LINES = {
    "not JSON": ("ls -la", "not_json"),
    "cut short": (good()[:-1], "not_json"),
    "two values": (good() + good(), "not_json"),
    "byte order mark": ("\ufeff" + good(), "not_json"),
    "invalid UTF-8": (b'{"tool": "b\xffsh"}', "not_utf8"),
    "single quotes": ("{'tool': 'bash'}", "not_json"),
    "NaN": ('{"tool": "bash", "args": {"n": NaN}}', "not_json"),
    "infinity": ('{"tool": "bash", "args": {"n": -Infinity}}', "not_json"),
    "key twice": ('{"tool": "bash", "tool": "sql"}', "duplicate_key"),
    "nested key twice": ('{"tool": "bash", "args": {"a": [{"b": 1, "b": 2}]}}', "duplicate_key"),
    "too deep": (good(args={"a": json.loads("[" * 200 + "]" * 200)}), "too_deep"),
    "100,000 levels": ('{"tool": "bash", "args": ' + '{"a":' * 100_000 + "1" + "}" * 100_001, "too_deep"),
    "100,000 opened": ("[" * 100_000, "too_deep"),
    "surrogate in a value": (good(args={"command": "l\ud800s"}), "lone_surrogate"),
    "surrogate in a key": (good(args={"\udfff": 1}), "lone_surrogate"),
    "surrogate in the tool": (good(tool="\ud800"), "lone_surrogate"),
    "surrogate in the id": (good(id="\ud800"), "lone_surrogate"),
    "surrogate in the session": (good(session="\ud800"), "lone_surrogate"),
    "surrogate in a fact": (good(context={"cwd": "/\udc80"}), "lone_surrogate"),
    "surrogate in the history": (good(context={"history": ["\ud800"]}), "lone_surrogate"),
    "NUL in a value": (good(args={"command": "ls\0 -la"}), "nul_character"),
    "NUL deep in a value": (good(args={"a": [{"b": "\0"}]}), "nul_character"),
    "NUL in a key": (good(args={"a\0": 1}), "nul_character"),
    "NUL in the tool": (good(tool="ba\0sh"), "nul_character"),
    "unknown kind": (good(kind="spell"), "unknown_kind"),
    "kind of another type": (good(kind=["shell"]), "unknown_kind"),
    "unknown key": (good(arguments={}), "bad_input"),
    "no tool": ("{}", "bad_input"),
    "empty tool": (good(tool=""), "bad_input"),
    "long tool": (good(tool="x" * 257), "bad_input"),
    **{f"tool {each!r}": (good(tool=each), "bad_input") for each in (None, 1, True, [], {})},
    **{f"args {each!r}": (good(args=each), "bad_input") for each in (None, 1, True, [], "ls")},
    **{f"action {each!r}": (json.dumps(each), "bad_input") for each in (None, 1, True, [], "ls")},
    **{f"context {each!r}": (good(context=each), "bad_input") for each in (0, 1, False, [], "", "x")},
    **{f"session {each!r}": (good(session=each), "bad_input") for each in (0, False, [], {})},
    **{f"context.{key}": (good(context={key: 7}), "bad_input") for key in ("task", "agent", "session", "history")},
    **{f"history {each!r}": (good(context={"history": each}), "bad_input") for each in (0, False, {}, "", "x")},
    **{f"step {each!r}": (good(context={"history": [each]}), "bad_input") for each in (None, 1, [])},
    "step's tool": (good(context={"history": [{"tool": 0}]}), "bad_input"),
}


@pytest.mark.parametrize(("line", "code"), BAD_LINES.values(), ids=BAD_LINES.keys())
def test_what_is_no_action_is_refused_in_one_line(run, tiny, line, code):
    ran = run("check", "--policy", tiny.policy, stdin=line)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("supervisor: ")
    assert ran.err.endswith(f" [{code}]\n")
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 1000


def test_the_same_lines_among_good_ones_stop_nothing(run, tiny):
    raws = [line if isinstance(line, bytes) else line.encode("utf-8") for line, _ in BAD_LINES.values()]
    stdin = b"".join(each + b"\n" + good().encode() + b"\n" for each in raws)
    told = [json.loads(line) for line in run("check", "--jsonl", "--policy", tiny.policy, stdin=stdin).out.splitlines()]
    assert [each["code"] for each in told[::2]] == [code for _, code in BAD_LINES.values()]
    assert {each["verdict"] for each in told[1::2]} == {"ok"}


def test_the_place_of_the_fault_is_named(run, tiny):
    def error_for(line: str) -> str:
        return str(run("check", "--policy", tiny.policy, stdin=line).err)

    assert "args.a[0].b" in error_for(good(args={"a": [{"b": "\ud800"}]}))
    assert "args.a[0].b" in error_for(good(args={"a": [{"b": "\0"}]}))
    assert "context.history[1]" in error_for(good(context={"history": ["fine", 7]}))


def test_a_message_quotes_no_more_than_a_little(run, tiny):
    long = "k" * 100_000
    for line in (good(**{long: 1}), good(kind=long), f'{{"{long}": 1, "{long}": 2}}'):
        assert len(run("check", "--policy", tiny.policy, stdin=line).err) < 1000


def test_a_long_key_above_many_strings_is_no_burden(run, tiny):
    args = {"k" * 500_000: ["x"] * 19_000 + ["\0"]}
    ran = run("check", "--policy", tiny.policy, stdin=good(args=args))
    assert ran.err.endswith("[nul_character]\n")
    assert "[19000]" in ran.err
    assert len(ran.err) < 1000


def test_an_action_of_a_megabyte_is_decided_and_one_of_tens_refused():
    told = {"command": "echo " + "x" * 1_000_000}
    assert shaped("bash", told, None, {}).args == told
    for text in ("x" * MAX_ACTION, '"' * (MAX_ACTION // 2 + 1)):
        with pytest.raises(BadInput, match="4,194,304 bytes") as refused:
            shaped("bash", {"command": text}, None, {})
        assert (refused.value.code, refused.value.place) == ("too_large", "args")


@pytest.mark.parametrize(
    "args",
    [
        {"a": [0] * MAX_VALUES},
        dict.fromkeys(map(str, range(MAX_VALUES + 1))),
        {"a": [[[]] * 100] * (MAX_VALUES // 100)},
    ],
    ids=["a list", "keys", "lists of lists"],
)
def test_an_action_of_too_many_values_is_refused(args):
    with pytest.raises(BadInput, match="more than the 20,000 values") as refused:
        shaped("note", args, None, {})
    assert (refused.value.code, refused.value.place) == ("too_large", "args")
    assert shaped("note", {"a": [0] * (MAX_VALUES - 1)}, None, {})


@pytest.mark.parametrize(
    ("context", "place"),
    [
        ({"history": ["x"] * (MAX_STEPS + 1)}, "context.history"),
        ({"known_domains": ["x"] * (MAX_ITEMS + 1)}, "context"),
        ({"task": "x" * MAX_ACTION}, "context"),
        ({"session": "x" * (MAX_NAME + 1)}, "context.session"),
        ({"agent": "x" * (MAX_NAME + 1)}, "context.agent"),
    ],
)
def test_a_context_that_is_too_large_is_refused(context, place):
    with pytest.raises(BadInput) as refused:
        context_from(context)
    assert (refused.value.code, refused.value.place) == ("too_large", place)


def test_what_steps_returned_is_cut_and_never_refused():
    outputs = [[{"a": "b"}] * 8_000] * 10
    history = context_from({"history": [{"tool": "read", "output": output} for output in outputs]}).history
    assert len(history) == 10
    assert history[0].output == outputs[0]
    assert history[-1].output == "…"


def test_a_message_cannot_steer_the_terminal(run, tiny):
    ran = run("check", "--policy", tiny.policy, stdin=json.dumps({"a\n\x1b[2Jb": 1}))
    assert "\x1b" not in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("options", [[], ["--jsonl"]])
def test_50_mb_are_refused(run, tiny, options):
    line = good(id=1, args={"command": "x" * 50_000_000}).encode()
    ran = run("check", "--policy", tiny.policy, *options, stdin=line + b"\n" + good(id=2).encode())
    if options:
        first, second = (json.loads(each) for each in ran.out.splitlines())
        assert (first["id"], first["code"], second["verdict"]) == (None, "too_large", "ok")
    else:
        assert (ran.code, ran.out, ran.err.endswith("[too_large]\n")) == (2, "", True)


def test_empty_input(run, tiny):
    assert run("check", "--policy", tiny.policy, stdin="").err.endswith("[not_json]\n")
    ran = run("check", "--jsonl", "--policy", tiny.policy, stdin="")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_blank_lines_crlf_and_a_last_line_without_end(run, tiny):
    stdin = "\n \t\r\n" + good(id=1) + "\r\n\n" + good(id=2)
    ran = run("check", "--jsonl", "--policy", tiny.policy, stdin=stdin)
    assert [json.loads(line)["id"] for line in ran.out.splitlines()] == [1, 2]


def test_unknown_keys_of_a_context_are_facts_and_null_is_nothing(run, tiny):
    context = {"task": None, "history": None, "agent": None, "session": None, "weather": [1, {"a": None}]}
    assert run("check", "--policy", tiny.policy, stdin=good(context=context)).code == 0
    assert run("check", "--policy", tiny.policy, stdin=good(context=None, session=None, kind=None)).code == 0


def test_what_a_host_knows_of_a_session_is_a_fact_and_not_its_name():
    context = context_from({"session": {"verified": False}})
    assert (context.session, context.facts) == (None, {"session": {"verified": False}})


# properties

actions = st.fixed_dictionaries(
    {"tool": st.sampled_from(["bash", "sql", "read"]) | json_values},
    optional={
        "id": json_values,
        "args": st.dictionaries(st.sampled_from(["command", "query", "path", "\0"]), json_values) | json_values,
        "kind": st.sampled_from(["shell", "sql", "tool"]) | json_values,
        "session": st.sampled_from(["a", "b"]) | json_values,
        "context": st.fixed_dictionaries(
            {}, optional={"history": json_values, "task": json_values, "cwd": json_values}
        ),
    },
)
raw_lines = st.binary(max_size=60) | (actions | json_values).map(lambda value: json.dumps(value).encode())


@pytest.fixture
def supervisor(tiny):
    engine = Supervisor(read_policy(tiny.policy))
    yield engine
    engine.close()


@FEW
@given(st.lists(raw_lines, max_size=6))
def test_every_line_that_is_not_blank_gets_exactly_one_answer(supervisor, raws):
    source, target = io.BytesIO(b"\n".join(raws)), io.BytesIO()
    anyio.run(_check_lines, decide_here(supervisor), source, target)
    told = [json.loads(line) for line in target.getvalue().splitlines()]
    assert len(told) == sum(bool(line.strip()) for line in source.getvalue().split(b"\n"))
    assert all(("verdict" in each) != ("error" in each and "code" in each) for each in told)


def test_a_part_that_the_kind_does_not_have_is_no_field():
    with pytest.raises(BadInput, match="the kind refund has no part 'ordr'; did you mean 'order'"):
        shaped("give_back", {"purchase_no": 7}, "refund", {}, {"ordr": "purchase_no"})
