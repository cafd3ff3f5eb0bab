"""The model door against a real server that speaks the OpenAI protocol, well and badly."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Answer
from supervisor.doors.model import UNMEASURED, Model, _answer, _request, _warn
from supervisor.errors import DoorFailed
from supervisor.policy.doors import ModelDoor
from tests.doors.loopback import send, serving


def completion(said: Any, logprobs: Any = None) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": said}, "logprobs": logprobs}]}


def first_token(**probabilities: float) -> dict[str, Any]:
    heard = [{"token": token, "logprob": math.log(share)} for token, share in probabilities.items()]
    return {"content": [{"token": "x", "top_logprobs": heard}]}


async def asked(respond: Callable[[dict[str, Any]], tuple[int, Any]], **settings: Any) -> tuple[Answer, list[Any]]:
    """The door's answer from a server that responds so, and the requests that the server saw."""
    seen: list[Any] = []

    def handle(handler: BaseHTTPRequestHandler) -> None:
        request = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        seen.append((handler.path, dict(handler.headers), request))
        status, body = respond(request)
        send(handler, body if isinstance(body, bytes) else json.dumps(body).encode(), status)

    with serving(handle) as port:
        door = ModelDoor(f"http://127.0.0.1:{port}/v1", **{"name": "small", "timeout_ms": 5000, **settings})
        return await Model(door).ask("Is it so?", {"claim": "It is."}), seen


async def code_of(respond: Callable[[dict[str, Any]], tuple[int, Any]], **settings: Any) -> str:
    with pytest.raises(DoorFailed) as failed:
        await asked(respond, **settings)
    return failed.value.code


@pytest.mark.parametrize(
    ("said", "yes"),
    [("yes", True), ("Yes.", True), (" YES\n", True), ("no", False), ("**No**", False), ("'no'", False)],
)
@pytest.mark.anyio
async def test_hears_yes_and_no(said: str, yes: bool) -> None:
    answer, _ = await asked(lambda _: (200, completion(said)))
    assert answer == Answer(yes, UNMEASURED)


@pytest.mark.parametrize(
    "said", ["", None, "maybe", "yes and no", "Yes, because", "nope", "ja", 1, ["yes"], "y" * 1000]
)
@pytest.mark.anyio
async def test_hears_nothing_else(said: Any) -> None:
    assert await code_of(lambda _: (200, completion(said))) == "not_yes_or_no"


@pytest.mark.anyio
async def test_confidence_is_the_share_of_the_answer() -> None:
    answer, _ = await asked(lambda _: (200, completion("Yes", first_token(Yes=0.5, yes=0.1, No=0.2, Maybe=0.2))))
    assert answer.yes
    assert answer.confidence == pytest.approx(0.75)


@pytest.mark.anyio
async def test_confidence_is_never_less_than_a_half() -> None:
    answer, _ = await asked(lambda _: (200, completion("no", first_token(yes=0.9, no=0.1))))
    assert answer == Answer(False, 0.5)


@pytest.mark.parametrize("logprobs", [[], {"content": []}, {"content": [{"top_logprobs": [{"token": "yes"}]}]}, "much"])
@pytest.mark.anyio
async def test_odd_probabilities_are_no_probabilities(logprobs: Any) -> None:
    answer, _ = await asked(lambda _: (200, completion("yes", logprobs)))
    assert answer == Answer(True, UNMEASURED)


@pytest.mark.anyio
async def test_a_server_without_probabilities_is_asked_again() -> None:
    answer, seen = await asked(lambda request: (400, {}) if "logprobs" in request else (200, completion("no")))
    assert answer == Answer(False, UNMEASURED)
    assert len(seen) == 2


@pytest.mark.anyio
async def test_asks_one_question_and_names_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_KEY", "k-1")
    _, [(path, headers, request)] = await asked(lambda _: (200, completion("yes")), key_env="MODEL_KEY")
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer k-1"
    assert (request["model"], request["temperature"], request["seed"]) == ("small", 0, 0)


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b'{"choices": []}', b"[" * 10_000, b"x" * 100_000])
@pytest.mark.anyio
async def test_a_garbled_completion_is_an_error(body: bytes) -> None:
    assert await code_of(lambda _: (200, body)) == "model_error"


@pytest.mark.parametrize("status", [400, 401, 429, 500])
@pytest.mark.anyio
async def test_an_error_of_the_server_is_an_error(status: int) -> None:
    assert await code_of(lambda _: (status, {})) == "model_error"


@pytest.mark.anyio
async def test_a_server_that_hangs_is_left_at_the_deadline() -> None:
    def hang(_: Any) -> tuple[int, Any]:
        time.sleep(0.4)
        return 200, completion("yes")

    assert await code_of(hang, timeout_ms=100) == "model_timeout"


@pytest.mark.anyio
async def test_no_model_and_no_server() -> None:
    with pytest.raises(DoorFailed) as failed:
        await Model(ModelDoor()).ask("Is it so?", {})
    assert failed.value.code == "no_model"
    with pytest.raises(DoorFailed) as failed:
        await Model(ModelDoor("http://127.0.0.1:1/v1")).ask("Is it so?", {})
    assert failed.value.code == "model_unreachable"


@given(st.text(max_size=200))
def test_material_stays_inside_its_one_line(text: str) -> None:
    asked = _request("m", "Is it so?", {"source": text})["messages"][1]["content"]
    before, quoted, *after = asked.split("\n")
    assert (before, after) == ("Material:", ["", "Question: Is it so?", "Answer yes or no."])
    assert json.loads(quoted) == {"source": text}


@given(
    st.recursive(
        st.none() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["message", "content", "logprobs", "top_logprobs", "token", "logprob"]), inner
            )
        ),
    )
)
def test_whatever_the_server_sends_is_an_answer_or_a_failure(choice: Any) -> None:
    try:
        answer = _answer(choice)
    except DoorFailed as failed:
        assert failed.code == "not_yes_or_no"  # noqa: PT017 - either is right
    else:
        assert 0.5 <= answer.confidence <= 1


@pytest.mark.anyio
async def test_that_no_model_is_configured_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    _warn.cache_clear()
    for _ in range(3):
        with pytest.raises(DoorFailed):
            await Model(ModelDoor()).ask("Is it so?", {})
    (said,) = caplog.records
    assert (said.levelname, said.name) == ("WARNING", "supervisor.doors.model")
    assert "doors.model.url" in said.getMessage()
