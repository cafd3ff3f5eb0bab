"""What calls in Python code do to processes: `os.kill(-1, 9)`, `while True: os.fork()`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from supervisor.evidence.effects.effect import Act, Effect, Part
from supervisor.evidence.python import Call, Module
from supervisor.evidence.reading.paths import Place

_KILLS = frozenset({"os.kill", "os.killpg"})
_ALWAYS = frozenset({"1", "True"})
_LOOPS = ("while_statement", "for_statement")


def parts_of_module(module: Module) -> Iterator[Part]:
    """The effects of code that is run."""
    for call in module.calls:
        if call.name in _KILLS:
            yield Part(frozenset({Act.PROCESS}), partial(_killed, call))
        elif call.name == "os.fork":
            yield Part(frozenset({Act.PROCESS}), partial(_forked, call))


def _killed(call: Call) -> Iterator[Effect]:
    """Reads the process ids -1 (all processes) and 1 (the first). Signal 0 only tests whether a process exists."""
    given, signal = call.argument(0, "pid"), call.argument(1, "sig")
    target = call.code.text(given).replace(" ", "") if given is not None else ""
    if target in ("-1", "1") and (signal is None or call.code.text(signal) != "0"):
        everything = target == "-1"
        name = "every process" if everything else target
        yield Effect(Act.PROCESS, name, Place.SYSTEM, "kill", everything, text=call.text)


def _forked(call: Call) -> Iterator[Effect]:
    """An endless loop that only forks."""
    loop = call.node.parent
    while loop is not None and loop.type not in _LOOPS:
        loop = loop.parent
    if loop is not None and _is_endless(loop, call.code) and _only_forks(loop, call.code):
        target = "the process table"
        yield Effect(Act.PROCESS, target, Place.SYSTEM, "multiply", text=call.code.text(loop)[:200])


def _is_endless(loop: Node, module: Module) -> bool:
    condition = loop.child_by_field_name("condition")
    return condition is not None and module.text(condition) in _ALWAYS


def _only_forks(loop: Node, module: Module) -> bool:
    body = loop.child_by_field_name("body")
    lines = [module.text(node) for node in body.named_children] if body is not None else []
    return bool(lines) and all(line.endswith("fork()") for line in lines)
