"""The doors in a policy. Plain values: creating one opens nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

_STRICT = {"extra": "forbid"}
_DATABASES = ("sqlite:///", "postgresql://", "postgresql+psycopg://", "postgres://")


@dataclass(frozen=True, slots=True)
class DatabaseDoor:
    """The deployment's own database: `sqlite:///path/to/file.db` or `postgresql://user@host/name`; None for none.

    Give it a read-only role; the door enforces that as well. `timeout_ms` bounds one query, connecting included.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    url: str | None = None
    timeout_ms: int = 500

    def __post_init__(self) -> None:
        if self.url is not None and not self.url.startswith(_DATABASES):
            raise ValueError("a database URL starts with sqlite:/// (and a file) or postgresql://")


@dataclass(frozen=True, slots=True)
class HttpDoor:
    """How pages are fetched. `allow_private` lists the private hosts and networks that may be read.

    `max_bytes` limits a page after decompression; `timeout_ms` bounds one fetch, all its redirects included.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    allow_private: tuple[str, ...] = ()
    max_bytes: int = 2_000_000
    timeout_ms: int = 2000
    max_redirects: int = 5

    def __post_init__(self) -> None:
        if not self.allow_private:
            return
        import ipaddress

        for entry in self.allow_private:
            if "/" in entry:
                ipaddress.ip_network(entry)  # ValueError: a typo must not silently allow nothing


@dataclass(frozen=True, slots=True)
class ModelDoor:
    """An OpenAI-compatible endpoint: `url` is its base (`http://localhost:11434/v1`), None for no model.

    `key_env` names the environment variable that holds the key; the key itself is never written into a policy.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    url: str | None = None
    name: str = ""
    key_env: str = ""
    timeout_ms: int = 3000

    def __post_init__(self) -> None:
        if self.url is not None and not self.url.startswith(("http://", "https://")):
            raise ValueError("a model's URL starts with http:// or https://")
