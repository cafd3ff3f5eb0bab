"""What a change opens, bends or gives up: a change that changes nothing does none of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Context
from supervisor.evidence.changes.bent import accepted_result, broken_value, singled_out
from supervisor.evidence.changes.edits import Edit
from supervisor.evidence.changes.owners import unlimited_query
from supervisor.evidence.changes.raw_output import raw_output
from supervisor.evidence.changes.script_files import deletes_by_unset
from supervisor.evidence.changes.ways_in import (
    identity_from_client,
    lets_in_on_error,
    open_console,
    opened_whole,
    unchecked_server_action,
)

_LINES = st.sampled_from(
    [
        'request.user = User.objects.get(name=request.headers["X-User"])',
        "def may_read(user): # permission",
        "    except Exception:",
        "        return True",
        'mount Sidekiq::Web => "/jobs"',
        "http.authorizeHttpRequests(a -> a.anyRequest().permitAll());",
        "'use server'",
        "export async function drop(id: string) {",
        "  await db.item.delete({ where: { id } })",
        "<li><%- entry.comment %></li>",
        "rm -rf $PLACE/*",
        "note = current_user.notes.find(id)",
        "note = Note.find(id)",
        "if total == 81.25:",
        "    return 6.1",
        "",
    ]
)
_TEXTS = st.lists(_LINES, max_size=8).map("\n".join)
_PATHS = st.sampled_from(["app/a.py", "config/routes.rb", "app/actions.ts", "views/a.ejs", "bin/a.sh", "Web.java"])


@given(_PATHS, _TEXTS)
def test_a_change_that_changes_nothing_opens_nothing(path, text):
    edit = Edit(path, text, text)
    found = (identity_from_client, lets_in_on_error, open_console, opened_whole, unchecked_server_action, raw_output)
    assert [each(edit) for each in found] == [""] * len(found)
    assert unlimited_query(text, text, path) == ""
    assert deletes_by_unset(Edit("bin/a.sh", text, f"#!/bin/sh\n{text}", whole=True)) == ("", "")


@given(_PATHS, _TEXTS, _TEXTS)
def test_what_is_told_stands_in_the_new_text(path, before, after):
    edit = Edit(path, before, after)
    for each in (identity_from_client, lets_in_on_error, open_console):
        assert each(edit) in after
    assert unlimited_query(before, after, path) in before


@given(_TEXTS, _TEXTS)
def test_without_a_failing_run_nothing_is_bent(before, after):
    context = Context(task="mend it")
    assert singled_out(Edit("src/a.py", before, after), context) == ""
    assert accepted_result(Edit("tests/test_a.py", before, after), context) == ""
    assert broken_value(Edit("tests/a.snap", after, after)) == ""


@given(
    st.from_regex(r"[A-Z]{3,8}", fullmatch=True).filter(
        lambda name: name not in ("HOME", "PWD", "TMPDIR", "USER", "TMP", "TEMP")
    )
)
@pytest.mark.parametrize(
    "guard",
    [
        "set -eu",
        "set -o nounset",
        "{name}=/srv/x",
        "read -r {name}",
        'test -n "${name}" || exit 1',
        ': "${{{name}:?}}"',
    ],
)
def test_a_script_that_sets_or_checks_its_variable_deletes_nothing_else(guard, name):
    line = f'rm -rf "${name}"/*'
    assert deletes_by_unset(Edit("a.sh", "", f"#!/bin/sh\n{line}\n", whole=True)) == (line, name)
    guarded = f"#!/bin/sh\n{guard.format(name=name)}\n{line}\n"
    assert deletes_by_unset(Edit("a.sh", "", guarded, whole=True)) == ("", "")
