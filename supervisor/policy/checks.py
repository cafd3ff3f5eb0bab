"""Everything that can be wrong in a policy by itself: types, ranges, kinds, and the parts of kinds.

Each check yields problems and goes on, so that `supervisor policy check` shows all of a file at once. What only the
catalogue knows (specialists, facts) is checked in `supervisor.catalog.policy_names`.
"""

from __future__ import annotations

import math
import re
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from supervisor.intake.documents import place_in
from supervisor.intake.json_values import shown
from supervisor.intake.kinds import KINDS
from supervisor.pointers import MARK, is_well_formed
from supervisor.policy.business import IDENTIFIER, Schema
from supervisor.policy.exemptions import problems_of
from supervisor.policy.policy import MAX_VALID_FOR, Policy, expanded
from supervisor.policy.sections import ApprovalPolicy, Projects
from supervisor.suggestions import did_you_mean

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

Path = tuple[str | int, ...]
_UNKNOWN = frozenset({"unexpected_keyword_argument", "extra_forbidden"})
MOST_PROBLEMS = 1_000  # that are looked for; each is compared with all known names
MISSING = "is missing"
_MISSING = frozenset({"missing", "missing_argument"})


class Draft(NamedTuple):
    """A policy as far as it can be read (None if nothing of it can be), and everything that is wrong in it."""

    policy: Policy | None
    problems: Sequence[Problem]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a policy. `path` leads to it; `is_key`: the last key of the path is what is wrong.
    A warning may be intended, so it stops no start."""

    path: Path
    message: str
    is_key: bool = False
    is_warning: bool = False

    def __str__(self) -> str:
        return f"{place_in(self.path) or 'the policy'}: {self.message}"


def no_such(what: str, name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The message for an unknown name, with the known name that it may stand for, or else with `otherwise`."""
    return f"no {what} {shown(name)}{did_you_mean(name, known) or otherwise}"


# Types


def of_types(error: ValidationError, values: Any, kind: Any = Policy) -> list[Problem]:
    """The problems that pydantic found in the values of a policy, or of a part of it that has the type `kind`: one for
    each place, in the order of the places."""
    found: dict[Path, Problem] = {}
    for details in error.errors(include_url=False)[:MOST_PROBLEMS]:
        problem = _of_type(details, values, kind)
        found.setdefault(problem.path, problem)
    # A value that fits no alternative of a union has an error for each. The one that leads furthest is meant.
    above = {path[:length] for path in found for length in range(len(path))}
    return [problem for path, problem in found.items() if path not in above]


def without_echoes(problems: Sequence[Problem]) -> list[Problem]:
    """Problems without the missing keys that are there under a misspelled name."""
    return [problem for problem in problems if not _is_misspelled(problem, problems)]


def _is_misspelled(problem: Problem, others: Iterable[Problem]) -> bool:
    """Whether a missing key is there under a misspelled name."""
    siblings = (each for each in others if each.path[:-1] == problem.path[:-1] and each is not problem)
    name = repr(problem.path[-1]) if problem.path else ""
    return problem.message == MISSING and any(name in each.message for each in siblings)


def _of_type(error: ErrorDetails, values: Any, kind: Any) -> Problem:
    path = _path_in(values, error["loc"])
    if error["type"] in _UNKNOWN:
        known = _keys_at(kind, path[:-1])
        otherwise = f"; the keys here are {', '.join(known)}" if known else ""
        return Problem(path, f"no such key{did_you_mean(str(path[-1]), known) or otherwise}", is_key=True)
    if error["type"] in _MISSING:
        return Problem((*path, str(error["loc"][-1])), MISSING)
    message = error["msg"].removeprefix("Value error, ").replace("Input should be", "must be", 1)
    message = message.replace("a valid array", "a valid list")
    if error["type"] == "literal_error":
        expected = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return Problem(path, f"{message}, not {shown(error['input'])}{did_you_mean(str(error['input']), expected)}")
    return Problem(path, message)


def _path_in(values: Any, location: Sequence[str | int]) -> Path:
    """The part of pydantic's location that leads through the values; the rest names alternatives of unions."""
    path: list[str | int] = []
    for part in location:
        is_index = isinstance(values, (list, tuple)) and isinstance(part, int) and part < len(values)
        if is_index or (isinstance(values, Mapping) and part in values):
            values = values[part]
            path.append(part)
    return tuple(path)


def _keys_at(kind: Any, path: Path) -> list[str]:
    """The keys that a value of a type may have at a path."""
    types = _alternatives(kind)
    for part in path:
        types = [below for each in types for below in _types_below(each, part)]
    return [each.name for kind in types if is_dataclass(kind) for each in fields(kind)]


def _types_below(kind: Any, part: str | int) -> list[Any]:
    if is_dataclass(kind):
        below = typing.get_type_hints(kind).get(str(part))
    else:
        below = next(iter(typing.get_args(kind)[:: -1 if isinstance(part, str) else 1]), None)
    return _alternatives(below)


def _alternatives(kind: Any) -> list[Any]:
    """The types of a union, or the only type; none for None."""
    alternatives = typing.get_args(kind) if typing.get_origin(kind) in _UNIONS else ()
    return list(alternatives) or ([] if kind is None else [kind])


_UNIONS = (typing.Union, type(int | str))


def without(values: Any, problems: Iterable[Problem]) -> Any:
    """The values without those that have problems, so that the rest can be checked as well."""
    bad = {problem.path[:-1] if problem.message == MISSING else problem.path for problem in problems}

    def kept(value: Any, path: Path) -> Any:
        if isinstance(value, Mapping):
            return {key: kept(each, (*path, key)) for key, each in value.items() if (*path, key) not in bad}
        if isinstance(value, list):
            return [kept(each, (*path, at)) for at, each in enumerate(value) if (*path, at) not in bad]
        return value

    return {} if () in bad else kept(values, ())


# Ranges and kinds


def of_ranges(policy: Policy) -> Iterator[Problem]:
    """The values of a policy that lie outside their ranges or cannot have an effect. A recorded policy is checked in
    the same way when it is replayed."""
    yield from _kinds(policy)
    for tool, shape in policy.tools.items():
        for part, name in shape.fields.items():
            if name[:1] == MARK and not is_well_formed(name):
                yield Problem(("tools", tool, "fields", part), f"{shown(name)} points at no argument")
    yield from _numbers(policy)
    yield from _approval(policy.approval)
    yield from _projects(policy.projects)
    yield from (Problem(("exemptions", "allow", *path), why) for path, why in problems_of(policy.exemptions))
    yield from _identifiers(policy.business)


def _kinds(policy: Policy) -> Iterator[Problem]:
    named: list[tuple[Path, str, bool]] = [
        *((("authority", "kinds", kind), kind, True) for kind in policy.authority.kinds),
        *((("budgets", "kinds", kind), kind, True) for kind in policy.budgets.kinds),
        *((("tools", tool, "kind"), shape.kind, False) for tool, shape in policy.tools.items()),
    ]
    for number, each in enumerate(policy.approval.ask):
        named += [(("approval", "ask", number, "kinds", at), kind, False) for at, kind in enumerate(each.kinds)]
    for path, kind, is_key in named:
        if kind not in KINDS:
            yield Problem(path, no_such("kind", kind, KINDS, f"; kinds are {', '.join(KINDS)}"), is_key)


def _numbers(policy: Policy) -> Iterator[Problem]:
    budgets = policy.budgets
    spans: list[tuple[Path, float]] = [
        (("budgets", "pure_ms"), budgets.pure_ms),
        (("budgets", "doors_ms"), budgets.doors_ms),
        *((("budgets", "kinds", kind), limit) for kind, limit in budgets.kinds.items()),
        *((("budgets", "specialists", name), limit) for name, limit in budgets.specialists.items()),
    ]
    for path, milliseconds in spans:
        if not 0 < milliseconds <= 600_000:
            yield Problem(path, f"{milliseconds:g} is not between 0 and 600000 ms")
    limits: list[tuple[Path, float, float, float]] = [
        (("workers", "count"), policy.workers.count, 0, 256),
        (("workers", "memory_mb"), policy.workers.memory_mb, 512, 1024 * 1024),
        (("patience",), policy.patience, 0, 100),
        (("memory", "days"), policy.memory.days, 0, 365),
        (("memory", "half_life_days"), policy.memory.half_life_days, 0.01, 365),
        (("memory", "escalate_after"), policy.memory.escalate_after, 0, 100),
        (("memory", "flag_after"), policy.memory.flag_after, 0, 100),
        (("review", "judges"), policy.review.judges, 0, 1),
        (("review", "overlap"), policy.review.overlap, 0, 1),
        (("records", "rotate_mb"), policy.records.rotate_mb, 1, 64),
        (("records", "rotate_hours"), policy.records.rotate_hours, 0.1, 8760),
    ]
    for path, number, least, most in limits:
        if not least <= number <= most:
            yield Problem(path, f"{number:g} is not between {least:g} and {most:g}")
    for place, number in policy.spending.numbers():
        if not 0 <= number < math.inf:
            yield Problem(("spending", *place), f"{number:g} is not 0 or more")


def _approval(approval: ApprovalPolicy) -> Iterator[Problem]:
    if not 0 <= approval.wait <= 3600:
        yield Problem(("approval", "wait"), f"{approval.wait:g} is not between 0 and 3600 s")
    if not max(1, approval.wait) <= approval.valid_for <= MAX_VALID_FOR:
        least = f"1 and `wait`, and at most {MAX_VALID_FOR} s"
        yield Problem(("approval", "valid_for"), f"{approval.valid_for:g} is not at least {least}")
    if approval.otherwise != "block" and not approval.wait:
        problem = f"{approval.otherwise!r} would hold at once where nobody is waited for; set approval.wait"
        yield Problem(("approval", "otherwise"), problem)
    for number, each in enumerate(approval.ask):
        if not each.verdicts:
            yield Problem(("approval", "ask", number), "without verdicts nobody would ever be asked")


def _projects(projects: Projects) -> Iterator[Problem]:
    for at, folder in enumerate(() if isinstance(projects.may_loosen, bool) else projects.may_loosen):
        if not expanded(folder).is_absolute():
            yield Problem(("projects", "may_loosen", at), f"{shown(folder)} is no absolute path of a folder")


def _identifiers(business: Schema) -> Iterator[Problem]:
    for kind, shape in business.records.items():
        for name, value in shape.names_in_queries().items():
            if not re.fullmatch(IDENTIFIER, value):
                path = ("business", "records", kind, name)
                yield Problem(path, f"{shown(value)} is no name of a table or a column")


# Parts of kinds: checked in files and at the start of an engine, not in recorded policies


def of_parts(policy: Policy) -> Iterator[Problem]:
    """The names in a policy that no reader looks up: parts that a tool's kind does not have, kinds in a specialist's
    grant."""
    for tool, shape in policy.tools.items():
        parts = KINDS.get(shape.kind, {})
        otherwise = f"; its parts are {', '.join(parts)}" if parts else "; it has no parts"
        for part in shape.fields:
            if shape.kind in KINDS and part not in parts:
                message = f"the kind {shape.kind} has {no_such('part', part, parts, otherwise)}"
                yield Problem(("tools", tool, "fields", part), message, is_key=True)
    for specialist, granted in policy.authority.specialists.items():
        for kind in granted if isinstance(granted, dict) else ():
            if kind not in KINDS:
                message = no_such("kind", kind, KINDS, f"; kinds are {', '.join(KINDS)}")
                yield Problem(("authority", "specialists", specialist, kind), message, is_key=True)
