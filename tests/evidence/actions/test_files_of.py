"""The paths that an action touches are those that its text proves; an exemption for them lets nothing else run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.evidence.actions.form import files_of
from supervisor.intake.parsing import shaped

HERE = "/srv/app"


@pytest.mark.parametrize(
    ("command", "touched"),
    [
        ("rm -rf build", [f"{HERE}/build"]),
        ("rm -rf /tmp/a ~/b && mkdir -p c", ["/tmp/a", "~/b", f"{HERE}/c"]),
        ("cat a > b 2>&1", [f"{HERE}/a", f"{HERE}/b"]),
        ("rm a 2> /dev/null", [f"{HERE}/a"]),
        ("chmod -R 777 /srv/in a", ["/srv/in", f"{HERE}/a"]),
        ("chown -R www:www /srv/in", ["/srv/in"]),
        ("chmod --reference=/etc/passwd a", None),
        ("chmod a -R 777", None),
        ("rm -rf build; make", None),
        ("sudo rm -rf build", None),
        ("rm -rf build/*", None),
        ("rm -rf build/../..", None),
        ("rm -rf ~ann/x", None),
        ("rm -rf $HOME", None),
        ("rm --interactive=never x", None),
        ("cp -t / x", None),
        ("git push", None),
        ("A=1 rm x", None),
        ("ln -s / build/x", None),
    ],
)
def test_the_files_of_a_command_are_those_that_it_proves(command: str, touched: list[str] | None) -> None:
    assert files_of(shaped("bash", {"command": command}, None, {}), Context(facts={"cwd": HERE})) == touched
    assert files_of(shaped("bash", {"command": command}, None, {}), Context()) is None


@pytest.mark.parametrize(
    ("tool", "args", "touched"),
    [
        ("write_file", {"path": "a.txt", "content": "cat /etc/passwd"}, [f"{HERE}/a.txt"]),
        ("edit_file", {"path": "/x/a.txt", "old_string": "a/b", "new_string": "b/c"}, ["/x/a.txt"]),
        ("edit_file", {"path": "a.txt", "patch": "*** Begin Patch\n*** Delete File: /etc/x\n*** End Patch"}, None),
        ("write_file", {"path": "../a.txt", "content": ""}, None),
        ("write_file", {"path": "a.txt", "content": "", "backup": "/etc/x"}, None),
        ("read_file", {"path": "a.txt", "limit": 5}, [f"{HERE}/a.txt"]),
        ("issue_refund", {"order": "o1"}, None),
    ],
)
def test_the_file_of_a_file_tool_is_its_path(tool: str, args: dict[str, Any], touched: list[str] | None) -> None:
    assert files_of(shaped(tool, args, None, {}), Context(facts={"cwd": HERE})) == touched


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    found = files_of(Action("bash", {"command": text}, "shell"), Context(facts={"cwd": HERE}))
    assert found is None or all(path.startswith(("/", "~")) for path in found)
