"""No worker does anything unjudged: a command is judged before it starts, and an agent starts only with our hooks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from supervisor.errors import NoReader, SupervisorError, Unreadable

if TYPE_CHECKING:
    from supervisor.adapters.function.guard import Guard
    from supervisor.adapters.hooks import Host
    from supervisor.engine.protocol import Engine
    from supervisor.evidence.shell import Script

_MOST = 1_000_000  # bytes of a script that is read for the programs that it runs
_TOOL = "bash"


class CommandGuard:
    """Judges commands as the policy in a file says, else as the environment does, and looks for the hooks of agents.
    `allows_unhooked` lets agents start on which our hooks are not installed."""

    def __init__(self, policy: Path | None = None, *, allows_unhooked: bool = False) -> None:
        self._policy, self.allows_unhooked = policy, allows_unhooked
        self._guard: Guard | None = None
        self._lock = threading.Lock()

    def open(self) -> None:
        """Opens the guard, which takes seconds where the taxonomy has not been verified yet. Raises SupervisorError."""
        from supervisor.engine.supervisor import Supervisor

        engine = self.engine
        if isinstance(engine, Supervisor):  # a daemon has started already
            engine.start()

    def close(self) -> None:
        """Closes the guard."""
        with self._lock:
            if self._guard is not None:
                self._guard.supervisor.close()

    @property
    def engine(self) -> Engine:
        """What decides. Raises SupervisorError if it cannot be opened."""
        return self._opened().supervisor

    def objection(
        self,
        task: str,
        command: tuple[str, ...],
        folder: Path,
        environment: Mapping[str, str],
        *,
        is_guarded: bool = False,
    ) -> str:
        """Why a command may not start; empty if it may. The task is what the command is for. `is_guarded` says that its
        driver guards the agent that it runs, so that no hooks need to be installed. Raises SupervisorError if that
        cannot be found out."""
        return self._judged(task, command, folder) or (
            "" if is_guarded else self._unhooked(command, folder, environment)
        )

    def is_needless(self, task: str, question: str, folder: Path) -> bool:
        """Whether a program asks something, in the words of an agent, that the task answers, and nothing else stands
        against it. Raises SupervisorError if that cannot be found out."""
        guard = self._opened()
        with guard.session(agent="supervisor", task=task, facts={"cwd": str(folder)}):
            decision = guard.check("ask_user", {"question": question}, waits="never")
        if not decision.allowed and not decision.by:
            raise SupervisorError(decision.reason, code="guard_failed")
        return not decision.allowed and decision.by == ("needless_question",)

    def _judged(self, task: str, command: tuple[str, ...], folder: Path) -> str:
        import shlex

        guard = self._opened()
        with guard.session(agent="supervisor", task=task, facts={"cwd": str(folder)}):
            decision = guard.check(_TOOL, {"command": shlex.join(command)}, waits="never")
        if decision.allowed:
            return ""
        if not decision.by:  # the guard itself has failed, which says nothing about the command
            raise SupervisorError(decision.reason, code="guard_failed")
        told = " ".join(filter(None, (decision.reason, decision.correction)))
        return f"the guard says {decision.verdict.label} ({', '.join(decision.by)}): {told}"

    def _unhooked(self, command: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> str:
        if self.allows_unhooked:
            return ""
        for program in agents_in(command, folder):
            if problem := _missing_hooks(program, folder, environment):
                return f"{program} would run unguarded: {problem}"
        return ""

    def _opened(self) -> Guard:
        with self._lock:
            if self._guard is None:
                self._guard = _open(self._policy)
            return self._guard


def _open(policy: Path | None) -> Guard:
    from supervisor.adapters.function.guard import Guard

    if policy is None:
        return Guard()
    from supervisor.engine.supervisor import Supervisor
    from supervisor.policy import read_policy

    return Guard(Supervisor(read_policy(policy)))


def agents_in(command: tuple[str, ...], folder: Path) -> list[str]:
    """The agents that a command runs, also inside of shells and of scripts."""
    from supervisor.evidence.machine.agents import AGENTS
    from supervisor.evidence.shell import read_script

    try:
        script: Script = read_script(list(command), str(folder), _reader(folder))
    except (Unreadable, NoReader):  # what cannot be read, the guard has judged as unreadable
        return []
    return sorted({each.program for each in script.named(*AGENTS)})


def _reader(folder: Path) -> Callable[[str], str | None]:
    """Reads the scripts that a command runs."""

    def look(path: str) -> str | None:
        file = folder / path
        try:
            return file.read_text(encoding="utf-8")[:_MOST] if file.stat().st_size <= _MOST else None
        except (OSError, UnicodeDecodeError):  # a program, or nothing at all
            return None

    return look


def _missing_hooks(program: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Why the hooks of an agent do not guard it; empty if they do, which is tried out."""
    from supervisor.adapters.hooks.canary import sing
    from supervisor.engine.guard_assets import installed

    host = _host_of(program)
    if host is None:
        return "it has no hooks"
    ours = {line for row in installed() if row["host"] == host.name for line in row["commands"]}
    problems = []
    for file in _settings(host, folder, environment):
        try:
            sing(host, file, ours)
        except SupervisorError as error:
            problems.append(str(error))
        else:
            return ""
    return problems[0]


def _host_of(program: str) -> Host | None:
    """The host whose program it is."""
    from supervisor.adapters.hooks import HOSTS

    return HOSTS.get(program.removesuffix("-agent"))


def _settings(host: Host, folder: Path, environment: Mapping[str, str]) -> list[Path]:
    """The settings that the agent will read: its user's, then its project's."""
    own = environment.get(host.home) if host.home else None
    user = Path(own) / host.file if own else host.settings(Path(environment.get("HOME", "/")))
    return [user, host.settings(folder)]
