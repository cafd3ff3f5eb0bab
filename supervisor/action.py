"""The action that an agent proposes, its context, and the doors to the outside."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from supervisor.pointers import MARK, value_at

_ABSOLUTE = ("/", "~", "\\\\")  # how an absolute path begins, drives aside
_LONGEST_KEY = 100  # characters of a key within a place
# Numbers with a comma before the decimals, or with points, spaces or apostrophes between groups of three digits.
_CONTINENTAL = re.compile(r"-?(?:\d{1,3}(?:[.'\s]\d{3})+|\d+),\d{1,2}")
_GROUPED = re.compile(r"-?\d{1,3}(?:(?:\.\d{3}){2,}|(?:['\s]\d{3})+(?:\.\d{1,2})?)")
_THOUSANDS = re.compile(r"-?\d{1,3}(?:\.\d{3})+")  # beside a currency: none of the usual ones has thousandths
_CURRENCY = re.compile(r"^[$€£¥₹]\s?|^[A-Z]{3}\s(?=\d)|\s?[$€£¥₹]$|(?<=\d)\s[A-Z]{3}$")
_Path = tuple["_Path", str] | None  # the steps that lead to a value, the last one first

Stage = Literal["before", "after"]  # an action is judged before it runs, or after
Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True)
class Action:
    """One tool call that an agent proposes.

    `kind` is the kind of action (shell, sql, refund, …). `fields` maps each part of the kind onto the tool's argument
    (`{"command": "cmd"}`) or onto a place inside the arguments (`{"command": "=/input/command"}`, see `pointers`).
    `memo` caches the evidence read from this action, so that all specialists share one parse.
    """

    tool: str
    args: Mapping[str, Any]
    kind: str = "tool"
    fields: Mapping[str, str] = field(default_factory=dict)
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def get(self, name: str, default: Any = None) -> Any:
        """The argument that holds the part `name` of this kind, or `default`."""
        argument = self.fields.get(name, name)
        if argument[:1] != MARK:
            return self.args.get(argument, default)
        value = value_at(self.args, argument)
        return default if value is None else value

    def text(self, name: str) -> str:
        """The same as a string; empty if it is absent or not a string."""
        value = self.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> float | None:
        """The same as a number (also from a string such as `"1,200.50"`, see `written_number`); None if it is neither.
        A number too large for a double becomes infinite, so that every limit stops it. NaN gives None: no limit would
        stop it."""
        value = self.get(name)
        if isinstance(value, bool):
            return None
        if isinstance(value, str):
            value = written_number(value)
        if not isinstance(value, (int, float)) or value != value:
            return None
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf

    def strings(self) -> Iterator[tuple[str, str]]:
        """Every string in the arguments with its place (`"items[2].name"`), in order. Keys are not visited."""
        return strings_in(self.args)


def written_number(text: str) -> float | None:
    """The number that a text is, as people write it: `1,200.50`, `1.200,50 EUR`, `$5`, `12,5`; None for other text.

    A comma before three digits groups them, before one or two it begins the decimals. Points group digits only if there
    are several of them, a comma follows, or three digits follow and a currency stands beside them.
    """
    plain, currencies = _CURRENCY.subn("", text.strip())
    if currencies and _THOUSANDS.fullmatch(plain):
        plain = plain.replace(".", "")
    elif _CONTINENTAL.fullmatch(plain):
        plain = re.sub(r"[.'\s]", "", plain).replace(",", ".")
    elif _GROUPED.fullmatch(plain):
        plain = re.sub(r"['\s]|\.(?=\d{3})", "", plain)
    try:
        return float(plain.replace(",", ""))
    except ValueError:
        return None


def strings_in(value: Any) -> Iterator[tuple[str, str]]:
    """Every string in a JSON value with its place, depth first, without recursion (inputs may be hostile).

    Each place is built when its string is reached, and long keys are cut: a long key above a thousand strings would be
    in memory a thousand times.
    """
    stack: list[tuple[_Path, Any]] = [(None, value)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, str):
            yield _place(path), node
        elif isinstance(node, Mapping):
            stack.extend(((path, f".{str(key)[:_LONGEST_KEY]}"), node[key]) for key in reversed(node))
        elif isinstance(node, (list, tuple)):
            stack.extend(((path, f"[{index}]"), node[index]) for index in range(len(node) - 1, -1, -1))


def _place(path: _Path) -> str:
    steps = []
    while path is not None:
        path, step = path
        steps.append(step)
    return "".join(reversed(steps)).removeprefix(".")


@dataclass(frozen=True, slots=True)
class Step:
    """One earlier action of the session and its outcome. `output` is None until it is known."""

    tool: str
    args: Mapping[str, Any]
    output: Any = None
    kind: str = "tool"
    failed: bool = False

    @property
    def text(self) -> str:
        """The output as text; empty if there is none or it is not text."""
        return self.output if isinstance(self.output, str) else ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page that the http door fetched. `url` is the last address after all redirects."""

    url: str
    status: int
    body: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The model door's answer to a closed question. `confidence` lies in 0.5..1."""

    yes: bool
    confidence: float


class Doors(Protocol):
    """The only access to the outside. Every answer is recorded, so that a replay does not need the outside."""

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]: ...

    async def fetch(self, url: str) -> Page: ...

    async def ask(self, question: str, material: Mapping[str, str]) -> Answer: ...

    async def recall(self) -> dict[str, Any]: ...

    @property
    def now(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class Context:
    """The context in which an action is judged. Only specialists that are `async def` may use the doors.

    `history` is what came before the action; `ran` is the action itself as a step, once it has run.
    """

    task: str | None = None
    history: Sequence[Step] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    agent: str | None = None
    session: str | None = None
    doors: Doors | None = field(default=None, compare=False, repr=False)
    ran: Step | None = None

    @property
    def stage(self) -> Stage:
        """Whether the action is judged before it runs, or after."""
        return "before" if self.ran is None else "after"

    @property
    def outcome(self) -> Step:
        """The action as a step, for specialists that judge after it ran. Raises TypeError for all others."""
        if self.ran is None:
            raise TypeError("only a specialist whose entry says `stage: after` may look at the outcome")
        return self.ran

    @property
    def cwd(self) -> str | None:
        """The directory the agent works in, if known."""
        cwd = self.facts.get("cwd")
        return cwd if isinstance(cwd, str) else None

    @property
    def workspace(self) -> str | None:
        """The directory that the task may change: the fact `workspace`, or else the working directory. A fact that is
        no absolute path names a project: its directory is the part of the working directory that ends with the name."""
        workspace, cwd = self.facts.get("workspace"), self.cwd
        if not isinstance(workspace, str):
            return cwd
        if cwd is None or workspace.startswith(_ABSOLUTE) or workspace[1:2] == ":":
            return workspace
        parts = re.split(r"(?<=[/\\])", cwd)
        at = next((n for n in range(len(parts), 0, -1) if parts[n - 1].rstrip("/\\") == workspace), len(parts))
        return "".join(parts[:at]).rstrip("/\\") or cwd

    async def query(self, sql: str, **parameters: Any) -> list[dict[str, Any]]:
        """Rows of a read-only query (`:name` parameters) on the deployment's database. Raises DoorFailed if it fails
        or no database is configured."""
        return await self._doors.query(sql, parameters)

    async def fetch(self, url: str) -> Page:
        """The page at `url`, capped in size. Raises DoorFailed if the page is unreachable or not allowed."""
        return await self._doors.fetch(url)

    async def ask(self, question: str, **material: str) -> Answer:
        """A model's yes or no to one closed question about quoted material. Raises DoorFailed if no model answers or
        none is configured."""
        return await self._doors.ask(question, material)

    async def recall(self) -> dict[str, Any]:
        """What this agent was refused in its sessions, as `supervisor.memory.memory_of` reads it. Raises DoorFailed if
        nothing is remembered, or it cannot be read."""
        return await self._doors.recall()

    @property
    def now(self) -> datetime:
        """The time of this decision, with its zone."""
        return self._doors.now

    @property
    def _doors(self) -> Doors:
        if self.doors is None:
            raise TypeError("only a specialist that is an `async def` may use the doors")
        return self.doors
