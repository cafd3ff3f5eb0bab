"""A policy that does not hold stops the start, in one line that names the file and what is wrong in it."""

from __future__ import annotations

import pytest

ACTION = '{"tool": "bash", "args": {"command": "ls"}}'

# what stands in the file, and what the line says of it
BAD_POLICIES = {
    "not YAML": ("a: [", "not YAML"),
    "not UTF-8": (b"\xff\xfe\x00", "not YAML"),
    "a list": ("[1]", "the policy: "),
    "a text": ("policy", "the policy: "),
    "unknown key": ("patients: 2", ":1:1: patients: no such key; did you mean 'patience'?"),
    "nested unknown key": ("records: {folder: x}", "records.folder: "),
    "wrong type": ("patience: often", "patience: "),
    "wrong type deep inside": ("authority: {kinds: {shell: maybe}}", "authority.kinds.shell: "),
    "a key twice": ("patience: 1\npatience: 2", ":2:1: not YAML: the key 'patience' stands twice"),
    "unknown kind": (
        "authority: {kinds: {spell: flag}}",
        "authority.kinds.spell: no kind 'spell'; did you mean 'shell'?",
    ),
    "unknown kind of a tool": ("tools: {cast: {kind: spell}}", "tools.cast.kind: no kind 'spell'"),
    "unknown specialist": (
        "on_refuse: {nonesuch: block}",
        ":1:13: on_refuse.nonesuch: no specialist 'nonesuch'; `supervisor list`",
    ),
    "unknown in authority": (
        "authority: {specialists: {nonesuch: flag}}",
        "authority.specialists.nonesuch: no specialist",
    ),
    "unknown disabled": ("taxonomy: {disabled: [nonesuch]}", ":1:23: taxonomy.disabled.0: no specialist 'nonesuch'"),
    "unknown plugin": ("taxonomy: {plugins: [nonesuch]}", "registers 'nonesuch' under supervisor.taxonomy; install it"),
    "no such folder": ("taxonomy: {folders: [/nonesuch]}", "/nonesuch/taxonomy: is not a folder"),
    "no time at all": ("budgets: {pure_ms: 0}", "budgets.pure_ms: 0 is not between"),
    "negative patience": ("patience: -1", "patience: -1 is not between 0 and 100"),
    "not a number": ("budgets: {pure_ms: .nan}", "beyond 64 bits"),
    "a set": ("facts: {a: !!set {b}}", ":1:12: not YAML: could not determine a constructor"),
    "a bomb": ("facts:\n  a: &a [x, x]\n  b: &b [*a, *a]\n  c: [*b, *b]", ":3:10: not YAML: aliases are not allowed"),
    "a Python object": (
        "facts: !!python/object/apply:os.getcwd []",
        ":1:8: not YAML: could not determine a constructor",
    ),
    "too large": ("facts: {a: " + "x" * 2_000_000 + "}", "more than the 1,048,576 allowed"),
    "too deep": ("facts: " + "[" * 5_000, "nested too deeply"),
    "a column that is none": (
        "business: {records: {order: {table: 'x; DROP TABLE y'}}}",
        ":1:37: business.records.order.table: 'x; DROP TABLE y'",
    ),
    "unknown in a business": (
        "business: {records: {order: {tabel: x}}}",
        "business.records.order.tabel: no such key; did you mean 'table'?",
    ),
}


@pytest.mark.parametrize(("text", "told"), BAD_POLICIES.values(), ids=BAD_POLICIES.keys())
def test_a_policy_that_cannot_be_used(run, tmp_path, text, told):
    file = tmp_path / "policy.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = run("check", "--policy", file, stdin=ACTION)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert ran.err.endswith((" [bad_policy]\n", " [bad_taxonomy]\n"))


@pytest.mark.parametrize(("what", "told"), [("nothing", "No such file"), ("a folder", "Is a directory")])
def test_a_policy_that_cannot_be_read(run, tmp_path, what, told):
    file = tmp_path / "policy.yaml"
    if what == "a folder":
        file.mkdir()
    ran = run("check", "--policy", file, stdin=ACTION)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"supervisor: {file}: cannot be read: {told}")


@pytest.mark.parametrize("text", ["", "# nothing is said here\n", "{}"])
def test_a_policy_that_says_nothing_is_the_default(run, tmp_path, text):
    file = tmp_path / "policy.yaml"
    file.write_text(text)
    assert run("list", "--policy", file).code == 0
