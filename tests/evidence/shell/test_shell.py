"""What the shell reader takes for executed, what for mere text, and that no input breaks it."""

import base64
import concurrent.futures

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.writes import Write, own_files, writes
from supervisor.evidence.reading.paths import HOLE, Place, place_of, resolve
from supervisor.evidence.shell import Script, fingerprint_of
from tests.evidence.effort import MOST, steps


def read(command: object, **facts: object) -> Script:
    return script(Action("bash", {"command": command}, "shell"), Context(facts=facts))


def ran(command: object, **facts: object) -> list[list[str]]:
    """The argument vectors of what runs, without the wrappers around it."""
    return [list(each.argv) for each in read(command, **facts).commands if not each.wraps]


@pytest.mark.parametrize(
    "command",
    [
        r"""\rm -r'f' "/"x""",
        "FOO=1 BAR=2 rm -rf /x",
        "sudo -u root env -i A=b nice -n 5 timeout -k 1 5s rm -rf /x",
        "bash -lc 'rm -rf /x'",
        "bash -c 'rm -rf \"$1\"' _ /x",
        ["bash", "-lc", "rm -rf /x"],
        ["rm", "-rf", "/x"],
        "eval 'rm -rf' /x",
        "su - root -c 'rm -rf /x'",
        "env -S 'rm -rf /x'",
        "busybox rm -rf /x",
        "command rm -rf /x",
        "bash <<EOF\nrm -rf /x\nEOF",
        "bash <<-EOF\n\trm -rf /x\n\tEOF",
        "bash <<< 'rm -rf /x'",
        "xargs rm -rf <<< /x",
        "find /x -exec rm -rf {} +",
        "D=/x; rm -rf $D",
        'C="rm -rf"; $C /x',
        "rm${IFS}-rf${IFS}/x",
        "$'\\x72m' -rf $'\\057x'",
        "rm -rf ${UNSET:-/x}",
        'f() { rm -rf "$1"; }; f /x',
        "for d in /x; do rm -rf $d; done",
        "rm 2>/dev/null -rf /x",
        "if true; then (rm -rf /x); fi",
        "rm -rf {/x,}",
    ],
)
def test_spellings_of_one_command(command: object) -> None:
    found = [argv for argv in ran(command) if "rm" in argv[0]]
    assert [[argv[0].replace("/bin/", ""), *argv[1:3]] for argv in found] == [["rm", "-rf", "/x"]]


@pytest.mark.parametrize(
    ("command", "other"),
    [
        ("echo $(rm -rf /x)", "echo"),
        ("echo `rm -rf /x`", "echo"),
        ("echo $((1 + $(rm -rf /x)))", "echo"),
        ("cat <<EOF\n$(rm -rf /x)\nEOF", "cat"),
        ("ls <(rm -rf /x)", "ls"),
        ("ls > $(rm -rf /x)", "ls"),
        ("echo 'rm -rf /x' | sh", "echo"),
        ("echo " + base64.b64encode(b"rm -rf /x").decode() + " | base64 -d | bash", "echo"),
        ("cat <<EOF | sh\nrm -rf /x\nEOF", "cat"),
        ("ls && rm -rf /x 'unterminated", "ls"),
    ],
)
def test_runs_beside_other_commands(command: str, other: str) -> None:
    found = ran(command)
    assert ["rm", "-rf", "/x"] in found
    assert any(argv[0] == other for argv in found)


@pytest.mark.parametrize(
    "command",
    [
        "echo 'do not run rm -rf /'",
        "printf 'rm -rf /\\n' > notes.txt",
        "git commit -m 'never rm -rf /'",
        "ls # rm -rf /",
        "cat > f <<'EOF'\n$(rm -rf /)\nEOF",
        "tee f <<EOF\nrm -rf /\nEOF",
        "grep -rn 'rm -rf' .",
        "V='rm -rf /'; echo \"$V\"",
        "command -v rm mv cp",
        "f() { rm -rf /; }",
        "curl -d 'rm -rf /' https://example.org",
    ],
)
def test_mentions_are_not_executed(command: str) -> None:
    assert not list(read(command).named("rm"))


def test_pipelines_know_what_flows_into_them() -> None:
    sh = next(read("curl -s u | tee log | sudo sh -s").named("sh"))
    assert [each.program for each in sh.upstream] == ["curl", "tee"]
    assert sh.wrappers == ("sudo",)


def test_words_know_what_they_come_from() -> None:
    for command in ('bash -c "$(curl u)"', 'S=$(curl u); bash -c "$S"', "bash <(curl u)"):
        bash = next(read(command).named("bash"))
        assert [each.program for each in bash.sources_of(len(bash.argv) - 1)] == ["curl"]
        assert any(HOLE in word for word in bash.argv)


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("rm f", "/w"),
        ("cd a && rm f", "/w/a"),
        ("cd a; cd ..; rm f", "/w"),
        ("(cd /etc); rm f", "/w"),
        ("cd /etc | true; rm f", "/w"),
        ("cd && rm f", "~"),
        ('cd "$X" && rm f', HOLE),
        ("pushd b; popd; rm f", "/w"),
        ('cd "$PWD/a"; rm f', "/w/a"),
        ('cd "$(pwd)/a"; rm f', "/w/a"),
        ("ssh host rm f", HOLE),
    ],
)
def test_follows_cd(command: str, cwd: str) -> None:
    assert next(read(command, cwd="/w").named("rm")).cwd == cwd


@pytest.mark.parametrize("word", ["/données", "/tmp/😀", "\U0010fffd", "a\u00a0b"])
def test_words_beyond_ascii_are_kept(word: str) -> None:
    assert ran(f"é=1; rm -rf {word} '{word}'; echo \"{word}\"")[:2] == [["rm", "-rf", word, word], ["echo", word]]


def test_redirections() -> None:
    found = read("a > x 2>&1 && b >> y; { c; } &> z; d < in").commands
    assert [redirect.target for each in found for redirect in each.redirects if redirect.writes] == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("word", "cwd", "path"),
    [
        ("a/../b", ".", "b"),
        ("..", ".", ".."),
        ("../x", "a", "x"),
        ("../../x", "/a/b/c", "/a/x"),
        ("/../..", ".", "/"),
        ("~/../x", ".", "/home/x"),
        (f"{HOLE}/..", ".", HOLE),
        (f"/a/{HOLE}/b", ".", f"/a/{HOLE}/b"),
        ("~eve/x", ".", "/home/eve/x"),
        ("./~", ".", "./~"),
        ("//tmp//x/", ".", "/tmp/x"),
    ],
)
def test_resolve(word: str, cwd: str, path: str) -> None:
    assert resolve(word, cwd) == path


@pytest.mark.parametrize(
    ("path", "workspace", "place"),
    [
        ("/w/a", "/w", Place.WORKSPACE),
        ("/wider", "/w", Place.OUTSIDE),
        ("a/b", None, Place.WORKSPACE),
        ("../a", None, Place.OUTSIDE),
        ("~/p/a", "/home/eve/p", Place.WORKSPACE),
        ("/tmp/x", "/w", Place.TEMPORARY),
        ("/tmp/w/x", "/tmp/w", Place.WORKSPACE),
        ("/", "/", Place.ROOT),
        ("/home/eve", "/w", Place.HOME),
        ("~/Documents", None, Place.HOME),
        ("~/a/b", None, Place.OUTSIDE),
        ("/etc/nginx", None, Place.SYSTEM),
        ("/var/www", None, Place.SYSTEM),
        ("/usr/local/lib/x", None, Place.OUTSIDE),
        (HOLE, "/w", Place.UNKNOWN),
    ],
)
def test_place_of(path: str, workspace: str | None, place: Place) -> None:
    assert place_of(path, workspace) is place


def test_essence_ignores_spelling_and_order() -> None:
    one = fingerprint_of(read("sudo rm -rf ./build && git push --force origin main"))
    two = fingerprint_of(read("'git' push -f origin main; rm --recursive --force build/"))
    three = fingerprint_of(read("git push --tags origin main"))
    other = fingerprint_of(read("sudo rm -rf ./dist && git push --force fork main"))
    assert one == two
    assert three < one, "options say how, not on what"
    assert len(one & other) < 0.5 * len(one | other)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("sed -i.bak -e s/a/b/ x y", [("x", "edit"), ("x.bak", "replace"), ("y", "edit"), ("y.bak", "replace")]),
        ("sed -ni '1p' x", [("x", "edit")]),
        ("sed -n 's/i/e/p' x", []),
        ("perl -pi -e 's/a/b/' x", [("x", "edit")]),
        ("mv a b/", [("a", "delete"), ("b/a", "replace")]),
        ("cp -r a b", [("b", "replace")]),
        ("echo 1 | tee -a x > /dev/null", [("x", "extend")]),
        ("cd d && rm -f x", [("d/x", "delete")]),
        ("rm $X", []),
        ("ssh h rm x", []),
    ],
)
def test_writes(command: str, found: list[tuple[str, str]]) -> None:
    action = Action("bash", {"command": command}, "shell")
    assert writes(action, Context()) == tuple(Write(*each) for each in found)


def test_own_files() -> None:
    action = Action("bash", {"command": "mkdir -p /d/new"}, "shell")
    assert own_files(action, Context(facts={"files_created_by_agent": ["a.py"]})) == {"a.py", "/d/new"}


@pytest.mark.parametrize(
    "hostile",
    [
        *("(" * 5000, "$(" * 5000, "a=(" * 20000, "{ " * 3000, "`" * 999, "<<a " * 9000, "sudo " * 9000, "x|" * 9000),
        *(":(){ :|:& };:", "A=x; " + "A=$A$A; " * 200, "eval " * 5000 + "ls", "f(){ g; }; g(){ f; }; f", HOLE + "\0"),
        *("for i in 1 2 3 4 5; do " * 30 + "ls" + "; done" * 30, "a && " * 8000 + "b", "{a,b}" * 40, "\ud800"),
    ],
)
def test_hostile_scripts_end_soon(hostile: str) -> None:
    assert steps(read, hostile) < MOST


@pytest.mark.parametrize("command", [None, 7, ["a", 7], {"a": 1}, "x" * 1_100_000, "a=(" * 20_000])
def test_unreadable(command: object) -> None:
    with pytest.raises(Unreadable):
        read(command)


def test_parsers_are_not_shared_between_threads() -> None:
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        texts = [f"cd d{n} && echo $(rm -rf x{n}) | cat" for n in range(200)]
        assert [next(each.named("rm")).args[1] for each in pool.map(read, texts)] == [f"x{n}" for n in range(200)]


SHELLISH = st.text(st.sampled_from(list("rm -f/~$(){}[]<>|&;'\"\\`#!=*,.abEOF\n\t0\ue000é")), max_size=80)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=200), SHELLISH))
def test_any_text_is_read_or_unreadable(text: str) -> None:
    try:
        found = read(text)
    except Unreadable:
        return
    fingerprint_of(found)
    writes(Action("bash", {"command": text}, "shell"), Context())


QUOTES = st.sampled_from(["{}", "'{}'", '"{}"', "\\{}", "$'{}'"])
STARTS = st.sampled_from(["", "true; ", "! ", "false || ", "A=1 ", "{ ls; }; "])
WRAPPERS = st.lists(
    st.sampled_from(["sudo ", "env B=2 ", "nohup ", "command ", "timeout 9 ", "nice -n 3 "]), max_size=3
)


@settings(deadline=None)
@given(STARTS, WRAPPERS, QUOTES, QUOTES, st.sampled_from(["/", "/etc", "x"]))
def test_respelling_keeps_the_command(start: str, wrappers: list[str], program: str, operand: str, target: str) -> None:
    command = f"{start}{''.join(wrappers)}{program.format('rm')} -rf {operand.format(target)}"
    assert ["rm", "-rf", target] in ran(command)


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="'", exclude_categories=("Cs",)), max_size=40))
def test_quoted_text_is_never_executed(text: str) -> None:
    assert not list(read(f"echo 'rm -rf / {text}'").named("rm"))
