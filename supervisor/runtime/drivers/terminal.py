"""Answers the prompts of a command on a terminal: the needless ones at once, the others as a person says.

A process cannot wait for a person. So a prompt for a person ends the attempt; the next one begins the command again,
and types the answer, and those before it, where the same prompts come.
"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio import to_thread

from supervisor.errors import SupervisorError
from supervisor.runtime.drivers.agents.notes import masked, write_private
from supervisor.runtime.drivers.driver import Job
from supervisor.runtime.drivers.prompts import Kind, Prompt, prompt_in
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import GIVE_UP, RETRY, Question, digest_of

_log = logging.getLogger(__name__)
_QUIET = 1.0  # seconds without output, after which the end of the output may be a prompt
_LOOK = 0.1  # seconds between two looks
_READ = 8_000  # characters of the output that may tell what a prompt is about
_SHOWN = 2_000  # characters of it in a question
_MOST_NEEDLESS = 100  # prompts of one attempt that are answered without a person
_FILE = "answers.json"
_DIGITS = re.compile(r"\d+")
Judge = Callable[[str, str, Path], bool]


@dataclass(slots=True)
class Prompts:
    """The prompts of one attempt. `is_needless` says whether a question, asked at a task in a folder, is one that the
    task answers. `outcome` is set when the attempt has to end for a person."""

    job: Job
    is_needless: Judge
    outcome: Outcome | None = None
    _shown: str = ""
    _typed: str = ""
    _since: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _given: dict[str, str] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)
    _needless: int = 0

    def __post_init__(self) -> None:
        """What was answered before counts for a command that was ended for its next question, and for no other one."""
        previous = self.job.previous
        if previous is not None and previous.ending is Ending.PARKED:
            self._given = _read(self._file)
        self._file.unlink(missing_ok=True)

    def hear(self, chunk: bytes) -> None:
        """Takes in what the command prints, in any thread."""
        with self._lock:
            self._shown = (self._shown + chunk.decode(errors="replace"))[-_READ:]
            self._since = time.monotonic()

    async def run(
        self, hides: Callable[[], bool], put: Callable[[str], None], end: Callable[[], Awaitable[None]]
    ) -> None:
        """Answers until there is a prompt for a person: then the command is ended."""
        while self.outcome is None:
            await anyio.sleep(_LOOK)
            prompt = self._waits(hides)
            if prompt is None:
                continue
            line = await to_thread.run_sync(self._answer, prompt)
            if line is None:
                await end()
                return
            with self._lock:
                self._shown, self._typed = "", f"{line}\n"  # so that one prompt is answered once
            await to_thread.run_sync(put, line)

    def _waits(self, hides: Callable[[], bool]) -> Prompt | None:
        with self._lock:
            is_quiet, shown = time.monotonic() - self._since >= _QUIET, self._shown
        shown = shown.replace("\r\n", "\n").removeprefix(self._typed)  # which the terminal shows, too
        return prompt_in(shown, hides=hides()) if is_quiet and shown else None

    def _answer(self, prompt: Prompt) -> str | None:
        """The line to type; None if a person has to be asked, which is the outcome then."""
        self._times[prompt.line] += 1
        said = _DIGITS.sub("0", "\n".join(prompt.before))  # times and figures differ each time that the command runs
        about = {"command": list(self.job.spec.command), "prompt": prompt.line, "time": self._times[prompt.line]}
        about["before"] = said
        digest = digest_of("terminal", about)
        if prompt.kind is not Kind.SECRET and (given := self._given_to(digest)) is not None:
            return prompt.typed(given)
        if prompt.may_be_needless and self._needless < _MOST_NEEDLESS and self._judged(prompt):
            self._needless += 1
            return prompt.typed("yes")
        write_private(self._file, json.dumps(self._given))
        question = _question(prompt, digest)
        self.outcome = Outcome(Ending.PARKED, question.text, question=question)
        return None

    def _given_to(self, digest: str) -> str | None:
        """What a person has answered to this prompt: just now, or before the command was ended for its next one."""
        given = self.job.given
        if digest not in self._given and given is not None and given.digest == digest and self.job.use(given.id):
            self._given[digest] = given.answer
        return self._given.get(digest)

    def _judged(self, prompt: Prompt) -> bool:
        """A guard that fails leaves the answer to a person."""
        try:
            return self.is_needless(self.job.spec.shown_title, prompt.question, self.job.folder)
        except SupervisorError as error:
            _log.warning("a prompt could not be judged: %s", error)
            return False

    @property
    def _file(self) -> Path:
        return self.job.home / _FILE


def _question(prompt: Prompt, digest: str) -> Question:
    shown = masked("\n".join([*prompt.before, prompt.line])[-_SHOWN:], _SHOWN)
    if prompt.kind is Kind.SECRET:
        told = f"It asks for a secret, which is not for a task to type:\n{shown}\nTry again, if it asks no more?"
        return Question(told, (RETRY, GIVE_UP), digest, masked(prompt.line))
    choices = ("yes", "no") if prompt.kind is Kind.YES_NO else ("go on",) if prompt.kind is Kind.ENTER else ()
    return Question(f"It asks at its terminal:\n{shown}", choices, digest, masked(prompt.line))


def _read(file: Path) -> dict[str, str]:
    """What was answered before; nothing if that cannot be read: then a person is asked again."""
    try:
        stored = json.loads(file.read_bytes())
        return {str(digest): str(answer) for digest, answer in stored.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        _log.warning("%s: earlier answers are lost: %s", file, error)
        return {}
