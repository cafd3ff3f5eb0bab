"""The providers of models: how a program is told of its key and of another address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_LOOPBACK = "127.0.0.1"
_NO_PROXY = ("NO_PROXY", "no_proxy")


@dataclass(frozen=True, slots=True)
class Provider:
    """`keys` are the variables that may hold its key, each with the header in which programs send it. `base` is the
    variable for another address than the `usual` one."""

    name: str
    keys: Mapping[str, str]
    base: str
    usual: str


PROVIDERS = (
    Provider(
        "anthropic",
        {"ANTHROPIC_API_KEY": "x-api-key", "ANTHROPIC_AUTH_TOKEN": "authorization"},
        "ANTHROPIC_BASE_URL",
        "https://api.anthropic.com",
    ),
    Provider("openai", {"OPENAI_API_KEY": "authorization"}, "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    Provider(
        "google",
        {"GEMINI_API_KEY": "x-goog-api-key", "GOOGLE_API_KEY": "x-goog-api-key"},
        "GOOGLE_GEMINI_BASE_URL",
        "https://generativelanguage.googleapis.com",
    ),
)


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where the requests of one worker to a provider go. `secrets` are the real keys, by header."""

    provider: Provider
    base: str
    secrets: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Route:
    """What a worker has instead of a provider: an address of the gateway, and a token that is good for nothing else.
    `environment` says so in the variables that programs read."""

    provider: str
    base: str
    token: str = field(repr=False)
    environment: Mapping[str, str] = field(repr=False)


def upstreams_of(environment: Mapping[str, str]) -> list[Upstream]:
    """The providers whose keys are in the environment of a worker."""
    found = []
    for provider in PROVIDERS:
        secrets = {header: environment[name] for name, header in provider.keys.items() if environment.get(name)}
        if secrets:
            found.append(Upstream(provider, environment.get(provider.base) or provider.usual, secrets))
    return found


def route_to(upstream: Upstream, port: int, token: str, environment: Mapping[str, str]) -> Route:
    """The way of a worker with this environment to a provider, through the gateway at a port."""
    provider = upstream.provider
    base = f"http://{_LOOPBACK}:{port}/{provider.name}"
    keys = {name: token for name in provider.keys if environment.get(name)}
    direct = {name: ",".join(filter(None, (environment.get(name), _LOOPBACK))) for name in _NO_PROXY}
    return Route(provider.name, base, token, {**keys, **direct, provider.base: base})
