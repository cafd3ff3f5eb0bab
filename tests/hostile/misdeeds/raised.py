"""Exceptions that are hard to catch or to tell."""

from __future__ import annotations

from typing import Any

from supervisor.specialist import ok


class Nameless(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Talkative(Exception):
    def __str__(self) -> str:
        while True:
            pass


class Endless(Exception):
    def __str__(self) -> str:
        return "x" * 50_000_000


def raise_exception(_: Any) -> Any:
    raise Exception("an exception")


def raise_base_exception(_: Any) -> Any:
    raise BaseException("not even an exception")


def raise_interrupt(_: Any) -> Any:
    raise KeyboardInterrupt


def raise_stop_iteration(_: Any) -> Any:
    raise StopIteration(ok())


def raise_generator_exit(_: Any) -> Any:
    raise GeneratorExit


def raise_memory_error(_: Any) -> Any:
    raise MemoryError


def raise_nameless(_: Any) -> Any:
    raise Nameless


def raise_talkative(_: Any) -> Any:
    raise Talkative


def raise_endless(_: Any) -> Any:
    raise Endless


def raise_surrogate(_: Any) -> Any:
    raise ValueError("half a character: \ud800")


def raise_group(_: Any) -> Any:
    raise BaseExceptionGroup("many", [SystemExit(1), KeyboardInterrupt(), ValueError("\udfff")])


def raise_with_a_long_chain(_: Any) -> Any:
    error: BaseException | None = None
    for number in range(100_000):
        later = ValueError(number)
        later.__cause__ = error
        error = later
    raise error or ValueError
