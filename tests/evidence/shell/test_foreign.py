"""PowerShell and cmd are said to be unread, and ordinary shell is never taken for either."""

import pytest

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.effects import Act, effects
from tests.evidence.shell_reading import read


@pytest.mark.parametrize(
    "command",
    [
        'powershell -Command "Remove-Item -Recurse -Force C:\\\\"',
        "pwsh -NoProfile -c 'Get-ChildItem | Remove-Item'",
        "powershell.exe -EncodedCommand UgBlAG0A",
        "sudo pwsh -Command 'Stop-Computer'",
        "pwsh <<< 'Remove-Item x'",
        "cmd /c 'del /s /q C:\\x'",
        "cmd.exe /c rd /s /q build",
        r"Remove-Item -Recurse -Force C:\Users",
        r"Get-ChildItem C:\ -Recurse | Remove-Item -Force",
        "del /s /q *",
        r"rd /s /q C:\\",
        "rmdir /s /q build",
        "format C: /q",
    ],
)
def test_foreign_scripts_are_unreadable(command: str) -> None:
    with pytest.raises(Unreadable, match="not read"):
        read(command)


@pytest.mark.parametrize("tool", ["powershell", "PowerShell", "pwsh", "mcp__windows__powershell", "cmd"])
def test_foreign_tools(tool: str) -> None:
    with pytest.raises(Unreadable, match="not read"):
        read("Remove-Item -Recurse x", tool=tool)
    if tool == "cmd":
        with pytest.raises(Unreadable, match="not read"):
            read("rm -r -fo x", tool=tool)
    else:  # an alias that means what it means to a shell
        assert next(read("rm -r -fo x", tool=tool).named("rm")).operands() == ["x"]
    assert next(read("git push --force && npm test", tool=tool).named("git")).args == ("push", "--force")


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


def test_beside_other_commands_they_are_told() -> None:
    command = "rm -rf /x; pwsh -c 'Remove-Item y'"
    found = read(command)
    assert found.unread
    assert list(found.named("rm"))
    known = effects(Action("bash", {"command": command}, "shell"), Context())
    assert [each.target for each in known.of(Act.DELETE)] == ["/x"]
    with pytest.raises(Unreadable, match="PowerShell"):
        list(known.of(Act.EXECUTE))
