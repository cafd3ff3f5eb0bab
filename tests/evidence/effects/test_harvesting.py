"""Tools that collect credentials, and files that a variable loads."""

from __future__ import annotations

import pytest

from supervisor.evidence.effects.effect import Ground
from supervisor.evidence.effects.harvesting import PROGRAMS, name_of
from supervisor.evidence.effects.preloaded import loaded, loads
from supervisor.evidence.shell import read_script


@pytest.mark.parametrize("word", ["./LaZagne.py", "lazagne", r"C:\x\laZagne.exe", "/opt/LAZAGNE"])
def test_a_tool_is_known_by_its_name_alone(word: str) -> None:
    assert name_of(word) == "lazagne"


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("mimikatz", "mimikatz"),
        ("python3 secretsdump.py a@b", "secretsdump"),
        ("gcore $(pidof ssh-agent)", "ssh-agent"),
        ("gitleaks detect --no-git -s /home", "/home"),
        ("python3 build.py secretsdump.py", ""),
        ("mimikatz --help", ""),
        ("gcore 12", ""),
        ("gitleaks detect -s .", ""),
    ],
)
def test_what_is_collected(line: str, target: str) -> None:
    command = next(each for each in read_script(line, "/work").commands if each.program in PROGRAMS)
    assert [each.target for each in PROGRAMS[command.program].read(command, Ground())] == [target] * bool(target)


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("LD_PRELOAD=/tmp/a.so:/tmp/b.so ls", ["/tmp/a.so", "/tmp/b.so"]),
        ("BASH_ENV=/tmp/e.sh make", ["/tmp/e.sh"]),
        ("NODE_OPTIONS='--require /tmp/a.js --import=/tmp/b.mjs' npm start", ["/tmp/a.js", "/tmp/b.mjs"]),
        ("JAVA_TOOL_OPTIONS=-javaagent:/tmp/a.jar mvn test", ["/tmp/a.jar"]),
        ("NODE_OPTIONS=--max-old-space-size=4096 npm start", []),
        ("LANG=C ls", []),
    ],
)
def test_what_a_variable_loads(line: str, files: list[str]) -> None:
    command = read_script(line, "/work").commands[0]
    assert [each.target for each in loaded(command, Ground())] == files
    assert loads(command) is bool(files)
