"""The other version that a backtest compares with: another policy, or another version of this program.

Another version runs in a process of its own, since two cannot be imported side by side. It gets the same actions by
`supervisor check --jsonl`.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import orjson

from supervisor.action import Action, Context
from supervisor.engine.supervisor import Supervisor
from supervisor.engine.workers.fork_client import interpreter
from supervisor.errors import BadInput, SupervisorError
from supervisor.history import step_to_json
from supervisor.intake.json_values import plain
from supervisor.verdict import Verdict

_NOT_TOLD = ("SUPERVISOR_", "PYTHON")  # this version's settings and modules
_MOST_STEPS = 200  # of a history that another process is told


class OtherFailed(SupervisorError):
    """The other version gives no answer."""

    code = "other_failed"


class OtherVerdict(NamedTuple):
    """A verdict, and the specialists that decided it."""

    verdict: Verdict
    by: tuple[str, ...]


class Other(Protocol):
    """Judges the same actions in another way."""

    def verdict(self, action: Action, context: Context) -> OtherVerdict: ...


@contextlib.contextmanager
def other_of(policy: str, version: str, engine: Callable[[str], Supervisor]) -> Iterator[Other | None]:
    """The other version for one session: an engine under another policy, or a process; None if there is none."""
    if version:
        with _process(version) as process:
            yield _OtherVersion(process, version)
    elif policy:
        yield _OtherPolicy(engine(policy))
    else:
        yield None


class _OtherPolicy:
    def __init__(self, engine: Supervisor) -> None:
        self._engine = engine

    def verdict(self, action: Action, context: Context) -> OtherVerdict:
        again = self._engine.action(action.tool, action.args)  # evidence of the first judgement is not shared
        decision = self._engine.decide_from_thread(again, context)
        return OtherVerdict(decision.verdict, decision.by)


class _OtherVersion:
    def __init__(self, process: subprocess.Popen[bytes], version: str) -> None:
        self._process = process
        self._version = version

    def verdict(self, action: Action, context: Context) -> OtherVerdict:
        """Raises OtherFailed if the process has ended or cannot judge the action."""
        given, taken = self._process.stdin, self._process.stdout
        history = [step_to_json(step) for step in list(context.history)[-_MOST_STEPS:]]
        told = {**context.facts, "task": context.task, "history": [_known(each) for each in history]}
        line = orjson.dumps({"id": 1, "tool": action.tool, "args": plain(action.args), "context": plain(told)})
        if given is None or taken is None:
            raise OtherFailed("its process has no pipes", place=self._version)
        try:
            given.write(line + b"\n")
            given.flush()
            answer = orjson.loads(taken.readline())
            verdict = Verdict.named(answer["verdict"])
        except (OSError, ValueError, KeyError) as error:
            raise OtherFailed(f"it gave no decision: {error}", place=self._version) from None
        by = (each["specialist"] for each in answer["findings"] if each["verdict"] == verdict.label)
        return OtherVerdict(verdict, tuple(by))


def _known(step: dict[str, object]) -> dict[str, object]:
    return {name: step[name] for name in ("tool", "args", "output")}


@contextlib.contextmanager
def _process(version: str) -> Iterator[subprocess.Popen[bytes]]:
    """`supervisor check --jsonl` of another version, without a policy of the user and without records."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_TOLD)}
    if Path(version).is_dir():
        environment["PYTHONPATH"] = version
    arguments = [*command_of(version), "-m", "supervisor", "check", "--jsonl"]
    with (
        tempfile.TemporaryDirectory() as nowhere,
        subprocess.Popen(
            arguments,
            env=environment,
            cwd=nowhere,  # so that no module of this folder is imported instead of the other version's
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process,
    ):
        yield process
        if process.stdin is not None:
            process.stdin.close()


def command_of(version: str) -> list[str]:
    """The interpreter of another version: the one that is named, that of the environment in its folder, or this one
    with the folder's modules. Raises BadInput if there is none."""
    path = Path(version)
    inside = path / ".venv" / "bin" / "python"
    if path.is_file() and os.access(path, os.X_OK):
        return [str(path)]
    if inside.exists():
        return [str(inside)]
    if (path / "supervisor" / "__init__.py").is_file():
        return interpreter()
    raise BadInput(
        "is no policy, no folder with another version and no interpreter that has one", place=version, code="no_version"
    )
