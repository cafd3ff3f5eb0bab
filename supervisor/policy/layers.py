"""A project's policy beside the user's: the stricter of both, setting by setting.

An agent may write into its project, and so into the project's policy. Such a policy can therefore only make the user's
one stricter: it may raise a verdict, never lower one, and it brings no code, door, tool or fact. The user's policy may
trust projects with more (`projects.may_loosen`). docs/policy.md has the rule of each section in one table.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, is_dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar, get_args

from supervisor.intake.kinds import KINDS
from supervisor.policy.business import FACT as BUSINESS
from supervisor.policy.exemptions import ExemptionPolicy
from supervisor.policy.policy import Policy, expanded
from supervisor.policy.reading import Layer
from supervisor.policy.sections import Authority, Level, Memory, OnRefuse, Records

_LEVELS: tuple[Level, ...] = get_args(Level)
_REFUSALS: tuple[OnRefuse, ...] = get_args(OnRefuse)
_FAILURES = ("ok", "flag", "block")
_DURABILITIES = ("write", "sync")
_SIGNATURES = ("sealed", "each")
_NEVER_MERGED = ("projects",)  # only the user's policy says what projects may do
S = TypeVar("S")


class Usual(Protocol):
    """The value of `on_refuse` for a specialist that no policy names."""

    def __call__(self, specialist: str) -> OnRefuse: ...


@dataclass(frozen=True, slots=True)
class Layered:
    """The policy that two policies come to. `ignored` lists the settings of the project's one that have no effect."""

    policy: Policy
    ignored: tuple[str, ...] = ()


def layered(user: Policy, project: Layer, file: Path, usual: Usual) -> Layered:
    """The user's policy with a project's one on top, which was read from `file`, a path without links."""
    joined = _replaced if may_loosen(user, file) else _tightened
    policy = joined(user, project, usual)
    return Layered(policy, tuple(_without_effect(policy, project)))


def may_loosen(user: Policy, file: Path) -> bool:
    """Whether the user's policy trusts a project's policy in this file with more than stricter settings. A path in a
    list of folders is trusted only if it has no links: where a link leads may have changed since the file was read."""
    trusted = user.projects.may_loosen
    if isinstance(trusted, bool):
        return trusted
    real = Path(os.path.realpath(file))
    return real == file and any(real.is_relative_to(os.path.realpath(expanded(folder))) for folder in trusted)


# A project that is not trusted


def _tightened(user: Policy, project: Layer, usual: Usual) -> Policy:
    wanted, given = project.policy, project.given
    on_refuse = {
        name: max(user.on_refuse.get(name) or usual(name), value, key=_REFUSALS.index)
        for name, value in wanted.on_refuse.items()
    }
    workers, records, hooks = user.workers, user.records, user.hooks
    return replace(
        user,
        authority=_stricter_authority(user.authority, _Given(given.get("authority"))),
        memory=_stricter_memory(user.memory, project),
        patience=min(user.patience, wanted.patience) if "patience" in given else user.patience,
        on_refuse={**user.on_refuse, **on_refuse},
        exemptions=_stricter_exemptions(user.exemptions, wanted),
        approval=replace(user.approval, never=_joined(user.approval.never, wanted.approval.never)),
        taxonomy=replace(user.taxonomy, preview=user.taxonomy.preview or wanted.taxonomy.preview),
        hooks=_stricter(hooks, project, "hooks", "on_failure", _FAILURES),
        workers=_stricter(workers, project, "workers", "on_failure", _FAILURES),
        records=_stricter_records(records, project),
    )


def _stricter_records(user: Records, project: Layer) -> Records:
    orders = {"on_failure": _FAILURES, "durability": _DURABILITIES, "signatures": _SIGNATURES}
    for name, order in orders.items():
        user = _stricter(user, project, "records", name, order)
    return user


def _stricter_memory(user: Memory, project: Layer) -> Memory:
    """The user's memory with a sooner escalation and sooner flags. No project turns it on or off: it is about other
    projects, too."""
    given, wanted = project.given.get("memory") or {}, project.policy.memory
    escalate, flag = user.escalate_after, user.flag_after
    if "escalate_after" in given:
        escalate = _sooner(escalate, wanted.escalate_after)
    if "flag_after" in given:
        flag = _sooner(flag, wanted.flag_after)
    return replace(user, escalate_after=escalate, flag_after=flag)


def _sooner(one: int, other: int) -> int:
    """The lesser of two numbers of stops, where 0 is never."""
    return min(each for each in (one, other) if each) if one or other else 0


def _stricter_exemptions(user: ExemptionPolicy, project: Policy) -> ExemptionPolicy:
    """The user's exemptions without the specialists from which nobody may exempt in this project."""
    never = _joined(user.never, project.exemptions.never)
    ruled_out = {*never, *project.approval.never}
    left = [
        replace(each, specialists=tuple(name for name in each.specialists if name not in ruled_out))
        for each in user.allow
    ]
    return ExemptionPolicy(tuple(each for each in left if each.specialists), never)


def _stricter(own: S, project: Layer, section: str, name: str, order: tuple[str, ...]) -> S:
    """The section with the stricter value of one field; `order` has its values, the strictest last."""
    if name not in (project.given.get(section) or {}):
        return own
    wanted = getattr(getattr(project.policy, section), name)
    changed: Any = replace(own, **{name: max(getattr(own, name), wanted, key=order.index)})  # type: ignore[type-var]
    return changed  # type: ignore[no-any-return]


class _Given:
    """The grants that a policy really contains: what it leaves out is not its default, but the user's."""

    def __init__(self, authority: Mapping[str, Any] | None) -> None:
        given = authority or {}
        self.default: Level | None = given.get("default")
        self.kinds: Mapping[str, Level] = given.get("kinds") or {}
        self.specialists: Mapping[str, Level | Mapping[str, Level]] = given.get("specialists") or {}

    def granted(self, specialist: str, kind: str) -> Level | None:
        """The most specific grant, None if there is none."""
        own = self.specialists.get(specialist)
        if isinstance(own, Mapping):
            own = own.get(kind)
        return own or self.kinds.get(kind, self.default)


def _stricter_authority(user: Authority, project: _Given) -> Authority:
    """The greater grant of both, for every specialist and kind."""
    named = [*user.specialists, *(name for name in project.specialists if name not in user.specialists)]
    kinds = [*user.kinds, *(kind for kind in project.kinds if kind not in user.kinds)]
    return Authority(
        _greater(user.default, project.default),
        {kind: _greater(user.granted("", kind), project.granted("", kind)) for kind in kinds},
        {
            name: {kind: _greater(user.granted(name, kind), project.granted(name, kind)) for kind in KINDS}
            for name in named
        }
        if project.specialists or project.kinds or project.default
        else user.specialists,
    )


def _greater(one: Level, other: Level | None) -> Level:
    return one if other is None else max(one, other, key=_LEVELS.index)


def _joined(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return (*one, *(each for each in dict.fromkeys(other) if each not in one))


# A project that the user trusts


def _replaced(user: Policy, project: Layer, usual: Usual) -> Policy:
    """The user's policy with every setting that the project gives: tables and lists are joined, all else replaced."""
    given = {name: value for name, value in project.given.items() if name not in _NEVER_MERGED}
    policy: Policy = _over(user, project.policy, given)
    facts = {name: value for name, value in project.policy.facts.items() if name != "policy_file"}
    if "business" in given:
        facts[BUSINESS] = asdict(policy.business)
    return replace(policy, facts={**user.facts, **facts})


def _over(own: Any, wanted: Any, given: Mapping[str, Any]) -> Any:
    values: dict[str, Any] = {}
    for name, value in given.items():
        mine, theirs = getattr(own, name), getattr(wanted, name)
        if is_dataclass(mine):
            values[name] = _over(mine, theirs, value or {})
        elif isinstance(mine, dict):
            values[name] = {**mine, **theirs}
        elif isinstance(mine, tuple):
            values[name] = tuple(dict.fromkeys((*mine, *theirs)))
        else:
            values[name] = theirs
    return replace(own, **values)


# What has no effect


def _without_effect(policy: Policy, project: Layer) -> Iterator[str]:
    """The settings that the project gives and that do not hold, as dotted keys."""
    for section, value in project.given.items():
        mine, theirs = getattr(policy, section), getattr(project.policy, section)
        if section == "authority":
            yield from _authority_without_effect(policy.authority, _Given(value))
        elif section in _NEVER_MERGED:
            yield section
        elif is_dataclass(mine):
            given = [name for name in (value or {}) if not _holds(getattr(mine, name), getattr(theirs, name))]
            yield from (f"{section}.{name}" for name in given)
        elif isinstance(mine, dict):
            yield from (f"{section}.{name}" for name in (value or {}) if mine.get(name) != theirs.get(name))
        elif not _holds(mine, theirs):
            yield section


def _authority_without_effect(authority: Authority, given: _Given) -> Iterator[str]:
    if given.default is not None and authority.default != given.default:
        yield "authority.default"
    yield from (f"authority.kinds.{kind}" for kind, level in given.kinds.items() if authority.kinds[kind] != level)
    for name in given.specialists:
        if any(
            authority.granted(name, kind) != (given.granted(name, kind) or authority.granted(name, kind))
            for kind in KINDS
        ):
            yield f"authority.specialists.{name}"


def _holds(mine: Any, theirs: Any) -> bool:
    return set(theirs) <= set(mine) if isinstance(mine, tuple) else bool(mine == theirs)
