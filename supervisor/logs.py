"""Loggers that import `logging` with their first message: an engine opens without one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import logging


def log_later(name: str) -> logging.Logger:
    """Like `logging.getLogger`, which is called when the result is first used."""
    return cast("logging.Logger", _Logger(name))


class _Logger:
    """A logger whose attributes are those of the logger with this name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        import logging

        return getattr(logging.getLogger(self._name), attribute)
