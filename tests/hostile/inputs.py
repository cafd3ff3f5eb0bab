"""What a hostile input is, and how one is proposed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

Proposal = dict[str, Any] | str | bytes
WEB = "http://web.hostile.test"  # stands for the address of the web server, which is known when it serves
RUNS = {
    "shell": ("bash", "command"),
    "python": ("python", "code"),
    "javascript": ("run_javascript", "code"),
    "sql": ("sql", "query"),
}


@dataclass(frozen=True, slots=True)
class Input:
    """One hostile proposal, in the form that `supervisor check` reads: an object, or the text of one.

    `make` builds it when it is judged, since all of them at once would fill the memory. `bad` is the code of the
    BadInput that it is met with where it is no action at all. `caught` names a specialist that has to object whatever
    else happens. `spoils` names one whose vote may be lost: a deployment's own specialists share their workers, and
    this one destroys what the next of them needs. `wire` says how the database's server behaves while this is judged,
    where that is the hostile part.
    """

    engine: str
    name: str
    make: Callable[[], Proposal]
    bad: str = ""
    caught: str = ""
    spoils: str = ""
    wire: str = ""

    @property
    def id(self) -> str:
        """The name under which tests and reports know it."""
        return f"{self.engine}: {self.name}"


def runs(engine: str, kind: str, name: str, text: Callable[..., str], *parts: Any, **more: Any) -> Input:
    """An action that runs the text that `text(*parts)` returns: a script, code or a query."""
    tool, argument = RUNS[kind]
    return acts(engine, name, tool, lambda: {argument: text(*parts)}, **more)


def acts(
    engine: str,
    name: str,
    tool: str,
    args: Callable[[], dict[str, Any]],
    context: Callable[[], dict[str, Any]] = dict,
    **more: Any,
) -> Input:
    """A call of a tool, in a context."""
    return Input(engine, name, partial(_proposal, tool, args, context), **more)


def _proposal(tool: str, args: Callable[[], dict[str, Any]], context: Callable[[], dict[str, Any]]) -> Proposal:
    return {"tool": tool, "args": args(), "context": context()}
