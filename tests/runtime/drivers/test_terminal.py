"""Real commands on a terminal: the needless prompts are answered, the others are a person's."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from supervisor.runtime.drivers.driver import Control, Job
from supervisor.runtime.drivers.shell import ShellDriver
from supervisor.runtime.processes.containment import detect
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import Given, Question
from supervisor.runtime.tasks.spec import Spec
from tests.runtime.processes.starting import only_linux

pytestmark = [only_linux, pytest.mark.thorough]  # a prompt is one after a second of silence


class Terminal:
    """Attempts of one command."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number = folder, 0
        self.used: list[str] = []
        self.judged: list[str] = []
        self.driver = ShellDriver(every=0.1, is_needless=self.is_needless)

    def is_needless(self, task: str, question: str, folder: Path) -> bool:
        self.judged.append(question)
        return question.endswith("Continue?") and "delet" not in question

    def use(self, answer: str) -> bool:
        self.used.append(answer)
        return True

    def run(self, program: str, previous: Outcome | None = None, answer: str = "") -> tuple[Outcome, str]:
        """How an attempt ends, and what it has printed."""
        self.number += 1
        plan, log = Tree.planned(new_marker(), detect()), self.folder / f"{self.number}.log"
        spec = Spec((sys.executable, "-I", "-S", "-c", program), str(self.folder), title="Tidy up", pty=True)
        job = Job(
            "task", self.number, spec, plan, self.folder, log, self.folder, Control(), previous, lambda tree: None
        )
        if previous is not None and previous.question is not None and answer:
            asked = previous.question
            given = Given(f"q{self.number}", asked.digest, asked.about, answer, "Ada", is_text=not asked.choices)
            job = replace(job, given=given, use=self.use)
        outcome = self.driver.run(job)
        assert not plan.members()
        return outcome, log.read_text()


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


ASKS = """
import os
print('Reading'); print(os.isatty(0), os.isatty(1), os.environ['TERM'])
said = [input(line) for line in ('Continue? [Y/n] ', 'Delete 3 files? [y/N] ', 'Which remote? ')]
print(__import__('json').dumps(said))
"""


def test_a_person_answers_what_the_task_does_not(terminal: Terminal) -> None:
    """The command begins again for each question, and is typed what was answered before. No process waits."""
    first, log = terminal.run(ASKS)
    assert (first.ending, "True True dumb" in log) == (Ending.PARKED, True)
    assert first.question is not None
    assert (first.question.choices, first.question.about) == (("yes", "no"), "Delete 3 files? [y/N]")
    assert terminal.judged == ["Reading. True True dumb. Continue?"]
    second, _ = terminal.run(ASKS, first, "no")
    assert second.question == Question(
        "It asks at its terminal:\nWhich remote?",
        (),
        (second.question and second.question.digest) or "",
        "Which remote?",
    )
    third, log = terminal.run(ASKS, second, "origin\nx")
    assert third.ending is Ending.SUCCEEDED
    assert json.loads(log.splitlines()[-1]) == ["y", "n", "origin x"]
    assert terminal.used == ["q2", "q3"]


def test_an_answer_counts_for_the_next_attempt_alone(terminal: Terminal) -> None:
    first, _ = terminal.run(ASKS)
    second, _ = terminal.run(ASKS, first, "yes")
    later, _ = terminal.run(ASKS, Outcome(Ending.PREEMPTED, "why"))
    assert (second.question and second.question.about, later.question) == ("Which remote?", first.question)


def test_a_secret_is_asked_for_at_the_terminal_and_typed_by_nobody(terminal: Terminal) -> None:
    outcome, _ = terminal.run("import getpass; print(getpass.getpass('Password: '))")
    assert outcome.question is not None
    assert (outcome.question.choices, "secret" in outcome.question.text) == (("retry", "give-up"), True)
    again, log = terminal.run("import getpass; print(getpass.getpass('Password: '))", outcome, "retry")
    assert (again.ending, "retry" in log, terminal.used) == (Ending.PARKED, False, [])


def test_a_command_that_asks_nothing_ends_by_itself(terminal: Terminal) -> None:
    """Also one that is silent in the middle of a line, for as long as it works."""
    program = (
        "import time; print('Resolving host: ', end='', flush=True); time.sleep(1.5); print('ok'); raise SystemExit(3)"
    )
    outcome, log = terminal.run(program)
    assert (outcome, log) == (Outcome(Ending.FAILED, "exit code 3", 3), "Resolving host: ok\n")
