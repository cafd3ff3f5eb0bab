"""What programs, Python and JavaScript do to files, in one vocabulary."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.evidence.changes.writes import is_own, writes
from supervisor.evidence.effects import Act, Ground, effects
from supervisor.evidence.effects.files.permissions import gives_world_writing
from supervisor.evidence.reading.paths import HOLE, Place, resolve
from tests.evidence.effort import MOST, steps

FILES = (Act.READ, Act.WRITE, Act.DELETE, Act.MOVE, Act.PERMISSION)


def done(command: str, *, cwd: str = "/w", kind: str = "shell", history: tuple[Step, ...] = ()) -> list[str]:
    """Every effect, once, as `act:verb target`, with a star where it is on the whole tree."""
    action = Action("run", {"command" if kind == "shell" else "code": command}, kind)
    found = effects(action, Context(facts={"cwd": cwd}, history=history)).of(*FILES)
    return list(dict.fromkeys(f"{each.act}:{each.verb} {each.target}{'*' if each.whole else ''}" for each in found))


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("rm -rf a b", ["delete: /w/a*", "delete: /w/b*"]),
        ("rm -f a", ["delete: /w/a"]),
        ("shred -n 3 -u a", ["delete:shred /w/a"]),
        ("rm --help", []),
        ("find . -exec echo -delete ';'", []),
        ("find a -delete", ["delete: /w/a*"]),
        ("find a -mtime +3 -delete", ["delete:pick /w/a"]),
        ("find a/* -mtime +3 -delete", ["delete:pick /w/a"]),
        ("find a -mtime +3 -exec rm {} +", ["delete:pick /w/a", "delete: \ue000"]),
        ("find a ! -name b -exec rm -r {} +", ["delete: /w/a*"]),
        ("find a -name .git -prune -exec rm -r {} +", ["delete:pick /w/a", "delete: /w/a/.git*"]),
        ("find a -print0 | sort -z | xargs -0 rm -r", ["delete: /w/a*"]),
        ("find a -name '*.o' | xargs rm", ["delete: \ue000"]),
        ("find a | head -3 | xargs rm", ["delete: \ue000"]),
        ("xargs rm < names", ["read: /w/names", "delete: \ue000"]),
        ("xargs rm", ["delete: \ue000"]),
        ("ls | xargs rm", ["delete: /w*"]),
        ("ls b | xargs rm", ["delete: \ue000"]),
        ("ls -d b/*/ | xargs rm -r", ["delete: /w/b*"]),
        ("git rev-parse --show-toplevel | xargs rm -r", ["delete: /w*"]),
        ("parallel sh -c 'rm -r {}' ::: a b", ["delete: /w/a*", "delete: /w/b*"]),
        ("ruby -e 'FileUtils.rm_rf(Dir.home + \"/a\")'", ["delete: ~/a*"]),
        ('ruby -e \'File.delete("a", "b")\'', ["delete: /w/a", "delete: /w/b"]),
        ("ruby -e 'list.delete(\"a\")'", []),
        ('ruby -e \'puts "FileUtils.rm_rf(a)" # rm_rf("b")\'', []),
        ("perl -MFile::Path -e 'rmtree(\"$ENV{HOME}/a\")'", ["delete: ~/a*"]),
        ("perl -e 'unlink glob \"/x/*\"'", ["delete: /x*"]),
        ("perl -e 'unlink \"$name/a\"'", ["delete: \ue000"]),
        ("php -r 'unlink(\"/x/a\");'", ["delete: /x/a"]),
        ("lua -e 'os.remove(\"a\")'", ["delete: /w/a"]),
        ("mv a b", ["move:move /w/a", "write:move /w/b"]),
        ("mv a b c/", ["move:move /w/a", "move:move /w/b", "write:move /w/c/a", "write:move /w/c/b"]),
        ("mv -t c a", ["move:move /w/a", "write:move /w/c/a"]),
        ("mv -n a b", ["move:move /w/a", "write:keep /w/b"]),
        ("cp a b", ["read: /w/a", "write:replace /w/b"]),
        ("cp -t/d a", ["read: /w/a", "write:replace /d/a"]),
        ("install -d a b", ["write:make /w/a", "write:make /w/b"]),
        ("ln -s ../x d/y", ["write:link /w/d/y"]),
        ("rsync -a a/ b/", ["read: /w/a", "write:mirror /w/b"]),
        ("rsync -a --delete a/ h:b/", ["read: /w/a", "delete:mirror h:b/"]),
        ("rsync -an --delete a/ b/", []),
        ("tee -a a b", ["write:extend /w/a", "write:extend /w/b"]),
        ("sed -i '' s/x/y/ a", ["write:edit /w/a"]),
        ("sed s/x/y/ a", ["read: /w/a"]),
        ("gawk -i inplace '{print}' a", ["write:edit /w/a", "read: /w/a"]),
        ("sort -o a a", ["write:replace /w/a", "read: /w/a"]),
        ("truncate -s 0 a", ["write:truncate /w/a"]),
        ("dd if=/dev/zero of=a", ["write:replace /w/a", "read: /dev/zero"]),
        ("patch --dry-run a", []),
        ("grep -rn x a b", ["read: /w/a*", "read: /w/b*"]),
        ("grep -e x a", ["read: /w/a"]),
        ("head -n 3 a", ["read: /w/a"]),
        ("cat < a > b", ["read: /w/a", "write:replace /w/b"]),
        ("chmod -R u+x a", ["permission:mode /w/a*"]),
        ("chmod -x a", ["permission:mode /w/a"]),
        ("chown -hR e:g a", ["permission:owner /w/a*"]),
        ("chmod --reference=a b", ["permission:mode /w/b"]),
        ("mkdir -p -m 700 a", ["write:make /w/a", "permission:mode /w/a"]),
        ("setfacl -R -m u:e:rwx a", ["permission:acl /w/a*"]),
        ("tar xzf a -C /", ["write:unpack /*"]),
        ("tar -xf a --directory=b", ["write:unpack /w/b*"]),
        ("tar -czf a -C / etc", ["read: /etc*"]),
        ("tar tf a", []),
        ("unzip -d b a.zip", ["write:unpack /w/b*"]),
        ("unzip -l a.zip", []),
        ("7z x a.7z -ob", ["write:unpack /w/b*"]),
        ("cpio -idm < a", ["read: /w/a", "write:unpack /w*"]),
        ("echo rm -rf / > a", ["write:replace /w/a"]),
    ],
)
def test_programs(command: str, found: list[str]) -> None:
    assert done(command) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import os\nos.remove('/a')", ["delete: /a"]),
        ("from shutil import rmtree as r\nr('a' '/b')", ["delete: /w/a/b*"]),
        ("from pathlib import Path\nPath('a').unlink()", ["delete: /w/a"]),
        ("from pathlib import Path\np = Path.home() / 'a'\np.rename('b')", ["move:move ~/a", "write:move /w/b"]),
        ("'a b'.replace('a', 'b')", []),
        ("import os\nfor d in ('/a', '/b'):\n    os.rmdir(d)", ["delete: /a", "delete: /b"]),
        ("import glob, os\nfor f in glob.glob('/a/*'):\n    os.unlink(f)", ["delete: /a*"]),
        ("open('a')", ["read: /w/a"]),
        ("with open('a', mode='w') as f: pass", ["write:replace /w/a"]),
        ("open(f'/a/{name}', 'a')", [f"write:extend /a/{HOLE}"]),
        ("open(name, 'w')", [f"write:replace {HOLE}"]),
        ("import os\nos.chmod('/a', 0o777)", ["permission:mode /a"]),
        ("import tarfile\ntarfile.open('t').extractall('/a')", ["write:unpack /a*"]),
        ("import subprocess\nsubprocess.run(['rm', '-r', '/a'])", ["delete: /a*"]),
        ("import os\nos.system('cd /a; rm b')", ["delete: /a/b"]),
        ("import os\nos.remove(os.path.join(os.environ['HOME'], 'a'))", ["delete: ~/a"]),
        ("import os\nos.remove('/a\\x2fb')", ["delete: /a/b"]),
        ("import os\nos.remove(r'/a\\x2fb')", ["delete: /a\\x2fb"]),
        ("print('os.remove(\"/a\")')  # os.remove('/b')", []),
    ],
)
def test_python(code: str, found: list[str]) -> None:
    assert done(code, kind="python") == found
    assert done(f"python3 -c {shlex.quote(code)}") == found
    assert done(f"python3 - <<'E'\n{code}\nE") == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("require('fs').rmSync('/a', {recursive: true})", ["delete: /a*"]),
        ("import { unlink as u } from 'node:fs/promises'; await u('/a')", ["delete: /a"]),
        ("const { promises: p } = require('fs'); p.writeFile(`/a/${b}`, '')", [f"write:replace /a/{HOLE}"]),
        ("const d = '/a'; require('rimraf').sync(d + '/b')", ["delete: /a/b*"]),
        ("const fs = require('fs-extra'); fs.move('/a', '/b')", ["move:move /a", "write:move /b"]),
        ("const { execSync: x } = require('child_process'); x('rm -r /a')", ["delete: /a*"]),
        ("require('child_process').spawn('rm', ['-r', '/a'])", ["delete: /a*"]),
        ("console.log(\"fs.rmSync('/a')\") // fs.rmSync('/b')", []),
        ("other.rmSync('/a')", []),
    ],
)
def test_javascript(code: str, found: list[str]) -> None:
    assert done(f"node -e {shlex.quote(code)}") == found
    assert done(f"node <<'E'\n{code}\nE") == found


def test_a_shell_in_code_in_a_shell_is_read() -> None:
    command = "rm /a"
    for _ in range(4):
        command = f"python3 -c {shlex.quote(f'import os; os.system({command!r})')}"
    assert done(command) == ["delete: /a"]


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("ln -s / x; rm -rf x/", "delete: /*"),
        ("ln -s / x; rm -rf x", "delete: /w/x*"),
        ("ln -s ../etc d/x; rm d/x/passwd", "delete: /w/etc/passwd"),
        ("ln -s /etc x; ln -s x y; echo > y/hosts", "write:replace /etc/hosts"),
        ("rm -rf x/; ln -s / x", "write:link /w/x"),
        ("ln -s y x; ln -s x y; rm x/z", None),
    ],
)
def test_links_that_a_script_makes_are_followed_from_then_on(command: str, found: str | None) -> None:
    assert found is None or found == done(command)[-1]


def test_links_of_earlier_steps_are_followed() -> None:
    made = Step("bash", {"command": "ln -sfn ~ data"}, "", "shell")
    failed = Step("bash", {"command": "ln -sfn /etc data"}, "", "shell", failed=True)
    assert done("rm -rf data/*", history=(made, failed)) == ["delete: ~*"]
    assert done("rm -rf data/*", history=(failed,)) == ["delete: /w/data*"]


@given(st.dictionaries(st.sampled_from(["/a", "/a/b", "/b", "/c/d"]), st.sampled_from(["/a", "/b/c", "/", "/c/d"])))
def test_links_in_a_circle_end(links: dict[str, str]) -> None:
    path = Ground(None, links).path(Act.WRITE, "/a/b/c/d", "/")
    assert path.startswith("/")
    assert "//" not in path


@given(
    st.text(
        st.characters(exclude_characters="\0" + HOLE + "\ue001", exclude_categories=["Cs"]), min_size=1, max_size=20
    )
)
def test_quoting_does_not_change_what_is_deleted(name: str) -> None:
    action = Action("bash", {"command": f"rm -- {shlex.quote('/d/' + name)}"}, "shell")
    (effect,) = effects(action, Context())
    assert effect.target == Ground().on_path(Act.DELETE, "/d/" + name, effect.command).target  # type: ignore[arg-type]
    assert "*" in name or effect.target == resolve("/d/" + name)


@given(st.integers(0, 0o7777))
def test_world_writing_by_number(mode: int) -> None:
    assert gives_world_writing(f"{mode:04o}") == bool(mode & 0o002 and not mode & 0o1000)
    assert gives_world_writing(f"{mode & 0o777:03o}") == bool(mode & 0o002)


@pytest.mark.parametrize("mode", ["o+w", "a+rwx", "u=rwx,o=rw", "go+w", "a=w", "ugo+rw"])
def test_world_writing_by_letters(mode: str) -> None:
    assert gives_world_writing(mode)


@pytest.mark.parametrize("mode", ["+w", "u+w", "o-w", "a-rwx", "o=rx", "g+w", "", "a+x", "=w", "rw"])
def test_no_world_writing(mode: str) -> None:
    assert not gives_world_writing(mode)


def test_what_was_moved_aside_is_not_the_agents_own() -> None:
    history = (Step("bash", {"command": "mv a a.bak; cp b b.bak"}, "", "shell"),)
    action, context = Action("bash", {"command": "ls"}, "shell"), Context(history=history)
    assert not is_own("a.bak", action, context)
    assert is_own("b.bak", action, context)


def test_deleting_a_tree_deletes_what_is_in_it() -> None:
    action = Action("bash", {"command": "rm -r tests"}, "shell")
    assert [each.path for each in writes(action, Context())] == ["tests", "tests/*"]


def test_tools_that_change_one_file() -> None:
    made = (Step("bash", {"command": "ln -s /etc e"}, "", "shell"),)
    action = Action("write_file", {"path": "e/hosts", "content": "x"}, "file_write")
    (effect,) = effects(action, Context(facts={"cwd": "/w"}, history=made)).of(*FILES)
    assert (effect.act, effect.target, effect.scope, effect.content) == (Act.WRITE, "/etc/hosts", Place.SYSTEM, "x")


@pytest.mark.parametrize(
    "hostile",
    [
        "cp " + "-t " * 9000,
        "tar " + "-C " * 9000,
        "find . " + "-exec " * 5000,
        "ln -s a b; " * 400 + "rm b/",
        "node -e '" + "a." * 9000 + "b()'",
        "node -e '" + "(" * 9000 + "'",
        "python3 -c '" + "a = " * 3000 + "open(a)'",
        "python3 -c 'x = x + x\nopen(x, \"w\")'",
        "node -e 'const x = x + x; require(\"fs\").rm(x)'",
        "python3 -c '" + "for a in b:\n " * 50 + "open(a, a)'",
        "chmod " + ",".join(["o+w"] * 9000) + " x",
    ],
)
def test_hostile_commands_end_soon(hostile: str) -> None:
    assert steps(done, hostile) < MOST
