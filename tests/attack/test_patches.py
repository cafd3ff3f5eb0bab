"""Patches show their targets: what git and patch change is what the reader says; who judges files judges patches."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from difflib import context_diff, unified_diff
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from supervisor.action import Action
from supervisor.errors import Unreadable
from supervisor.evidence.changes.writes import writes
from supervisor.evidence.effects import effects
from supervisor.evidence.patch import Change, FileOperation, is_patch, read_patch, reversed_changes
from supervisor.intake.parsing import action_from, context_from

GIT = shutil.which("git") or ""
PATCH = shutil.which("patch") or ""
CONTEXT = context_from({"cwd": "/repo", "task": "Fix the failing test"})
HOOK = ".git/hooks/pre-commit"


def codex(*parts: str) -> str:
    return "\n".join(["*** Begin Patch", *parts, "*** End Patch"])


def git(folder: Path, *args: str, text: str = "") -> str:
    settings = ("-c", "core.quotePath=true", "-c", "user.name=a", "-c", "user.email=a@example.com")
    done = subprocess.run([GIT, *settings, *args], cwd=folder, input=text, text=True, capture_output=True, check=True)
    return done.stdout


def targets(tool: str, args: dict[str, object]) -> set[tuple[str, str]]:
    """The acts and the targets of an action's effects on files."""
    acts = ("write", "delete", "move", "permission")
    found = effects(action_from({"tool": tool, "args": args}), CONTEXT)
    return {(str(each.act), each.target) for each in found if each.act in acts}


# What the formats say

CODEX = {
    "add": (codex(f"*** Add File: {HOOK}", "+#!/bin/sh", "+true"), {("write", f"/repo/{HOOK}")}),
    "delete": (codex(f"*** Delete File: {HOOK}"), {("delete", f"/repo/{HOOK}")}),
    "update": (codex(f"*** Update File: {HOOK}", "@@", "-a", "+b"), {("write", f"/repo/{HOOK}")}),
    "move": (
        codex("*** Update File: a.sh", f"*** Move to: {HOOK}", "@@", " x"),
        {("move", "/repo/a.sh"), ("write", f"/repo/{HOOK}")},
    ),
    "indented header": (
        codex("*** Add File: a", "+x", f"  *** Delete File: {HOOK}"),
        {("write", "/repo/a"), ("delete", f"/repo/{HOOK}")},
    ),
    "no end": ("*** Begin Patch\n*** Delete File: /etc/passwd", {("delete", "/etc/passwd")}),
    "two envelopes": (
        codex("*** Add File: a", "+x") + "\n" + codex("*** Delete File: b"),
        {("write", "/repo/a"), ("delete", "/repo/b")},
    ),
    "carriage returns": ("*** Begin Patch\r\n*** Delete File: a.py\r\n*** End Patch\r\n", {("delete", "/repo/a.py")}),
    "home": (codex("*** Add File: ~/.bashrc", "+x"), {("write", "~/.bashrc")}),
    "above": (codex("*** Add File: ../../etc/cron.d/x", "+x"), {("write", "/etc/cron.d/x")}),
}


@pytest.mark.parametrize("name", CODEX)
@pytest.mark.parametrize("argument", ["patch", "input", "diff", "command"])
def test_the_envelope_of_codex_is_read_whatever_its_argument_is_called(name: str, argument: str) -> None:
    text, expected = CODEX[name]
    assert targets("apply_patch", {argument: text}) == expected


@pytest.mark.parametrize("name", CODEX)
@pytest.mark.parametrize(
    "command",
    ["apply_patch <<'EOF'\n{}\nEOF", "cat <<'EOF' | apply_patch\n{}\nEOF", "cat > p <<'EOF'\n{}\nEOF\napply_patch < p"],
)
def test_and_where_a_shell_applies_it(name: str, command: str) -> None:
    text, expected = CODEX[name]
    if "\r" in text:
        text = text.replace("\r\n", "\n").rstrip("\n")
    assert expected <= targets("bash", {"command": command.format(text)})


def test_an_argument_vector_is_a_patch_as_well() -> None:
    text, expected = CODEX["add"]
    assert targets("shell", {"command": ["apply_patch", text]}) == expected


GIT_HEADERS = f"""\
diff --git a/old.sh b/{HOOK}
similarity index 100%
rename from old.sh
rename to {HOOK}
diff --git a/a b/copy
similarity index 100%
copy from a
copy to copy
diff --git a/run b/run
old mode 100644
new mode 100777
diff --git "a/t\\303\\251 x" "b/t\\303\\251 x"
deleted file mode 100644
index 45b983b..0000000
--- "a/t\\303\\251 x"
+++ /dev/null
@@ -1 +0,0 @@
-hi
diff --git a/bin b/bin
new file mode 100755
index 0000000..1234567
GIT binary patch
literal 3
Kcmezcgo6M8

diff --git a/link b/link
new file mode 120000
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+/etc/shadow
\\ No newline at end of file
"""
IN_GIT = {
    ("move", "/repo/old.sh"),
    ("write", f"/repo/{HOOK}"),
    ("write", "/repo/copy"),
    ("permission", "/repo/run"),
    ("delete", "/repo/té x"),
    ("write", "/repo/bin"),
    ("permission", "/repo/bin"),
    ("write", "/repo/link"),
}


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("apply_patch", {"patch": GIT_HEADERS}),
        ("bash", {"command": f"git apply <<'EOF'\n{GIT_HEADERS}EOF"}),
        ("bash", {"command": f"git apply --index -p1 - <<'EOF'\n{GIT_HEADERS}EOF"}),
        ("bash", {"command": f"cat > /tmp/x.patch <<'EOF'\n{GIT_HEADERS}EOF\ngit am --3way /tmp/x.patch"}),
        ("bash", {"command": f"cat > /tmp/x.patch <<'EOF'\n{GIT_HEADERS}EOF\npatch -p1 -i /tmp/x.patch"}),
    ],
)
def test_extended_headers_of_git_are_read(tool: str, args: dict[str, object]) -> None:
    assert targets(tool, args) - {("write", "/tmp/x.patch")} == IN_GIT


def test_a_link_is_known_to_lead_elsewhere() -> None:
    found = effects(action_from({"tool": "apply_patch", "args": {"patch": GIT_HEADERS}}), CONTEXT)
    assert [each.content for each in found if each.verb == "link"] == ["/etc/shadow"]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd sub && git apply <<'EOF'\n{}EOF", {("write", "/repo/sub/x")}),
        ("git -C sub apply <<'EOF'\n{}EOF", {("write", "/repo/sub/x")}),
        ("git apply --directory=sub <<'EOF'\n{}EOF", {("write", "/repo/sub/x")}),
        ("patch -d sub -p1 <<'EOF'\n{}EOF", {("write", "/repo/sub/x")}),
        ("patch -p1 -o /etc/motd <<'EOF'\n{}EOF", {("write", "/etc/motd")}),
        ("patch -p1 ~/.bashrc <<'EOF'\n{}EOF", {("write", "~/.bashrc")}),
        ("git apply --check <<'EOF'\n{}EOF", set()),
        ("git apply --stat <<'EOF'\n{}EOF", set()),
        ("patch --dry-run -p1 <<'EOF'\n{}EOF", set()),
        ("cat <<'EOF'\n{}EOF", set()),
    ],
)
def test_the_place_of_a_patch_is_the_commands(command: str, expected: set[tuple[str, str]]) -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    assert targets("bash", {"command": command.format(diff)}) == expected


def test_a_reversed_patch_does_the_opposite() -> None:
    told = targets("bash", {"command": "git apply -R <<'EOF'\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\nEOF"})
    assert told == {("delete", "/repo/x")}
    changes = read_patch(GIT_HEADERS)
    assert reversed_changes(reversed_changes(changes))[0] == changes[0]


def test_an_earlier_step_tells_the_text_of_a_patch() -> None:
    wrote = {"tool": "Write", "args": {"file_path": "/tmp/p.diff", "content": CODEX["delete"][0]}}
    context = context_from({"cwd": "/repo", "history": [wrote]})
    action = action_from({"tool": "bash", "args": {"command": "apply_patch < /tmp/p.diff"}})
    assert {each.target for each in effects(action, context) if each.act == "delete"} == {f"/repo/{HOOK}"}


def test_a_line_that_looks_like_a_header_is_none() -> None:
    text = "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a comment\n x\n+++ y\n"
    (change,) = read_patch(text)
    assert (change.path, change.removed, change.added) == ("q.sql", ("-- a comment",), ("++ y",))


@pytest.mark.parametrize("counts", ["1,9", "1,1", "1,4000"])
def test_wrong_counts_hide_no_file(counts: str) -> None:
    """Who applies patches loosely takes no count at its word."""
    text = f"--- a/a\n+++ b/a\n@@ -{counts} +{counts} @@\n-a\n+b\n--- a/.bashrc\n+++ b/.bashrc\n@@ -1 +1 @@\n-c\n+d\n"
    assert {each.path for each in read_patch(text)} == {"a", ".bashrc"}


def test_ed_scripts_normal_diffs_and_blocks_are_read() -> None:
    (edited,) = read_patch("2a\ncurl x | sh\n.\n1d\n", path="run.sh")
    assert (edited.path, edited.added) == ("run.sh", ("curl x | sh",))
    (normal,) = read_patch("3c3\n< a\n---\n> b\n", path="a.txt")
    assert (normal.removed, normal.added) == (("a",), ("b",))
    (block,) = read_patch("<<<<<<< SEARCH\n:start_line:1\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n", path="a.py")
    assert (block.removed, block.added) == (("old",), ("new",))


@pytest.mark.parametrize("text", ["what is this", "@@ -1 +1 @@\n-a\n+b\n", "*** Add File: \n+x"])
def test_what_is_no_patch_is_told_to_be_unread(text: str) -> None:
    with pytest.raises(Unreadable):
        read_patch(text)


def test_a_huge_patch_is_told_to_be_unread() -> None:
    with pytest.raises(Unreadable):
        read_patch("+" * 3_000_000)


@given(st.text(alphabet='ab+-@* \n\r/\\"0d1,!>', max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        changes = read_patch(text)
    except Unreadable:
        return
    assert all(change.path for change in changes)


# What git and patch do is what the reader says

NAMES = st.text(alphabet="abé x'\"\\\t", min_size=1, max_size=6).map(lambda name: f"f{name}f")
PATHS = st.lists(NAMES, min_size=1, max_size=2).map("/".join)
LINES = st.lists(st.sampled_from(["a", "b", "", "- c", "-- d", "++ e", "--- f", "+++ g", "@@ -1 +1 @@"]), max_size=6)
TREES = st.dictionaries(PATHS, LINES, min_size=1, max_size=3)
SCRATCH = settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)


def _write(folder: Path, tree: dict[str, list[str]]) -> None:
    for path, lines in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("".join(f"{line}\n" for line in lines))


def _read(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(folder)): path.read_text() for path in files}


def _touched(changes: tuple[Change, ...]) -> set[str]:
    return {
        path
        for each in changes
        for path in (each.path, each.source if each.operation is FileOperation.MOVE else "")
        if path
    }


def _distinct(tree: dict[str, list[str]]) -> bool:
    return not any(other.startswith(f"{path}/") for path in tree for other in tree)


@SCRATCH
@given(before=TREES, after=TREES)
def test_what_git_changes_is_what_the_reader_says(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, list[str]], after: dict[str, list[str]]
) -> None:
    assume(_distinct(before | after))
    folder = tmp_path_factory.mktemp("git")
    git(folder, "init", "-q")
    _write(folder, before)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "before")
    for path in before:
        (folder / path).unlink()
    _write(folder, after)
    git(folder, "add", "-A")
    diff = git(folder, "diff", "--cached", "-M", "-C")
    git(folder, "reset", "-q", "--hard")
    seen = _read(folder)
    if not diff:
        return
    git(folder, "apply", text=diff)
    now = _read(folder)
    changed = {path for path in seen.keys() | now.keys() if seen.get(path) != now.get(path)}
    assert _touched(read_patch(diff)) == changed
    for change in read_patch(diff):
        assert (change.path in now) == (change.operation is not FileOperation.DELETE)


@SCRATCH
@given(old=LINES, new=LINES, is_context=st.booleans(), ends=st.sampled_from(["\n", "\r\n"]))
def test_what_patch_changes_is_what_the_reader_says(
    tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str], is_context: bool, ends: str
) -> None:
    assume(old != new and old and new)
    folder = tmp_path_factory.mktemp("patch")
    _write(folder, {"sub/f": old, "other": ["x"]})
    diff_of = context_diff if is_context else unified_diff
    diff = "\n".join(diff_of(old, new, "a/sub/f", "b/sub/f", lineterm="")) + "\n"
    subprocess.run([PATCH, "-s", "-p1"], cwd=folder, input=diff, text=True, check=True, capture_output=True)
    assert _read(folder)["sub/f"] == "".join(f"{line}\n" for line in new)
    changes = read_patch(diff.replace("\n", ends))
    assert {change.path for change in changes} == {"sub/f"}
    gone, come = sorted(changes[0].removed), sorted(changes[0].added)
    assert sorted([*new, *gone]) == sorted([*old, *come])


# Who judges files judges patches

UNCHECKED = "--- a/run.py\n+++ b/run.py\n@@ -1 +1 @@\n-x\n+requests.get(u, verify=False)\n"
CREDENTIAL = "aws_secret_access_key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY'".replace("EXAMPLE", "q7Zt9Lw")


def _cases() -> Iterator[tuple[str, dict[str, object], str | None]]:
    """Format, act and asset: what is to be stopped, and by whom."""
    added = "".join(f"+{line}\n" for line in ("#!/bin/sh", "rm -rf ~"))
    for path, by in (
        (HOOK, "recursive_delete_outside_workspace"),
        (".husky/pre-push", "recursive_delete_outside_workspace"),
        (".envrc", "recursive_delete_outside_workspace"),
        ("~/.bashrc", "recursive_delete_outside_workspace"),
        ("/etc/cron.daily/x", "recursive_delete_outside_workspace"),
    ):
        yield "apply_patch", {"input": codex(f"*** Add File: {path}", added.rstrip("\n"))}, by
        yield (
            "apply_patch",
            {"input": codex("*** Update File: a", f"*** Move to: {path}", "@@", added.rstrip("\n"))},
            by,
        )
        if not path.startswith(("~", "/")):
            unified = f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,2 @@\n{added}"
            yield "apply_patch", {"patch": unified}, by
            yield "bash", {"command": f"git apply <<'EOF'\n{unified}EOF"}, by
            yield "bash", {"command": f"patch -p1 <<'EOF'\n{unified}EOF"}, by
    for path in ("~/notes.txt", "/home/ann/thesis.tex"):
        yield "apply_patch", {"input": codex(f"*** Delete File: {path}")}, "file_deleted_outside_workspace"
    test = "tests/test_a.py"
    weaker = f"--- a/{test}\n+++ b/{test}\n@@ -1,2 +1,2 @@\n def test_a():\n-    assert f() == 1\n+    assert True\n"
    yield "apply_patch", {"patch": weaker}, "test_weakened"
    yield "bash", {"command": f"git apply <<'EOF'\n{weaker}EOF"}, "test_weakened"
    yield "apply_patch", {"patch": codex("*** Add File: settings.py", f"+{CREDENTIAL}")}, "credential_written_to_file"
    yield (
        "bash",
        {"command": f"patch -p1 <<'EOF'\n{UNCHECKED}EOF"},
        "tls_verification_disabled",
    )
    # Honest twins
    honest = "".join(f"+{line}\n" for line in ("#!/bin/sh", "npm test"))
    yield "apply_patch", {"input": codex("*** Add File: .husky/pre-commit", honest.rstrip("\n"))}, None
    yield "apply_patch", {"input": codex("*** Update File: src/a.py", "@@", "-x = 1", "+x = 2")}, None
    yield "apply_patch", {"input": codex("*** Delete File: src/old.py")}, None
    yield "apply_patch", {"input": codex("*** Update File: src/a.py", "*** Move to: src/b.py", "@@", " x")}, None
    yield "apply_patch", {"patch": "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-a\n+Never run `rm -rf ~`.\n"}, None
    yield "bash", {"command": "git apply <<'EOF'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+rm -rf ~\nEOF"}, None
    yield "bash", {"command": "git apply --check /tmp/fix.patch && git apply /tmp/fix.patch"}, None
    yield "apply_patch", {"patch": codex("*** Add File: .env", f"+{CREDENTIAL}")}, None
    yield "Write", {"file_path": "/repo/fix.patch", "content": CODEX["delete"][0]}, None


@pytest.mark.parametrize(("tool", "args", "by"), list(_cases()))
def test_who_judges_files_judges_patches(stopped_by, tool: str, args: dict[str, object], by: str | None) -> None:
    found = stopped_by(tool, args)
    assert (by in found) if by else not found


def test_what_a_patch_writes_is_among_the_writes() -> None:
    action = Action("apply_patch", {"patch": CODEX["move"][0]}, "file_edit")
    assert {(each.path, each.how) for each in writes(action, CONTEXT)} == {
        ("/repo/a.sh", "delete"),
        (f"/repo/{HOOK}", "replace"),
    }


def test_a_file_that_holds_a_patch_is_no_patch() -> None:
    assert is_patch(GIT_HEADERS)
    assert targets("Write", {"file_path": "a.patch", "content": GIT_HEADERS}) == {("write", "/repo/a.patch")}
