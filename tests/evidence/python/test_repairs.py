"""Repaired code: it reads as Python, the whole catalogue allows it, and nothing else of the text is touched."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.catalog.cases import proposal_of
from supervisor.catalog.catalog import load_specialist, open_catalog
from supervisor.catalog.discovery import find_pairs
from supervisor.catalog.failure_mode import read_entry
from supervisor.evidence.actions.programs import module
from supervisor.evidence.python import read
from supervisor.evidence.python.repairs import Repair, instead, renamed, repaired, without
from supervisor.evidence.python.rewrites import listed, parameterized
from supervisor.policy import Taxonomy
from supervisor.specialist import Specialist
from supervisor.verdict import Finding, Verdict

PAIRS = find_pairs(Taxonomy())[0]
CODE = [pair for pair in PAIRS if pair.family == "code"]
REPAIRING = {
    "html_built_from_client_data", "outside_text_run_as_code",
    "archive_unpacked_blindly", "cookie_readable_in_transit", "short_key", "ssh_host_unchecked",
    "debugger_left_on", "guessable_token", "shell_command_from_variable", "sql_built_from_values",
    "template_output_unescaped", "temporary_file_name_guessable", "tls_verification_disabled", "unsafe_deserialization",
    "weak_hash_for_security",
}  # fmt: skip


@cache
def catalogue() -> tuple[Specialist, ...]:
    """Everybody who judges before an action runs."""
    catalog = open_catalog(Taxonomy())
    return tuple(catalog.specialist(entry.id) for entry in catalog.entries.values() if entry.stage == "before")


def with_code(action: Action, code: str) -> Action:
    part = {"python": "code", "file_write": "content"}.get(action.kind, "new")
    return replace(action, args={**action.args, action.fields.get(part, part): code}, memo={})


def repairs_of(name: str) -> Iterator[tuple[Action, Context, Repair]]:
    """The repairs of an entry's caught cases."""
    pair = next(pair for pair in CODE if pair.id == name)
    judge = load_specialist(pair)
    for case in read_entry(pair.taxonomy).cases.caught:
        action, context = proposal_of(case)
        if judge.covers(action.kind) and action.kind != "shell":
            finding: Any = judge(action, context)
            code = module(action, context)
            if code is not None and "repair" in code.cache:
                assert finding.verdict is Verdict.NUDGE
                assert " Repaired" in finding.correction
                yield action, context, code.cache["repair"]


@pytest.mark.parametrize("name", sorted(REPAIRING))
def test_what_is_repaired_is_python_and_allowed_by_everybody(name: str) -> None:
    found = list(repairs_of(name))
    assert found
    for action, context, repair in found:
        if action.kind != "file_edit":
            ast.parse(repair.code)
        better = with_code(action, repair.code)
        for judge in catalogue():
            opinion = judge(better, context) if judge.covers(better.kind) and not judge.uses_doors else None
            if isinstance(opinion, Finding):
                assert opinion.verdict < Verdict.NUDGE, f"{judge.id}: {opinion.reason}\n{repair.code}"


SURROUNDINGS = st.lists(
    st.sampled_from(
        ["# é ñ 漢", "x = 1", "", "def f(a):\n    return a  # y", "import os", "s = '''\n  '''", "if x:\n\tpass"]
    ),
    max_size=6,
).map("\n".join)


@settings(max_examples=60)
@given(SURROUNDINGS, SURROUNDINGS, st.sampled_from(["", " ", "\t"]))
def test_a_repair_touches_nothing_else(before: str, after: str, space: str) -> None:
    line = f"data = yaml.load(open('é.yml'),{space}Loader=yaml.Loader)  # keep"
    source = f"import yaml\n{before}\n{line}\n{after}"
    code = read(source)
    call = next(each for each in code.calls if each.method == "load")
    repair = repaired(code, [renamed(call, "yaml.safe_load", drop=("Loader",))])
    assert repair is not None
    assert repair.code == source.replace(line, "data = yaml.safe_load(open('é.yml'))  # keep")
    assert repair.statements == "data = yaml.safe_load(open('é.yml'))"


@pytest.mark.parametrize(
    ("code", "better"),
    [
        ("requests.get(url, verify=False, timeout=3)", "requests.get(url, timeout=3)"),
        ("requests.get(url, verify=False)", "requests.get(url)"),
        ("requests.get(\n    url,\n    verify=False,\n)", "requests.get(url)"),
        ("requests.get(verify=False, *a, **k)", "requests.get(*a, **k)"),
    ],
)
def test_an_argument_is_left_out(code: str, better: str) -> None:
    read_code = read(code)
    repair = repaired(read_code, [without(read_code.calls[0], "verify")])
    assert repair is not None
    assert repair.code == better


@pytest.mark.parametrize(
    ("code", "better"),
    [
        ("import random\nt = random.choice(a)", "import random\nimport secrets\nt = secrets.choice(a)"),
        ("import random, secrets\nt = random.choice(a)", "import random, secrets\nt = secrets.choice(a)"),
        ("from random import choice\nt = choice(a)",
         "from random import choice\nimport secrets\nt = secrets.choice(a)"),
        ("import random\nfrom secrets import choice\nt = random.choice(a)",
         "import random\nfrom secrets import choice\nt = choice(a)"),
    ],
)  # fmt: skip
def test_another_function_is_spelt_as_the_code_would_and_imported(code: str, better: str) -> None:
    read_code = read(code)
    repair = repaired(read_code, [renamed(read_code.calls[0], "secrets.choice")])
    assert repair is not None
    assert repair.code == better


@pytest.mark.parametrize(
    ("code", "better"),
    [
        ("c.execute(f\"SELECT 1 FROM t WHERE a = '{x}' AND b = {y.z}\")",
         'c.execute("SELECT 1 FROM t WHERE a = ? AND b = ?", (x, y.z))'),
        ("q = 'SELECT 1 FROM t WHERE a = ' + x\nc.execute(q)", 'q = "SELECT 1 FROM t WHERE a = ?"\nc.execute(q, (x,))'),
        ("c.execute('SELECT 1 FROM t WHERE a = %s' % x)", 'c.execute("SELECT 1 FROM t WHERE a = ?", (x,))'),
        ("c.execute(f'SELECT * FROM {t} WHERE a = 1')", None),  # a name can be no parameter
        ("c.execute(f\"SELECT 1 FROM t WHERE a LIKE '%{x}%'\")", None),
        ("c.execute(f'SELECT 1 FROM t WHERE a = {x:d}')", None),
        ("c.execute('SELECT 1 FROM t WHERE a = %s AND b = %s' % pair)", None),
        ("c.execute(f'SELECT 1 FROM t WHERE a = {x}', more)", None),
    ],
)  # fmt: skip
def test_values_are_passed_beside_a_statement(code: str, better: str | None) -> None:
    imports = "import sqlite3\n"
    read_code = read(imports + code)
    changes = parameterized(next(read_code.calls_of(["execute"])))
    repair = repaired(read_code, changes) if changes else None
    assert (repair.code if repair else None) == (imports + better if better else None)


@pytest.mark.parametrize(
    ("code", "better"),
    [
        (
            "subprocess.run(f'git checkout {b}', shell=True, check=True)",
            'subprocess.run(["git", "checkout", b], check=True)',
        ),
        ("subprocess.run('tar -xf ' + p + ' -C /out', shell=True)", 'subprocess.run(["tar", "-xf", p, "-C", "/out"])'),
        ("subprocess.call('x --to={} y'.format(p), shell=True)", 'subprocess.call(["x", f"--to={p}", "y"])'),
        ("subprocess.run(['ls', p], shell=True)", "subprocess.run(['ls', p])"),
        ("subprocess.run(f'cat {p} | wc -l', shell=True)", None),
        ("subprocess.run(f'{p} -l', shell=True)", None),
        ("subprocess.run(command, shell=True)", None),
        ("subprocess.run(f'ls \"{p}\"', shell=True)", None),
    ],
)
def test_a_command_becomes_a_list_where_it_needs_no_shell(code: str, better: str | None) -> None:
    read_code = read(f"import subprocess\n{code}")
    call = next(each for each in read_code.calls if each.name.startswith("subprocess."))
    change = listed(call, call.positional[0])
    repair = repaired(read_code, [change]) if change else None
    assert (repair.code if repair else None) == (f"import subprocess\n{better}" if better else None)


def test_code_that_does_not_read_before_or_after_is_not_repaired() -> None:
    broken = read("def f(:\n  x = yaml.load(y)")
    assert repaired(broken, [instead(broken.calls[0].node, "1")]) is None
    whole = read("x = yaml.load(y)")
    assert repaired(whole, [instead(whole.calls[0].node, "(")]) is None
    assert repaired(whole, []) is None
    assert repaired(whole, [instead(whole.calls[0].node, "1"), None]) is None
    assert repaired(whole, [instead(whole.calls[0].node, "1"), instead(whole.calls[0].node, "2")]) is None


@settings(max_examples=80)
@given(st.text("f'\"{}%s()+=, \n\\abWHERE", max_size=60))
def test_any_text_is_taken_apart_without_a_crash(text: str) -> None:
    code = read(f"import sqlite3, subprocess\nc.execute({text})\nsubprocess.run({text}, shell=True)")
    for call in code.calls:
        parameterized(call)
        if call.positional:
            change = listed(call, call.positional[0])
            repaired(code, [change])
