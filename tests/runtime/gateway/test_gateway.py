"""The gateway passes on, counts, refuses, and keeps the key to itself: over loopback HTTP, with a scripted model."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.gateway.providers import Route, upstreams_of
from supervisor.runtime.gateway.server import Gateway
from supervisor.runtime.gateway.usage import Stream, spent_by, spent_in
from supervisor.runtime.tasks.usage import Meter, Spent, total
from tests.hosts.model_server import Model, Tokens, model

KEY = "sk-ant-real-0123456789"
WHERE = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "", "/v1/messages"),
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1", "/responses"),
    "google": ("GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "", "/v1beta/models/m:streamGenerateContent"),
}
HEADER = {"anthropic": "x-api-key", "openai": "authorization", "google": "x-goog-api-key"}


@dataclass
class Pays:
    """Counts, and refuses when it is told to."""

    why: str = ""
    meter: Meter = field(default_factory=Meter)
    limits: list[float | None] = field(default_factory=list)

    def refusal(self, provider: str) -> str:
        return self.why

    def paid(self, provider: str, request: str, model: str, spent: Spent) -> None:
        self.meter.note(request, model, spent)

    def limited(self, provider: str, seconds: float | None) -> None:
        self.limits.append(seconds)


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    made = Gateway()
    yield made
    made.close()


def environment(provider: str, scripted: Model) -> dict[str, str]:
    key, base, below, _ = WHERE[provider]
    return {key: KEY, base: scripted.url + below}


def ask(route: Route, provider: str, **more: Any) -> httpx.Response:
    """Asks as a program would that reads its environment."""
    token = route.environment[WHERE[provider][0]]
    headers = {HEADER[provider]: f"Bearer {token}" if provider == "openai" else token}
    body = {"model": "m", "stream": True, "messages": [], "input": [], "contents": [], **more}
    with httpx.Client(trust_env=False) as client:
        return client.post(route.environment[WHERE[provider][1]] + WHERE[provider][3], json=body, headers=headers)


@pytest.mark.parametrize("provider", WHERE)
def test_it_passes_on_with_the_real_key_and_counts(
    provider: str, gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    pays = Pays()
    with model() as scripted, gateway.routes(pays, environment(provider, scripted)) as routes:
        scripted.tokens = lambda number: Tokens(1000 + number, 300, 0 if provider != "anthropic" else 50, 20 + number)
        assert KEY not in str(routes)
        for _ in range(3):
            assert "data:" in ask(routes[provider], provider).text
        counted = [Spent(each.input, each.cached, each.output, stored=each.stored) for each in scripted.counted]
        assert pays.meter.usage() == {"m": sum(counted, Spent())}
        assert scripted.keys == {"", f"Bearer {KEY}" if provider == "openai" else KEY}
    assert KEY not in caplog.text


@pytest.mark.parametrize("provider", WHERE)
def test_it_refuses_before_the_provider_hears_of_it(provider: str, gateway: Gateway) -> None:
    pays = Pays("task 1 has spent $5.00, and may spend $5.00")
    with model() as scripted, gateway.routes(pays, environment(provider, scripted)) as routes:
        answer = ask(routes[provider], provider)
        assert (answer.status_code, answer.headers["x-should-retry"]) == (429, "false")
        assert answer.json()["error"]["message"] == f"Supervisor: {pays.why}"
        assert scripted.requests == []


def test_a_token_is_good_for_one_worker_as_long_as_it_runs(gateway: Gateway) -> None:
    with model() as scripted:
        with (
            gateway.routes(Pays(), environment("anthropic", scripted)) as first,
            gateway.routes(Pays(), environment("openai", scripted)) as second,
        ):
            assert ask(first["anthropic"], "anthropic").status_code == 200
            wrong = Route("anthropic", "", "", {**first["anthropic"].environment, "ANTHROPIC_API_KEY": "guessed"})
            other = Route("anthropic", "", "", {**wrong.environment, "ANTHROPIC_API_KEY": second["openai"].token})
            assert [ask(each, "anthropic").status_code for each in (wrong, other)] == [401, 401]
        assert ask(first["anthropic"], "anthropic").status_code == 401
        assert len(scripted.requests) == 1


@pytest.mark.parametrize(
    ("header", "told", "ends"),
    [({"retry-after": "3"}, 3.0, None), ({"retry-after": "7200"}, 7200.0, "false"), ({}, None, None)],
)
def test_a_limit_of_the_provider_is_noticed(
    header: Mapping[str, str], told: float | None, ends: str | None, gateway: Gateway
) -> None:
    """Where it is short, the program may wait for its end by itself."""
    pays = Pays()
    with model() as scripted, gateway.routes(pays, environment("anthropic", scripted)) as routes:
        scripted.limited = {1: header}
        answer = ask(routes["anthropic"], "anthropic")
        assert (answer.status_code, answer.headers.get("x-should-retry"), pays.limits) == (429, ends, [told])
        assert pays.meter.usage() == {}


def test_a_provider_that_cannot_be_reached_is_told_without_its_address(gateway: Gateway) -> None:
    own = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    with gateway.routes(Pays(), own) as routes:
        answer = ask(routes["anthropic"], "anthropic")
    assert (answer.status_code, answer.headers["x-should-retry"]) == (502, "false")
    assert answer.json()["error"]["message"] == "Supervisor: the provider cannot be asked: ConnectError"


def test_google_s_key_may_stand_in_the_address(gateway: Gateway) -> None:
    with model() as scripted, gateway.routes(Pays(), environment("google", scripted)) as routes:
        route = routes["google"]
        with httpx.Client(trust_env=False) as client:
            answer = client.post(f"{route.base}{WHERE['google'][3]}", params={"key": route.token}, json={})
        assert answer.status_code == 200
        assert KEY in scripted.keys


def test_a_worker_has_tokens_in_place_of_keys_and_asks_past_its_proxy(gateway: Gateway) -> None:
    own = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_AUTH_TOKEN": f"{KEY}2", "OPENAI_API_KEY": "", "NO_PROXY": "localhost"}
    assert [each.base for each in upstreams_of(own)] == ["https://api.anthropic.com"]
    with gateway.routes(Pays(), own) as routes:
        changed = routes["anthropic"].environment
    assert {changed["ANTHROPIC_API_KEY"], changed["ANTHROPIC_AUTH_TOKEN"]} == {routes["anthropic"].token}
    assert changed["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")
    assert changed["NO_PROXY"] == "localhost,127.0.0.1"
    with gateway.routes(Pays(), {"PATH": "/bin"}) as none:
        assert none == {}


CHAT = {"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 2}, "completion_tokens": 3}}


@pytest.mark.parametrize(
    ("provider", "told", "spent"),
    [
        ("openai", CHAT, Spent(9, 2, 3)),
        ("openai", {"usage": {"input_tokens": 9, "output_tokens": 3}}, Spent(9, 0, 3)),
        ("openai", {"usage": None}, Spent()),
        ("openai", {"usage": {"input_tokens": -9, "output_tokens": "3"}}, Spent()),
        ("anthropic", {"usage": {"input_tokens": 1, "cache_read_input_tokens": 7, "output_tokens": 3}}, Spent(8, 7, 3)),
        ("anthropic", {"input_tokens": 9}, Spent()),
        ("google", {"usageMetadata": {"promptTokenCount": 9, "thoughtsTokenCount": 2}}, Spent(9, 0, 2)),
        ("google", [{"usageMetadata": {"promptTokenCount": 9}}, {"usageMetadata": {"promptTokenCount": 9}}], Spent(9)),
        ("google", "nothing", Spent()),
    ],
)
def test_each_form_of_usage_is_read(provider: str, told: Any, spent: Spent) -> None:
    assert spent_in(provider, told) == spent
    assert spent_by(provider, json.dumps(told).encode()) == spent


@given(
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=5), st.lists(st.integers(1, 40)), st.binary()
)
def test_a_stream_is_read_however_it_is_cut(told: list[tuple[int, int]], cuts: list[int], noise: bytes) -> None:
    events = [{"usage": {"input_tokens": read, "output_tokens": written}} for read, written in told]
    lines = [
        b"event: x\n",
        noise.replace(b"data", b"") + b"\n",
        *(f"data: {json.dumps(each)}\n\n".encode() for each in events),
    ]
    whole, stream = b"".join(lines), Stream("anthropic")
    for cut in cuts:
        stream.feed(whole[:cut])
        whole = whole[cut:]
    stream.feed(whole)
    assert stream.spent == Spent(max((r for r, _ in told), default=0), 0, max((w for _, w in told), default=0))
    assert total({"m": stream.spent}).tokens == stream.spent.tokens
