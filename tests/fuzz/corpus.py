"""What the taxonomy itself holds, and ways to spoil it: entries, the actions of their cases, the values within."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.errors import BadInput
from supervisor.intake.kinds import KINDS, kind_of
from supervisor.intake.parsing import action_from, context_from
from tests.fuzz.texts import GRAMMARS, any_text, mutated, odd, unicode
from tests.intake.json_strategies import ordinary

TAXONOMY = Path(__file__).parents[2] / "taxonomy"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Values = st.SearchStrategy[Any]

# What evidence and specialists read from a context, and a text that stands there as often as not.
_FACTS = (
    *("allowed_domains", "branch", "budget", "cwd", "dialect", "earlier_requests", "files_created_by_agent"),
    *("instructions", "policy", "policy_file", "profile", "rules", "sources", "system", "tools", "user", "workspace"),
)
_odd_values = ordinary | st.lists(any_text, max_size=3) | st.sampled_from([10**30, -1, 1e308, True, [[]], {"": {}}])


@functools.cache
def entries() -> dict[str, bytes]:
    """Every entry of the taxonomy by its path, in a fixed order."""
    return {str(path.relative_to(TAXONOMY)): path.read_bytes() for path in sorted(TAXONOMY.glob("*/*.yaml"))}


@functools.cache
def cases() -> tuple[dict[str, Any], ...]:
    """The action of every case of the taxonomy, as `supervisor check` takes it."""
    return tuple(action for raw in entries().values() for action in _actions(yaml.load(raw, Loader=_LOADER)))


def _actions(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for case in (case for group in entry["cases"].values() for case in group):
        for args in filter(None, (case["args"], case.get("corrected"))):
            kept = {name: case[name] for name in ("tool", "kind", "context") if name in case}
            yield {**kept, "args": args}


@functools.cache
def cases_of(*kinds: str) -> tuple[dict[str, Any], ...]:
    """Those whose action is of one of these kinds; all of them where none is named."""
    return tuple(case for case in cases() if not kinds or case.get("kind", kind_of(case["tool"])) in kinds)


def spoiled(values: Values, fresh: Values = _odd_values) -> Values:
    """JSON `values` with some of their parts dropped, doubled, renamed, mutated or replaced by `fresh` ones."""

    @st.composite
    def spoil(draw: st.DrawFn) -> Any:
        value = draw(values)
        for _ in range(draw(st.integers(0, 3))):
            place = draw(st.sampled_from(_places(value)))
            value = _changed(value, place, lambda part: _spoiled_part(draw, part, fresh))
        return value

    return spoil()


def _places(value: Any) -> list[tuple[Any, ...]]:
    """The way to every part of a JSON value, itself first."""
    found: list[tuple[Any, ...]] = [()]
    for place in found:
        part = functools.reduce(lambda part, key: part[key], place, value)
        keys = part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
        found.extend((*place, key) for key in keys)
    return found


def _changed(value: Any, place: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """A copy of a value in which one part is changed."""
    if not place:
        return change(value)
    key, *rest = place
    copy = value.copy()
    copy[key] = _changed(value[key], tuple(rest), change)
    return copy


def _spoiled_part(draw: st.DrawFn, part: Any, fresh: Values) -> Any:
    if isinstance(part, str) and draw(st.booleans()):
        return draw(mutated(st.just(part)))
    if part and isinstance(part, list) and draw(st.booleans()):
        return draw(st.sampled_from([part[1:], part * 2, part[::-1], [part], part[0]]))
    if part and isinstance(part, dict) and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(part)))
        kept = {name: item for name, item in part.items() if name != key}
        return draw(
            st.sampled_from([kept, {**part, f"{key} ": part[key]}, {**kept, key.swapcase(): part[key]}, [part]])
        )
    return draw(fresh)


def proposals(kinds: tuple[str, ...], language: str) -> Values:
    """Actions of some kinds as they arrive: those of the taxonomy, spoiled; and others, whose arguments are texts of a
    language or anything else, with a history and facts."""
    text = mutated(GRAMMARS[language]) | unicode
    usual = st.one_of(text, text, text, _odd_values)
    contexts = st.fixed_dictionaries(
        {},
        optional={
            "task": text | mutated(GRAMMARS["prose"]) | st.none(),
            "history": st.lists(_steps(text), max_size=4),
            "cwd": st.sampled_from(["/home/u/p", "/", "relative", "~", "/home/u/p/../q/", "", "\ue000"]) | odd,
            **dict.fromkeys(_FACTS, usual | st.lists(any_text, max_size=3)),
        },
    )

    def of_kind(kind: str) -> Values:
        names = sorted({name for known in KINDS[kind].values() for name in known})
        usual_names = [known[0] for known in KINDS[kind].values()] or ["id", "to", "amount"]
        args = st.dictionaries(st.sampled_from(usual_names), usual, max_size=4)
        rare = st.dictionaries(st.sampled_from(names or usual_names) | unicode, usual, max_size=3)
        told = {"tool": st.just(kind) | unicode, "kind": st.just(kind), "args": args | rare}
        return st.fixed_dictionaries(told, optional={"context": contexts})

    made = st.sampled_from(kinds).flatmap(of_kind)
    return made | spoiled(st.sampled_from(cases_of(*kinds)), usual) if cases_of(*kinds) else made


def _steps(text: Values) -> Values:
    tools = st.sampled_from(["bash", "sql", "read_file", "write_file", "send_email", "python"])
    names = st.sampled_from(["command", "query", "path", "content", "code", "to"])
    parts = {"tool": tools, "args": st.dictionaries(names, text, max_size=2), "output": _odd_values | any_text}
    return st.fixed_dictionaries(parts, optional={"failed": st.booleans()}) | any_text


def offered(proposal: Any) -> tuple[Action, Context] | None:
    """The action and the context that a proposal comes to; None where it is refused at the door."""
    try:
        return action_from(proposal), context_from(proposal.get("context"))
    except (BadInput, AttributeError):
        return None
