"""DBOS does what the runtime relies on."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from supervisor.runtime.execution.engine import Queue
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.database import NoRuntime, Store
from supervisor.runtime.store.queries import show
from supervisor.runtime.tasks.spec import Spec
from tests.runtime.execution.running import Tasks, executor
from tests.runtime.processes.starting import only_linux


@pytest.fixture
def tasks(tmp_path: Path) -> Tasks:
    return Tasks(Store(f"sqlite:///{tmp_path / 'runtime.db'}"), tmp_path)


@only_linux
def test_an_executor_does_tasks_and_leaves_json_alone(tasks: Tasks, tmp_path: Path) -> None:
    """The engine's own serializer would be pickle: whoever writes to the database could run code."""
    id = tasks.add("print('done')")
    with executor(tasks.store, tmp_path):
        tasks.wait(id, "succeeded", "failed")
    assert tasks.log(id) == "done\n"
    with tasks.store.reading() as connection:
        inputs = connection.scalars(text("SELECT inputs FROM workflow_input")).all()
        outputs = connection.scalars(text("SELECT output FROM operation_outputs ORDER BY function_id")).all()
        assert set(connection.scalars(text("SELECT serialization FROM workflow_status"))) == {"portable_json"}
    assert [json.loads(each) for each in inputs] == [{"namedArgs": {}, "positionalArgs": [id, 1]}]
    outcome = {
        "ending": "succeeded",
        "reason": "",
        "exit_code": 0,
        "wait": 0.0,
        "spent": None,
        "question": None,
    }
    assert [json.loads(each) for each in outputs] == [{"outcome": outcome, "kept": ""}, None]
    assert [each["ending"] for each in show(tasks.store, id)["attempts"]] == ["succeeded"]


def test_a_task_and_what_the_engine_holds_are_stored_together_or_not_at_all(tasks: Tasks, tmp_path: Path) -> None:
    def fails(connection: object, enqueued: object) -> None:
        tasks.enqueue(connection, enqueued)  # type: ignore[arg-type]
        raise ValueError("afterwards")

    with pytest.raises(ValueError, match="afterwards"):
        add(tasks.store, fails, Spec(("true",), "/"), time.time())
    assert counted(tasks, "tasks") == counted(tasks, "workflow_status") == 0
    tasks.add("pass")
    assert counted(tasks, "tasks") == counted(tasks, "workflow_status") == 1


def counted(tasks: Tasks, table: str) -> int:
    with tasks.store.reading() as connection:
        return int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())


def test_without_the_engine_it_is_said_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dbos", None)
    with pytest.raises(NoRuntime, match=r"pip install 'supervisor-guard\[runtime\]'"):
        Queue(Store(f"sqlite:///{tmp_path / 'runtime.db'}"))
