"""A task as it is handed in: checked values, or one clear error."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from supervisor.errors import BadInput
from supervisor.policy.spending import Cap
from supervisor.runtime.tasks.policy import FailurePolicy

MOST_URGENT, USUAL, LEAST_URGENT = 0, 5, 9
MAX_DEPTH = 3  # of tasks that add tasks: each level costs a hop, and a failure more to explain
_MAX_WORDS, _MAX_BYTES, _MAX_TITLE = 10_000, 120_000, 200
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = "SUPERVISOR_"
_MAX_PROMPT = 100_000  # characters
Driver = Literal["shell", "claude", "codex", "acp"]
PROGRAMS: Mapping[str, tuple[str, ...]] = {"claude": ("claude",), "codex": ("codex",)}  # what a driver runs by default


@dataclass(frozen=True, slots=True)
class Spec:
    """What is to be done, and how.

    - `command`: a program and its arguments; no shell reads them.
    - `driver`: how the program is driven: as any command (`shell`), or as an agent, which is given the `prompt`.
    - `pty`: a command gets a terminal, at which it may ask: needless prompts are answered, the others are a person's.
    - `folder`: where it runs, an absolute path. With `worktree`, the task gets a git worktree of the repository there.
    - `environment`: variables beside those of the executor.
    - `pool`: the workers that may do it. `priority`: 0 is the most urgent, 9 the least. `preemptible`: it may be
      interrupted for a more urgent task, and goes on later.
    - `deadline`: in seconds since 1970; the task fails if it is not done by then. `timeout`: seconds for one attempt.
    - `key`: while a task with this key is open, no second one is added.
    - `cap`: what it may spend. `tree_cap`: what it may spend together with all tasks that it adds.
    - `after`: tasks that have to succeed first. `parent`: the task that adds this one.
    """

    command: tuple[str, ...]
    folder: str
    title: str = ""
    driver: Driver = "shell"
    prompt: str = ""
    pty: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    worktree: bool = False
    pool: str = "default"
    priority: int = USUAL
    preemptible: bool = False
    deadline: float | None = None
    timeout: float | None = None
    key: str | None = None
    after: tuple[str, ...] = ()
    parent: str | None = None
    policy: FailurePolicy = field(default_factory=FailurePolicy)
    cap: Cap = field(default_factory=Cap)
    tree_cap: Cap = field(default_factory=Cap)

    def __post_init__(self) -> None:
        """Raises BadInput."""
        _check_command(self.command)
        if not Path(self.folder).is_absolute():
            raise BadInput("is no absolute path", place=self.folder)
        for name, value in self.environment.items():
            _check_variable(name, value)
        check_name(self.pool, "pool")
        if not MOST_URGENT <= self.priority <= LEAST_URGENT:
            raise BadInput(f"is from {MOST_URGENT} to {LEAST_URGENT}", place="priority")
        for name, seconds in (("deadline", self.deadline), ("timeout", self.timeout)):
            if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
                raise BadInput("is a time above 0", place=name)
        for text, most, place in ((self.title, _MAX_TITLE, "title"), (self.prompt, _MAX_PROMPT, "prompt")):
            if len(text) > most:
                raise BadInput(f"has at most {most:,} characters", place=place)
        for cap in (self.cap, self.tree_cap):
            for amount in (cap.dollars, cap.tokens):
                if amount is not None and not 0 <= amount < math.inf:
                    raise BadInput("is 0 or more", place="cap")
        if self.driver not in get_args(Driver):
            raise BadInput(f"is none of {', '.join(get_args(Driver))}", place="driver")
        if (self.driver == "shell") == bool(self.prompt.strip()):
            raise BadInput("is what an agent is asked to do: an agent needs one, a command has none", place="prompt")

        if self.pty and self.driver != "shell":
            raise BadInput("is for commands: an agent is spoken to by its driver", place="pty")

    def to_json(self) -> dict[str, Any]:
        told = {name: getattr(self, name) for name in _PLAIN}
        more = {"command": list(self.command), "after": list(self.after), "environment": dict(self.environment)}
        caps = {"cap": asdict(self.cap), "tree_cap": asdict(self.tree_cap)}
        return {**told, **more, **caps, "policy": self.policy.to_json()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Spec:
        lists = {"command": tuple(stored["command"]), "after": tuple(stored["after"])}
        policy = FailurePolicy.from_json(stored["policy"])
        caps = {name: Cap(**stored.get(name, {})) for name in ("cap", "tree_cap")}
        return cls(**{**stored, **lists, **caps, "policy": policy})

    @property
    def shown_title(self) -> str:
        """The title, or else the prompt or the command."""
        return self.title or (" ".join(self.prompt.split()) or " ".join(self.command))[:_MAX_TITLE]


_PLAIN = (
    *(
        "folder",
        "title",
        "driver",
        "prompt",
        "pty",
        "worktree",
        "pool",
        "priority",
        "preemptible",
        "deadline",
        "timeout",
    ),
    *("key", "parent"),
)


def check_name(name: str, place: str) -> None:
    """Raises BadInput for what is no name of a pool or worker."""
    if not _NAME.fullmatch(name):
        raise BadInput("is no name: up to 40 lower-case letters, digits, hyphens and underscores", place=place)


def _check_command(command: tuple[str, ...]) -> None:
    if not command or not command[0]:
        raise BadInput("names no program", place="command")
    if len(command) > _MAX_WORDS or sum(len(word.encode(errors="surrogatepass")) for word in command) > _MAX_BYTES:
        raise BadInput(f"has at most {_MAX_WORDS:,} words and {_MAX_BYTES:,} bytes", place="command")
    if any("\0" in word for word in command):
        raise BadInput("contains a NUL character", place="command")


def _check_variable(name: str, value: str) -> None:
    if not _VARIABLE.fullmatch(name) or "\0" in value:
        raise BadInput("is no variable", place=name)
    if name.startswith(_RESERVED):
        raise BadInput("belongs to the supervisor", place=name)
