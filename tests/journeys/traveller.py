"""Somebody who does what the pages say, from an empty home, and nothing else.

SUPERVISOR_SCRIPTS names the folder of the `supervisor` that is tried, if it is not the one beside this Python.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.attack.terminals import terminal
from tests.docs.pages import ROOT, without_make
from tests.engine.waiting import eventually
from tests.journeys.pages import Block, blocks, promised_steps, sections

_LASTS = re.compile(r"^(?:export|cd) .*$", re.MULTILINE)  # what one command leaves to the next ones
_STAYS = ("supervisor serve",)  # runs in a terminal of its own until it is ended


@dataclass
class Traveller:
    """A person with a home, a working directory and a shell.

    `answers` are typed where a command asks: a part of the command, then the prompt and the answer. `scripts` is the
    folder of their own `supervisor`; `programs` are folders of what else they use. `manager` stands in for the package
    manager: it gets the commands that install.
    """

    home: Path
    answers: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    scripts: Path | None = None
    programs: Sequence[Path] = ()
    manager: Callable[[str], None] = lambda command: None
    steps: list[str] = field(default_factory=list)
    _before: list[str] = field(default_factory=list)
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def work(self) -> Path:
        folder = self.home / "work"
        folder.mkdir(exist_ok=True)
        return folder

    def follow(self, page: str, *headings: str) -> str:
        """Does what stands below these headings (by default the whole page), in order; all that was printed."""
        found = sections(ROOT / page)
        return "".join(self._does(block) for heading in headings or found for block in blocks(found[heading]))

    def _does(self, block: Block) -> str:
        if block.file:
            return self._saves(block)
        self.steps += block.commands
        if block.language != "sh":
            for command in block.commands:
                self.manager(command)
            return ""
        if block.text.startswith(_STAYS):
            return self._starts(block)
        code, printed = self._types(block)
        self._before += _LASTS.findall(block.text)
        assert code == block.code, f"{block.text}\n{printed}\nexit code {code}"
        assert block.prints(printed), f"{block.text}\n{printed}\nand the page shows\n{block.printed}"
        return printed

    def _saves(self, block: Block) -> str:
        self.steps.append(f"edit {block.file}")
        file = self.work / block.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
        return ""

    def _types(self, block: Block) -> tuple[int, str]:
        shell = self._shell(block)
        asked = [asked for command, asked in self.answers.items() if command in block.text]
        if asked:
            with terminal(*shell, cwd=self.work, env=self.environment) as screen:
                for prompt, answer in asked:
                    screen.wait_for(prompt)
                    screen.type(f"{answer}\n")
                return screen.ends(), screen.shown
        usual = {"cwd": self.work, "env": self.environment, "timeout": 240, "stdin": subprocess.DEVNULL}
        done = subprocess.run(shell, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **usual)  # type: ignore[call-overload]
        return done.returncode, done.stdout.decode()

    def _starts(self, block: Block) -> str:
        """Returns once it says that it listens."""
        log = self.home / f"terminal-{len(self._running) + 2}"
        with open(log, "wb") as screen:
            process = subprocess.Popen(
                self._shell(block),
                cwd=self.work,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=screen,
                stderr=screen,
                start_new_session=True,
            )
        self._running.append(process)
        assert eventually(lambda: "listening" in log.read_text() or process.poll() is not None), log.read_text()
        assert process.poll() is None, log.read_text()
        return ""

    def _shell(self, block: Block) -> list[str]:
        return ["bash", "-euo", "pipefail", "-c", "\n".join([*self._before, without_make(block.text)])]

    @property
    def environment(self) -> dict[str, str]:
        scripts = self.scripts or os.environ.get("SUPERVISOR_SCRIPTS", Path(sys.executable).parent)
        kept = {"XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}  # what has passed its cases need not pass them again
        path = ":".join(map(str, (scripts, *self.programs, os.environ["PATH"])))
        base = {"PATH": path, "HOME": str(self.home), "NO_COLOR": "1"}
        return base | kept | dict(self.variables)

    def has_taken(self, page: str, heading: str = "") -> None:
        """Checks that the steps are as many as the page promises below this heading, and shows them."""
        print(f"\n{page}: {len(self.steps)} steps", *(step.partition("\n")[0] for step in self.steps), sep="\n  ")
        assert promised_steps(sections(ROOT / page)[heading]) == len(self.steps)

    def leave(self) -> None:
        """Ends what still runs in other terminals."""
        for process in self._running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(30)


@contextmanager
def travelling(home: Path, **more: object) -> Iterator[Traveller]:
    """A person who leaves nothing running."""
    traveller = Traveller(home, **more)  # type: ignore[arg-type]
    try:
        yield traveller
    finally:
        traveller.leave()
