"""What earlier steps ran is read where it may tell of what is asked, and the answers are those of reading all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.catalog.discovery import find_pairs
from supervisor.catalog.failure_mode import Case, read_entry
from supervisor.evidence.changes.writes import _made_before, own_files
from supervisor.evidence.history import file_texts, past_scripts
from supervisor.evidence.history.past_scripts import PastStep, past_steps
from supervisor.evidence.history.surfaces import surface
from supervisor.evidence.history.traces import traces
from supervisor.evidence.session import checkouts
from supervisor.history import History
from supervisor.policy import Taxonomy
from tests.evidence.effort import assert_linear, steps

CWD = "/srv/shop"
LS = {"command": "ls"}
Question = Callable[[PastStep], Iterable[str]]


def programs(past: PastStep) -> list[str]:
    return [command.program for command in past.commands]


def words(past: PastStep) -> list[str]:
    return [word for command in past.commands if command.program != "cd" for word in command.args]


def texts(past: PastStep) -> list[str]:
    return [path for path, _ in file_texts._texts_in(past)] if not past.step.failed else []


QUESTIONS: list[Question] = [_made_before, checkouts._changed, checkouts._kept, checkouts._branches_made]
QUESTIONS += [programs, words, texts]


def told(step: Step, question: Question, cwd: str | None = CWD) -> set[str]:
    """All that a step tells, read anew."""
    return set(question(PastStep(step, cwd)))


def shell(command: str, *, failed: bool = False) -> Step:
    return Step("bash", {"command": command}, "", "shell", failed=failed)


def assert_found(step: Step) -> None:
    for question in QUESTIONS:
        for name in told(step, question):
            context = Context(history=History([step]), facts={"cwd": CWD})
            assert name in traces(context, question), (question.__name__, name, step.args)


def commands_of_the_taxonomy() -> set[str]:
    """Those of its cases, and of what came before them."""
    cases = [read_entry(pair.taxonomy).cases for pair in find_pairs(Taxonomy())[0]]
    calls = [call for each in cases for case in (*each.caught, *each.let_through) for call in calls_of(case)]
    return {args["command"] for args in calls if isinstance(args.get("command"), str)}


def calls_of(case: Case) -> Iterator[Mapping[str, Any]]:
    yield case.args
    yield from (step.get("args", {}) for step in case.context.get("history", ()) if isinstance(step, dict))


@pytest.mark.thorough
def test_every_name_that_a_command_of_the_taxonomy_tells_is_found_by_its_text() -> None:
    commands = commands_of_the_taxonomy()
    assert len(commands) > 1_000
    for command in sorted(commands):
        assert_found(shell(command))


@pytest.mark.parametrize(
    "command",
    [
        "mkdir -p 'bui''ld'/\"out\"",
        "N=run7; touch $N.tgz",
        "mkdir -p {a,b}/c",
        "cd sub && git init .",
        "git clone https://loom.example/lib.git && git clone -q git@loom.example:x/y.git ..",
        "cd .. && mkdir -p work",
        'touch "" a\\ b',
        "gzip -k notes && sed -i.bak s/a/b/ notes.txt",
        "python3 -c \"open('a' + 'b', 'w')\"",
        "python3 - <<'E'\nfrom pathlib import Path\nPath('out', 'x' 'y').write_text('')\nE",
        "cat > a.sh <<'E'\ntouch b''c\nE\nbash a.sh",
        "cat <<'E' > Makefile\nall:\n\ttouch b''c\nE\nmake",
        'echo "x <<E y"\ntouch hidden\necho E',
        "echo 'a\n<<E\n' && touch \"hid\"den\nE",
        "# <<E\ntouch hidden\nE",
        "cat <<E > a\n$(touch hidden)\nE",
        "find . -name '*.c' -exec cp -t ~/old -- {} +",
        "ls | xargs -I X mv X kept/X",
        'eval "tou""ch ev$((1+1))"',
        "git tag old main~3; git stash apply; git push origin fix; git bundle create ../b --all",
        "git switch -c fix/one && git branch spare",
        "mkdir ~/../elsewhere/..",
        "cp -r * kept/ && rm -rf ./old/*",
        "sudo -u app sh -c 'mkdir \"/opt/a\"pp'",
        "touch -- '$HOME' ~/.profile ~root/x",
        "mkdir /srv /srv/shop .",
        "curl -sO https://loom.example/a/tool.sh",
        "tar xf a.tgz -C /srv/shop && unzip -d. b.zip",
        "cp; mv | install",
    ],
)
def test_names_are_found_however_they_are_spelled(command: str) -> None:
    assert_found(shell(command))


NAMES = ["a", "a.py", "src", "src/a.py", "/srv/shop", "/srv", ".", "~/b", "shop", "fix/b", "b.tar.gz", "HEAD", "-p"]
PIECES = st.sampled_from(
    [
        *(
            *NAMES,
            "'a'.py",
            '"src"/a',
            "s''rc",
            "$X",
            "${X}b",
            "a*",
            "{a,b}",
            "..",
            "./",
            "\\a",
            "$(echo a)",
            "`b`",
            ">",
        ),
        *(
            ">>",
            "<<'E'\na b\nE\n",
            "<<E\n$X\nE\n",
            "&&",
            ";",
            "|",
            "\n",
            "X=a",
            "cd",
            "mkdir",
            "touch",
            "cp",
            "mv",
            "rm",
        ),
        *("tee", "git clone", "git init", "git checkout -b", "git tag", "git push origin", "ln -s", "sed -i s/a/b/"),
        *(
            "python -c",
            "\"open('a', 'w')\"",
            "bash -c",
            "'touch b'",
            "xargs",
            "find",
            "sudo",
            "cat",
            "echo",
            "#",
            "gzip",
        ),
    ]
)
COMMANDS = st.lists(PIECES, min_size=1, max_size=9).map(" ".join)
STEPS = st.one_of(
    st.builds(shell, COMMANDS, failed=st.just(value=False) | st.booleans()),
    st.sampled_from(NAMES).map(lambda path: Step("write", {"path": path, "content": "x"}, "ok", "file_write")),
    st.sampled_from(NAMES).map(lambda path: Step("edit", {"path": path}, "ok", "file_edit")),
)


@given(COMMANDS)
@example("cat <<'E'\na b\nE\n mkdir a")
def test_names_are_found_in_whatever_is_run(command: str) -> None:
    assert_found(shell(command))


@given(
    st.lists(STEPS, max_size=8),
    st.lists(st.tuples(st.integers(0, 8), st.sampled_from(NAMES), st.integers(0, 3)), max_size=12),
    st.sampled_from([CWD, "/", None]),
)
def test_what_is_read_where_it_is_asked_for_is_what_all_of_it_tells(
    taken: list[Step], asked: list[tuple[int, str, int]], cwd: str | None
) -> None:
    """In whichever order snapshots of whatever length ask, and while the session grows."""
    session = History()
    for step in taken:
        session.append(step)
        for length, name, number in asked:
            seen, question = min(length, len(session)), QUESTIONS[number]
            past = traces(Context(history=session.first(seen), facts={"cwd": cwd} if cwd else {}), question)
            anew = set[str]().union(*(told(each, question, cwd) for each in taken[:seen]))
            for each in (name, f"/srv/shop/{name}", name.rpartition("/")[2]):
                assert (each in past) == (each in anew), each
            if length == 8:
                assert set(past) == anew


def written(number: int) -> list[Step]:
    """What a session ran that wrote a lot, most of it in ways that only a parser reads."""
    ways = (
        "cat > src/m{0}.py <<'E'\nprint({0})\nE\n",
        'for f in a{0} b{0}; do mkdir -p "build/$f" && cp src/m{0}.py "build/$f/"; done',
        "cd src && sed -i 's/a/b/' m{0}.py && git add m{0}.py && git commit -m \"work on m{0}\"",
        "git checkout -b feature-{0} && git push -u origin feature-{0}",
        "python - <<'E'\nfrom pathlib import Path\nPath('out/{0}.txt').write_text('x')\nE",
    )
    return [shell(ways[each % len(ways)].format(each)) for each in range(number)]


def asked(history: History) -> None:
    """Everything that anybody wants to know of one action."""
    context = Context(history=history.snapshot(), facts={"cwd": CWD})
    action = Action("bash", LS, "shell")
    assert "x" not in own_files(action, context)
    assert not checkouts.is_own_change("src/other.py", action, context)
    assert "x" not in checkouts.kept_before(context)
    assert "x" not in checkouts.made_branches(action, context)


def test_a_past_is_read_in_linear_time() -> None:
    assert_linear(asked, lambda size: History(written(size)), counted=100, ended=3_000)


def test_a_step_is_parsed_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[object] = []
    read = past_scripts.read_script
    monkeypatch.setattr(past_scripts, "read_script", lambda *given: parsed.append(given) or read(*given))
    history = History(written(50))
    asked(history)
    asked(history)
    assert len(parsed) == len(set(parsed)) <= 50


def test_what_is_parsed_ahead_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    history = History(written(50))
    anew, ahead = Context(history=History(history), facts={"cwd": CWD}), Context(history=history, facts={"cwd": CWD})
    while past_steps(ahead).parse_next():
        pass
    assert not past_steps(ahead).parse_next()
    expected = [set(traces(anew, question)) for question in QUESTIONS]
    monkeypatch.setattr(past_scripts, "read_script", lambda *given: pytest.fail("parsed again"))
    assert "x" not in own_files(Action("bash", LS, "shell"), ahead)
    monkeypatch.undo()
    assert [set(traces(ahead, question)) for question in QUESTIONS] == expected


def test_the_next_action_costs_no_more_after_a_long_session() -> None:
    sessions = [History(written(size)) for size in (20, 400)]
    for session in sessions:
        asked(session)
        session.append(shell("make"))
    short, long = (steps(asked, session) for session in sessions)
    assert long < 1.5 * short + 10 * 400, (short, long)  # what is left is a look at the text of each


def test_what_was_parsed_stays_bounded() -> None:
    history = History([shell(f"X={number}; touch $X.{'y' * 4_000}") for number in range(200)])
    asked(history)
    steps = past_steps(Context(history=history, facts={"cwd": CWD}))
    assert sum("script" in past.__dict__ for past in steps.steps) < 80
    asked(history)


@pytest.mark.parametrize(
    ("command", "is_plain"),
    [
        ("git add src && git commit -m 'x'", True),
        ("mkdir -p a/b; ls -la > out.txt", True),
        ("cat > a.py <<'E'\nprint('$x')\nE", True),
        ("python x.py", True),
        ("mkdir $X", False),
        ("python -c 'x'", False),
        ("cat > a.sh <<'E'\nls\nE\nbash a.sh", False),
        ("echo ls > a.sh; make", False),
        ("sudo mkdir a", False),
    ],
)
def test_what_is_told_without_a_parser(command: str, is_plain: bool) -> None:
    assert (surface(command) is not None) is is_plain
