"""Facts: each one that a specialist or the evidence reads is declared, described, and in force under its shape."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import orjson
import pytest
import yaml
from pydantic import TypeAdapter

import supervisor
from supervisor.catalog import fact_shapes
from supervisor.catalog.catalog import Catalog, open_catalog
from supervisor.catalog.fact_pages import facts_page, naming_tables, shape_of
from supervisor.catalog.facts import COMMON, FACTS, GROUPS, names
from supervisor.catalog.policy_names import check_names
from supervisor.catalog.policy_schema import DESCRIPTIONS, policy_schema
from supervisor.errors import BadPolicy
from supervisor.policy import Taxonomy, read_policy

PACKAGE = Path(supervisor.__file__).parent
ROOT = Path(__file__).parents[2]
# Found by looking through all facts, not by a lookup.
UNLISTED = {"environment"}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return open_catalog(Taxonomy(preview=True))


def test_the_facts_that_name_tables_are_found_by_their_shape(catalog):
    readers = ["duplicate_refund_same_order", "payment_rate_exceeded", "of_a_plugin"]
    assert naming_tables(readers) == ["rates", "refunds"]
    assert naming_tables(["refund_exceeds_payment"]) == ["business"]
    assert naming_tables(["of_a_plugin"]) == []
    assert "business" in catalog.entries["refund_exceeds_payment"].facts


@pytest.mark.parametrize("fact", FACTS.values(), ids=FACTS.keys())
def test_an_example_has_the_shape(fact):
    TypeAdapter(fact.shape).validate_json(orjson.dumps(fact.example), strict=True)
    assert fact.meaning.endswith(".")
    assert shape_of(fact)


def test_no_name_stands_for_two_facts():
    every = [name for group in GROUPS.values() for fact in group for name in (fact.name, *fact.also)]
    assert sorted(every) == sorted(set(every))


def test_every_fact_that_is_described_is_read(catalog):
    read = {names().get(name, name) for entry in catalog.entries.values() for name in entry.facts}
    assert FACTS.keys() - read - UNLISTED - COMMON == set()


def lookups(source: str) -> set[str]:
    """The facts that code looks up under a literal name: `facts.get("x")`, `facts["x"]`, `"x" in facts`."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        name: ast.expr | None = None
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get"
            and node.args
        ):
            name, of = node.args[0], node.func.value
        elif isinstance(node, ast.Subscript):
            name, of = node.slice, node.value
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
            name, of = node.left, node.comparators[0]
        is_facts = name is not None and getattr(of, "attr", getattr(of, "id", "")) == "facts"
        if is_facts and isinstance(name, ast.Constant) and isinstance(name.value, str):
            found.add(name.value)
    return found


def test_the_ways_of_looking_up_are_seen():
    assert lookups('a = context.facts.get("x")\nb = facts["y"]\nc = "z" in context.facts\nd = other.get("w")') == {
        *("x", "y", "z")
    }


def test_whatever_the_evidence_looks_up_is_described():
    files = [*(PACKAGE / "evidence").rglob("*.py"), *(PACKAGE / "methods").rglob("*.py"), PACKAGE / "action.py"]
    read = {name for file in files for name in lookups(file.read_text(encoding="utf-8"))}
    assert len(read) > 15
    assert read - names().keys() == set()


def test_whatever_a_specialist_looks_up_is_declared(catalog):
    for pair in catalog.pairs:
        declared = catalog.entries[pair.id].declared_facts + catalog.entries[pair.id].needs_facts
        known = {name for each in declared for name in (each, *(FACTS[each].also if each in FACTS else ()))}
        assert lookups(Path(pair.specialist).read_text(encoding="utf-8")) <= known, pair.id


def test_a_specialist_that_reads_an_undeclared_fact_does_not_load(run, tiny):
    tiny.specialist("files/touches_flag").write_text(
        tiny.specialist("files/touches_flag").read_text().replace("    if ", '    context.facts.get("tariff")\n    if ')
    )
    ran = run("check", "--policy", tiny.policy, stdin='{"tool": "bash", "args": {"command": "ls"}}')
    assert ran.code == 2
    assert "it reads the fact 'tariff'; declare it: @specialist(…, facts=['tariff'])" in ran.err


class TestThePolicy:
    """The facts of a policy, against those that specialists read."""

    def problem(self, tmp_path: Path, catalog: Catalog, text: str) -> str:
        file = tmp_path / "policy.yaml"
        file.write_text(text, encoding="utf-8")
        try:
            check_names(read_policy(file), catalog)
        except BadPolicy as error:
            return str(error).removeprefix(str(file))
        return ""

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "facts: {refund_window_day: 30}",
                ":1:9: facts.refund_window_day: no specialist reads it; did you mean 'ref",
            ),
            ("facts: {tariff: 3}", ":1:9: facts.tariff: no specialist reads it; docs/facts.md lists"),
            ("facts:\n  refunds: {tabel: x}", ":2:13: facts.refunds.tabel: no such key; did you mean 'table'?"),
            ("facts: {refund_window_days: thirty}", ":1:29: facts.refund_window_days: must be a valid number"),
            ("facts: {quiet_hours: {from: '21:00'}}", ":1:22: facts.quiet_hours.to: is missing"),
            ("facts: {allowed_domains: example.com}", ":1:26: facts.allowed_domains: must be a valid list"),
            (
                "on_refuse: {table_droped: block}",
                ":1:13: on_refuse.table_droped: no specialist 'table_droped'; did you m",
            ),
            ("taxonomy: {disabled: [table_droped]}", ":1:23: taxonomy.disabled.0: no specialist"),
            ("approval: {ask: [{families: [gti]}]}", ":1:30: approval.ask.0.families.0: no family 'gti'; did you mean"),
            ("approval: {never: [guard_disarmd]}", ":1:20: approval.never.0: no specialist 'guard_disarmd'; did you"),
        ],
    )
    def test_a_name_that_nothing_reads_stops_the_start(self, tmp_path, catalog, text, told):
        assert self.problem(tmp_path, catalog, text).startswith(told)

    @pytest.mark.parametrize(
        "text",
        [
            "facts: {tariff: 3}\nown_facts: [tariff]",
            "facts: {suppliers: [Example Ltd], authenticated_member_id: m-1}",
            "facts: {purchase: []}\nbusiness: {records: {order: {table: purchase}}}",
            "facts: {client_no: c-1}\nbusiness: {customer: client_no}",
            *(yaml.safe_dump({"facts": {fact.name: fact.example}}) for fact in FACTS.values()),
        ],
    )
    def test_facts_that_are_read_or_declared(self, tmp_path, catalog, text):
        assert self.problem(tmp_path, catalog, text) == ""


def test_facts_of_ones_own_specialists(run, tiny):
    source = tiny.specialist("files/touches_flag").read_text()
    declared = 'Fact("tariff", "The tariff.", float, 3)'
    source = source.replace("Context, ", "Context, Fact, ").replace('("shell")', f'("shell", facts=[{declared}])')
    tiny.specialist("files/touches_flag").write_text(
        source.replace("    if ", '    context.facts.get("tariff")\n    if ')
    )
    tiny.set_policy(facts={"tariff": 4})
    assert run("policy", "check", tiny.policy).code == 0
    tiny.set_policy(facts={"tariff": "four"})
    assert "facts.tariff: must be a valid number (for example 3)" in run("policy", "check", tiny.policy).out
    tiny.set_policy(facts={"tarif": 4})
    assert "facts.tarif: no specialist reads it; did you mean 'tariff'?" in run("policy", "check", tiny.policy).out
    explained = json.loads(run("explain", "touches_flag", "--json", "--policy", tiny.policy).out)
    assert explained["facts"] == [{"name": "tariff", "meaning": "The tariff.", "shape": "number", "example": 3}]


def test_the_page_and_the_schema_are_those_that_are_published(catalog):
    page = facts_page(open_catalog(Taxonomy()))
    assert (ROOT / "docs" / "facts.md").read_text(encoding="utf-8") == page, "run `supervisor docs`"
    schema = json.loads((ROOT / "docs" / "policy.schema.json").read_text(encoding="utf-8"))
    assert schema == json.loads(json.dumps(policy_schema())), "run `supervisor docs`"


def test_every_key_of_a_policy_is_described_and_no_other_is_allowed():
    schema = policy_schema()
    for name, keys in DESCRIPTIONS.items():
        section = schema if name == "Policy" else schema["$defs"][name]
        assert section["properties"].keys() == keys.keys(), name
        assert section["additionalProperties"] is False, name
    sections = {
        name for name, each in schema["$defs"].items() if "properties" in each and not hasattr(fact_shapes, name)
    }
    assert sections == DESCRIPTIONS.keys() - {"Policy"}
