"""Checking the names in a policy against the catalogue: specialists, families, facts.

A misspelled name would disarm what it is about without a word, so it stops the start. What cannot be known before an
action comes (a tool that nobody calls) is a warning, or is left to `supervisor doctor`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from supervisor.catalog.catalog import Catalog
from supervisor.catalog.failure_mode import FAMILIES
from supervisor.intake.json_values import shown
from supervisor.intake.kinds import kind_of
from supervisor.policy import Policy
from supervisor.policy.checks import MOST_PROBLEMS, Problem, no_such, of_parts, of_types, without_echoes
from supervisor.policy.checks import Path as Place
from supervisor.policy.reading import bad_file, bad_policy
from supervisor.specialist import Fact
from supervisor.suggestions import did_you_mean

_OF_THE_ENGINE = frozenset({"policy_file", "business"})  # facts that reading a policy adds


def check_names(policy: Policy, catalog: Catalog) -> None:
    """Raises BadPolicy if the policy has a name that nothing in the catalogue reads, naming its place in the file."""
    problems = [*of_parts(policy), *islice(of_names(policy, catalog), MOST_PROBLEMS)]
    if problems:
        file = policy.facts.get("policy_file")
        raise bad_file(Path(file), problems) if isinstance(file, str) else bad_policy(problems, lambda _: "")


def of_names(policy: Policy, catalog: Catalog) -> Iterator[Problem]:
    """The names in a policy that the catalogue does not have, and the facts whose values no specialist can read."""
    for place, name, is_key in _specialists_in(policy):
        if name not in catalog.known:
            message = no_such("specialist", name, catalog.known, "; `supervisor list` shows them all")
            yield Problem(place, message, is_key)
    for number, each in enumerate(policy.approval.ask):
        for at, family in enumerate(each.families):
            if family not in FAMILIES:
                message = no_such("family", family, FAMILIES, f"; families are {', '.join(FAMILIES)}")
                yield Problem(("approval", "ask", number, "families", at), message)
    if policy.facts.keys() - _OF_THE_ENGINE:
        yield from _facts(policy, catalog)


def _specialists_in(policy: Policy) -> Iterator[tuple[Place, str, bool]]:
    """Every name of a specialist in a policy: its place, the name, and whether it is a key."""
    keyed: dict[Place, Iterable[str]] = {
        ("authority", "specialists"): policy.authority.specialists,
        ("budgets", "specialists"): policy.budgets.specialists,
        ("on_refuse",): policy.on_refuse,
    }
    listed: dict[Place, Iterable[str]] = {
        ("taxonomy", "disabled"): policy.taxonomy.disabled,
        **{("approval", "ask", at, "specialists"): each.specialists for at, each in enumerate(policy.approval.ask)},
        ("approval", "never"): policy.approval.never,
        **{
            ("exemptions", "allow", at, "specialists"): each.specialists
            for at, each in enumerate(policy.exemptions.allow)
        },
        ("exemptions", "never"): policy.exemptions.never,
    }
    yield from (((*place, name), name, True) for place, names in keyed.items() for name in names)
    yield from (((*place, at), name, False) for place, names in listed.items() for at, name in enumerate(names))


def _facts(policy: Policy, catalog: Catalog) -> Iterator[Problem]:
    from supervisor.catalog.facts import FACTS, names

    known, business = names(), policy.business
    records = {name for kind, shape in business.records.items() for name in (kind, shape.table) if name}
    own = {*policy.own_facts, *records, business.customer, *catalog.declared_facts}
    for name, value in policy.facts.items():
        if name in known and name not in policy.own_facts:
            yield from _shape(FACTS[known[name]], name, value)
        elif name not in own:
            hint = did_you_mean(name, [*known, *own - {""}]) or "; docs/facts.md lists those that are read."
            yield Problem(
                ("facts", name), f"no specialist reads it{hint} If it is yours, add it to own_facts", is_key=True
            )


def _shape(fact: Fact, name: str, value: Any) -> Iterator[Problem]:
    """The problems of a fact's value: a specialist that cannot read it would refuse at every action."""
    if fact.shape is Any or name in _OF_THE_ENGINE:
        return
    import orjson
    from pydantic import TypeAdapter, ValidationError

    try:
        TypeAdapter(fact.shape).validate_json(orjson.dumps(value), strict=True)
    except ValidationError as error:
        for problem in without_echoes(of_types(error, value, fact.shape)):
            message = f"{problem.message} (for example {shown(fact.example)})"
            yield Problem(("facts", name, *problem.path), message, problem.is_key)


def of_own_shapes(policy: Policy, catalog: Catalog) -> Iterator[Problem]:
    """The facts whose values a specialist of the deployment's own taxonomy cannot read. Imports these specialists."""
    stated = {name for name in policy.facts if name in catalog.declared_facts}
    own = [entry for entry in catalog.entries.values() if not catalog.is_ours(entry.id)]
    for entry in own:
        if stated.isdisjoint(entry.declared_facts):
            continue
        for fact in catalog.specialist(entry.id).facts:
            if isinstance(fact, Fact):
                for name in stated.intersection((fact.name, *fact.also)):
                    yield from _shape(fact, name, policy.facts[name])


def of_effects(policy: Policy, catalog: Catalog) -> Iterator[Problem]:
    """The names in a policy that are valid but may have no effect, as warnings."""
    for number, name in enumerate(policy.trusted_tools):
        meant = did_you_mean(name, policy.tools)
        if name not in policy.tools and (meant or not name.strip()):
            message = f"no tool {shown(name)} is declared{meant}"
            yield Problem(("trusted_tools", number), message, is_warning=True)
    for number, name in enumerate(policy.own_facts):
        if name in catalog.declared_facts:
            message = "a specialist in the taxonomy declares it, so it need not be here"
            yield Problem(("own_facts", number), message, is_warning=True)
    yield from _kinds_changed(policy)


def _kinds_changed(policy: Policy) -> Iterator[Problem]:
    for tool, shape in policy.tools.items():
        usual = kind_of(tool)
        if usual not in ("tool", shape.kind):
            message = f"the usual kind of {shown(tool)} is {usual}; as {shape.kind} it is not judged as {usual}"
            yield Problem(("tools", tool, "kind"), message, is_warning=True)
