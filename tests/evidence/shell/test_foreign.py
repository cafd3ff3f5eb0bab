"""PowerShell and cmd are read as what they are, and ordinary shell is never taken for either."""

import pytest

from supervisor.action import Action, Context
from supervisor.errors import NoReader, Unreadable
from supervisor.evidence.effects import Act, effects
from tests.evidence.shell_reading import read

PLACE = "/c:/users"


@pytest.mark.parametrize(
    "command",
    [
        "powershell -Command \"Remove-Item -Recurse -Force 'C:\\Users'\"",
        "pwsh -NoProfile -c 'Get-ChildItem C:\\Users | Remove-Item'",
        "powershell.exe -EncodedCommand UgBlAG0AbwB2AGUALQBJAHQAZQBtACAALQBSACAAQwA6AFwAVQBzAGUAcgBzAA==",
        "sudo pwsh -Command 'ri -r C:\\Users'",
        "pwsh <<< 'Remove-Item -Recurse C:\\Users'",
        "cmd /c 'del /s /q C:\\Users'",
        "cmd.exe /c rd /s /q 'C:\\Users'",
        r"Remove-Item -Recurse -Force C:\Users",
        r"Get-ChildItem C:\Users | Remove-Item -Force",
        r"rd /s /q C:\Users",
    ],
)
def test_a_posix_shell_hands_them_on(command: str) -> None:
    found = read(command)
    removed = [each.path(word) for each in found.named("rm") for word in each.operands()]
    assert [path.removesuffix("/*") for path in removed] == [PLACE]


@pytest.mark.parametrize("tool", ["powershell", "PowerShell", "pwsh", "mcp__windows__powershell"])
def test_the_tool_decides(tool: str) -> None:
    assert next(read("Remove-Item -Recurse x", tool=tool).named("rm")).operands() == ["x"]
    assert next(read("rm -r -fo x", tool=tool).named("rm")).operands() == ["x"]
    assert next(read("git push --force && npm test", tool=tool).named("git")).args == ("push", "--force")


def test_what_no_parser_accepts_is_told() -> None:
    with pytest.raises(NoReader, match="cannot be parsed"):
        read("Remove-Item 'x", tool="powershell")


@pytest.mark.parametrize("tool", ["powershell", "cmd"])
@pytest.mark.parametrize(
    "command",
    [
        *("(" * 100_000, "{" * 500 + "}" * 500, "$(" * 5_000 + ")" * 5_000, "echo x;" * 3_000, "a&" * 60_000),
        *("'" * 99_999, '"`' * 50_000, "%a" * 100_000, "x" * 2_000_000, "if 1==1 (" * 300, "#" * 300_000),
        "\x00" * 1000 + "\ud800",
    ],
)
def test_hostile_text_has_bounds(command: str, tool: str) -> None:
    try:
        read(command, tool=tool)
    except Unreadable:
        return


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "rmdir /s",
        "rmdir a b",
        "mkdir -p C",
        "cmd",
        "cp a /b c",
        "move",
        "Rscript -e 1",
        "Xvfb :1 -screen 0",
        "./Get-It",
        "echo Remove-Item -Recurse C:",
        "grep -rn 'Remove-Item' .",
        "copy_files /s x",
        "pwsh --version",
        "pwsh ./build.ps1 -Release",
        "pwsh -c 'git status'",
        "cmd.exe /c npm test",
        "cat > a.ps1 <<'EOF'\nRemove-Item -Recurse C:\\\nEOF",
        "git commit -m 'del /s /q'",
    ],
)
def test_ordinary_shell_is_not_foreign(command: str) -> None:
    assert not read(command).unread


def test_beside_other_commands_they_are_read() -> None:
    command = "rm -rf /x; pwsh -c 'Remove-Item /y'"
    known = effects(Action("bash", {"command": command}, "shell"), Context())
    assert [each.target for each in known.of(Act.DELETE)] == ["/x", "/y"]
