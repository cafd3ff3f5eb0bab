"""Answers that are no opinions, or only look like one."""

from __future__ import annotations

from typing import Any

from supervisor.specialist import Finding, Refusal, ok
from supervisor.verdict import Verdict


class Liar:
    """Claims to be a finding, and is equal to whatever it is compared with."""

    __class__ = Finding  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class Trap:
    """Loops as soon as anything is asked of it."""

    def __getattribute__(self, name: str) -> Any:
        while True:
            pass

    def __reduce_ex__(self, _: Any) -> Any:
        while True:
            pass


class Text(str):
    def __str__(self) -> str:
        while True:
            pass

    encode = __len__ = __str__  # type: ignore[assignment]


def answer_none(_: Any) -> Any:
    return None


def answer_text(_: Any) -> Any:
    return "block"


def answer_a_class(_: Any) -> Any:
    return Finding


def answer_a_coroutine(_: Any) -> Any:
    async def never_awaited() -> None: ...

    coroutine = never_awaited()
    coroutine.close()
    return coroutine


def answer_a_generator(_: Any) -> Any:
    return (ok() for _ in iter(int, 1))


def answer_a_liar(_: Any) -> Any:
    return Liar()


def answer_a_trap(_: Any) -> Any:
    return Trap()


def answer_an_unknown_verdict(_: Any) -> Any:
    return Finding("block", 1.0, "text is no verdict")  # type: ignore[arg-type]


def answer_a_large_verdict(_: Any) -> Any:
    return Finding(10**6, 1.0, "a number is no verdict")  # type: ignore[arg-type]


def answer_nan(_: Any) -> Any:
    return Finding(Verdict.FLAG, float("nan"), "not a number")


def answer_infinity(_: Any) -> Any:
    return Finding(Verdict.FLAG, float("inf"), "beyond all")


def answer_a_long_reason(_: Any) -> Any:
    return Finding(Verdict.FLAG, 1.0, "x" * 10_000_000)


def answer_much_evidence(_: Any) -> Any:
    return Finding(Verdict.FLAG, 1.0, "much", evidence=("x" * 100,) * 100_000)


def answer_a_surrogate(_: Any) -> Any:
    return Finding(Verdict.FLAG, 1.0, "half a character: \ud800", evidence=("\udfff",))


def answer_a_nul(_: Any) -> Any:
    return Finding(Verdict.FLAG, 1.0, "\0\x1b[2J\u202e", evidence=("\0",))


def answer_no_reason(_: Any) -> Any:
    return Finding(Verdict.FLAG, 1.0, None, None, None, None)  # type: ignore[arg-type]


def answer_slow_text(_: Any) -> Any:
    return Finding(Verdict.FLAG, 1.0, Text("slow"))


def answer_evidence_without_end(_: Any) -> Any:
    return Finding(Verdict.FLAG, 1.0, "endless", evidence=iter(lambda: "x", ""))  # type: ignore[arg-type]


def answer_a_ring(_: Any) -> Any:
    ring: list[Any] = []
    ring.append(ring)
    return Finding(Verdict.FLAG, 1.0, "round", evidence=ring)  # type: ignore[arg-type]


def answer_a_nameless_cause(_: Any) -> Any:
    return Refusal("why", "because")  # type: ignore[arg-type]


def answer_a_silent_refusal(_: Any) -> Any:
    return Refusal(None, None)  # type: ignore[arg-type]
