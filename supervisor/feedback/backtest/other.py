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
from typing import Any, NamedTuple, Protocol

import orjson

from supervisor.action import Action, Context
from supervisor.engine.supervisor import Supervisor
from supervisor.engine.workers.fork_client import interpreter
from supervisor.errors import BadInput, SupervisorError
from supervisor.feedback.backtest.settings import Settings
from supervisor.history import step_to_json
from supervisor.intake.json_values import plain
from supervisor.policy import Policy
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
def other_of(settings: Settings, engine: Callable[[str], Supervisor]) -> Iterator[Other | None]:
    """The other version for one file: an engine under another policy, or a process; None if there is none."""
    if settings.version:
        with _OtherVersion.started(settings.version, settings.policy) as process:
            yield process
    elif settings.against:
        yield _OtherPolicy(engine(settings.against))
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
    """`supervisor check --jsonl` of another version, under the same policy."""

    def __init__(self, process: subprocess.Popen[bytes], version: str, errors: Path) -> None:
        self._process = process
        self._version = version
        self._errors = errors

    @classmethod
    @contextlib.contextmanager
    def started(cls, version: str, policy: str) -> Iterator[_OtherVersion]:
        """The process runs in an empty folder, so that it imports no module of this version."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_TOLD)}
        if Path(version).is_dir():
            environment["PYTHONPATH"] = version
        with tempfile.TemporaryDirectory() as folder:
            stated, errors = Path(folder, "policy.yaml"), Path(folder, "errors")
            stated.write_bytes(orjson.dumps(_stated(policy)))
            arguments = [*command_of(version), "-m", "supervisor", "check", "--jsonl", "--policy", str(stated)]
            pipe = subprocess.PIPE
            with (
                errors.open("wb") as file,
                subprocess.Popen(
                    arguments, env=environment, cwd=folder, stdin=pipe, stdout=pipe, stderr=file
                ) as process,
            ):
                yield cls(process, version, errors)
                if process.stdin is not None:
                    process.stdin.close()

    def verdict(self, action: Action, context: Context) -> OtherVerdict:
        """Raises OtherFailed if the process has ended or cannot judge the action: a comparison with holes proves
        nothing."""
        history = [step_to_json(step) for step in list(context.history)[-_MOST_STEPS:]]
        told = {**context.facts, "task": context.task, "history": [_known(each) for each in history]}
        line = orjson.dumps({"id": 1, "tool": action.tool, "args": plain(action.args), "context": plain(told)})
        try:
            answer = orjson.loads(self._asked(line + b"\n"))
            verdict = Verdict.named(answer["verdict"])
            by = (each["specialist"] for each in answer["findings"] if each["verdict"] == verdict.label)
            return OtherVerdict(verdict, tuple(by))
        except (OSError, ValueError, KeyError) as error:
            told_last = self._errors.read_text(errors="replace").strip().rpartition("\n")[2]
            raise OtherFailed(f"it gave no decision: {told_last or error}", place=self._version) from None

    def _asked(self, line: bytes) -> bytes:
        if self._process.stdin is None or self._process.stdout is None:
            raise OSError("its process has no pipes")
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return self._process.stdout.readline()


def _known(step: dict[str, object]) -> dict[str, object]:
    return {name: step[name] for name in ("tool", "args", "output")}


def _stated(policy: str) -> dict[str, Any]:
    """What a policy states beyond the defaults, so that an older version need not know the rest; it records nothing."""
    usual: dict[str, Any] = orjson.loads(orjson.dumps(Policy().to_json(), default=str))
    stated = _differing(orjson.loads(policy), usual)
    return {**stated, "records": {**stated.get("records", {}), "path": None}}


def _differing(values: dict[str, Any], usual: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in values.items():
        known = usual.get(name)
        if isinstance(value, dict) and isinstance(known, dict):
            if inner := _differing(value, known):
                found[name] = inner
        elif value != known:
            found[name] = value
    return found


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
