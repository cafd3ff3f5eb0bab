"""The API against its own description: schemathesis makes requests of it, and judges every answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from supervisor.runtime.store.database import Store
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.service.tasks.routes import OPERATIONS
from tests.service.tasks.programs import ASKS, PEOPLE, Api

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed: pip install schemathesis")
_EXAMPLES = 20  # of each route, as it is described, and as many that are not


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    folder: Path = tmp_path_factory.mktemp("api")
    store = Store(f"sqlite:///{folder / 'runtime.db'}")
    with Api(store, folder) as made:
        yield made
    store.close()


def one_of_each(api: Api) -> list[str]:
    """Tasks in the states that answers differ by."""
    waiting, failed, running, queued = (api.add(on_failure=[]) for _ in range(4))
    api.played.attempt(waiting, ASKS)
    api.played.attempt(failed, Outcome(Ending.FAILED, "exit code 1", 1), printed="\x1b[31m\xff\0\n")
    agent = str(api.ask("POST", "/tasks", json={"driver": "claude", "prompt": "tidy up", "folder": "/"})["id"])
    for each in (running, agent):
        api.played.begin(each)
    return [waiting, failed, running, queued, agent]


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_every_answer_is_as_the_document_says(api: Api, operation: Any, mode: str) -> None:
    described = schemathesis.openapi.from_asgi("/v1/openapi.json", api.app, headers={"Host": "127.0.0.1:8652"})
    described.config.base_url = str(api.base_url)
    known, turns, statuses = one_of_each(api), count(), Counter[int]()
    waiting = known[0]
    (question,) = [each["id"] for each in api.ask("GET", "/questions")["questions"] if each["task"] == waiting]

    @settings(
        max_examples=_EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=described[operation.path][operation.method].as_strategy(schemathesis.GenerationMode(mode)))
    def asked(case: Any) -> None:
        turn = next(turns)
        if mode == "positive" and "id" in case.path_parameters and turn % 3:
            case.path_parameters["id"] = known[turn % len(known)]
            if operation.name == "answer_task" and case.path_parameters["id"] == waiting:
                case.body |= {"question": question, "answer": "deny"}
        answer = case.call(headers={"Authorization": f"Bearer {PEOPLE}"})
        statuses[answer.status_code] += 1
        case.validate_response(answer, headers={"Authorization": f"Bearer {PEOPLE}"})

    asked()
    print(f"{operation.name}, {mode}: {dict(statuses)}")
    assert statuses.total() >= _EXAMPLES / 2
    assert mode == "negative" or statuses[200] > 0
