"""Commands that stand in files are read where the script, or the session's past, tells the file's text."""

import pytest

from supervisor.action import Step
from tests.evidence.shell_reading import read

SCRIPT = '#!/bin/bash\nrm -rf "$1"\n'
PACKAGE = '{"scripts": {"clean": "rm -rf /x", "preclean": "ls", "test": "npm run test"}}'
MAKEFILE = "TREE = /x\n.PHONY: clean\nall: clean\nclean:\n\t@rm -rf $(TREE)\nother:\n\ttrue\n"


def wrote(path: str, text: str) -> Step:
    return Step("write", {"path": path, "content": text}, "ok", "file_write")


def shell(command: str, output: str = "") -> Step:
    return Step("bash", {"command": command}, output, "shell")


@pytest.mark.parametrize(
    ("step", "command"),
    [
        (wrote("/w/a.sh", SCRIPT), "bash a.sh /x"),
        (wrote("/w/a.sh", SCRIPT), "chmod +x a.sh && ./a.sh /x"),
        (wrote("/w/a.sh", SCRIPT), "cd / && sudo sh w/a.sh /x"),
        (wrote("/w/a.sh", SCRIPT), "set -- /x; source a.sh"),
        (shell(f"cat > a.sh <<'EOF'\n{SCRIPT}EOF"), "bash a.sh /x"),
        (shell("cat a.sh", SCRIPT), "bash a.sh /x"),
        (Step("read", {"path": "a.sh"}, SCRIPT, "file_read"), "bash a.sh /x"),
        (wrote("Makefile", MAKEFILE), "make"),
        (wrote("Makefile", MAKEFILE), "make clean"),
        (wrote("sub/Makefile", MAKEFILE), "make -C sub all"),
        (wrote("/w/package.json", PACKAGE), "npm run clean"),
        (wrote("/w/package.json", PACKAGE), "yarn clean"),
        (wrote("/w/package.json", PACKAGE), "cd /w && pnpm run clean"),
        (wrote("justfile", "clean path:\n    rm -rf /x\n"), "just clean"),
    ],
)
def test_known_files_are_read(step: Step, command: str) -> None:
    removal = next(read(command, step, cwd="/w").named("rm"))
    assert removal.argv == ("rm", "-rf", "/x")
    assert removal.wrappers


@pytest.mark.parametrize(
    ("steps", "command"),
    [
        ([], "bash a.sh /x"),
        ([wrote("/w/b.sh", SCRIPT)], "bash a.sh /x"),
        ([wrote("/w/a.sh", SCRIPT)], "cat a.sh"),
        ([wrote("/w/a.sh", SCRIPT)], "ssh host bash a.sh"),
        ([wrote("/w/a.sh", "#!/usr/bin/env python3\nrm = 1\n")], "./a.sh"),
        ([wrote("/w/a.sh", SCRIPT), wrote("/w/a.sh", "ls\n")], "bash a.sh /x"),
        ([wrote("/w/a.sh", SCRIPT), Step("edit", {"path": "/w/a.sh"}, "", "file_edit")], "bash a.sh /x"),
        ([Step("write", {"path": "/w/a.sh", "content": SCRIPT}, "no", "file_write", failed=True)], "bash a.sh /x"),
        ([wrote("Makefile", MAKEFILE)], "make other"),
        ([wrote("Makefile", MAKEFILE)], "make --dry-run clean"),
        ([wrote("package.json", "{")], "npm run clean"),
        ([wrote("package.json", PACKAGE)], "npm run test"),
    ],
)
def test_others_are_not(steps: list[Step], command: str) -> None:
    assert not list(read(command, *steps, cwd="/w").named("rm"))


def test_a_script_that_runs_itself_ends() -> None:
    found = read("echo './a.sh; ./a.sh; ls' > a.sh; ./a.sh", cwd="/w")
    assert len(list(found.named("ls"))) == 1


def test_what_a_script_writes_is_told() -> None:
    found = read("echo a > x; echo b >> x; date > y; printf '%s\\n' 1 2 | tee z", cwd="/w")
    assert found.files == {"/w/x": "a\nb\n", "/w/z": "1\n2\n"}
