"""docs/facts.md: every fact that a specialist reads, with its meaning, its shape, an example and its readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, get_args, get_type_hints

import orjson

from supervisor.catalog.catalog import Catalog, load_specialist
from supervisor.catalog.discovery import find_pairs
from supervisor.catalog.facts import COMMON, FACTS, GROUPS, names
from supervisor.catalog.manifest import Entry
from supervisor.policy.sections import Taxonomy
from supervisor.specialist import Fact, Specialist

_HEAD = """\
<!-- Made by `supervisor docs` from `supervisor/catalog/facts.py` and the cases; change those, not this page. -->

# Facts

A fact is what a specialist is told about the deployment or the session: in `facts:` of a [policy](policy.md), in
`guard.session(facts=…)`, or as a further key of the `context` of `supervisor check`. An action's own facts override the
session's, and those override the policy's. A policy with a fact that nobody reads does not load, because a typo would
disarm what the fact is for; `own_facts: [name]` declares one of your own
([why](decisions/0032-a-fact-has-a-reader.md)).

Records of the business (orders, customers, invoices) may come as facts under any name; [the policy's page](policy.md)
says how they are found.
"""
_ALL = "every specialist that asks for effects or paths"
_ANY = "the readers of queries, which look through all facts"


def facts_page(catalog: Catalog) -> str:
    """The page."""
    readers = _readers(catalog)
    lines = [_HEAD]
    for title, facts in GROUPS.items():
        lines += [f"## {title}\n"]
        for fact in facts:
            lines += list(_section(fact, readers.get(fact.name, [])))
    return "\n".join(lines)


def _section(fact: Fact, readers: list[str]) -> Iterator[str]:
    yield f"### `{fact.name}`\n"
    yield f"{described(fact)}\n"
    yield f"- shape: {shape_of(fact)}"
    yield f"- example: `{fact.name}: {orjson.dumps(fact.example).decode()}`"
    if fact.also:
        yield f"- other names: {', '.join(f'`{name}`' for name in fact.also)}"
    links = ", ".join(f"[{each.rpartition('/')[2]}](failure-modes/{each}.md)" for each in readers)
    yield f"- read by: {_ALL if fact.name in COMMON else links or _ANY}\n"


def _readers(catalog: Catalog) -> Mapping[str, list[str]]:
    """By fact, the specialists that read it, as `family/id`."""
    found: dict[str, list[str]] = {}
    for entry in catalog.entries.values():
        for name in read_by(entry):
            found.setdefault(name, []).append(f"{entry.family}/{entry.id}")
    return found


def read_by(entry: Entry) -> list[str]:
    """The facts that a specialist reads in its cases, by their first names, without those that nearly all read."""
    known = {**{name: name for name in entry.declared_facts}, **names()}
    return sorted({known[name] for name in entry.facts if name in known} - COMMON)


def told(entry: Entry, own: Iterable[str | Fact] = ()) -> list[dict[str, Any]]:
    """The same facts with meaning, shape and example, for programs. `own` are those that the specialist declares."""
    described_here = {fact.name: fact for fact in own if isinstance(fact, Fact)}
    facts = {**FACTS, **described_here}
    return [_told(facts[name]) if name in facts else {"name": name} for name in read_by(entry)]


def naming_tables(specialists: Iterable[str]) -> list[str]:
    """The facts that name the tables that these specialists query: those that they declare, else `business`, which
    names the tables of records. Only shipped specialists are known. Raises BadTaxonomy."""
    asked = frozenset(specialists)
    found = (load_specialist(pair) for pair in find_pairs(Taxonomy())[0] if pair.id in asked)
    return sorted({name for each in found for name in _tables_of(each) or ["business"]})


def _tables_of(specialist: Specialist) -> list[str]:
    declared = [name for name in specialist.facts if isinstance(name, str)]
    return [name for name in declared if _has_table(FACTS[name].shape)]


def _has_table(shape: Any) -> bool:
    if is_dataclass(shape):
        parts = get_type_hints(shape)
        return "table" in parts or any(map(_has_table, parts.values()))
    return any(map(_has_table, get_args(shape)))


def _told(fact: Fact) -> dict[str, Any]:
    return {"name": fact.name, "meaning": described(fact), "shape": shape_of(fact), "example": fact.example}


def described(fact: Fact) -> str:
    """The meaning on one line."""
    return " ".join(fact.meaning.split())


def shape_of(fact: Fact) -> str:
    """The type of a fact's value in words: `list of texts`."""
    from pydantic import TypeAdapter

    schema = TypeAdapter(fact.shape).json_schema()
    return _words(schema, schema.get("$defs", {}))


_WORDS = {"string": "text", "number": "number", "integer": "whole number", "boolean": "true or false", "null": "null"}


def _words(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _words(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        return " or ".join(_words(each, definitions) for each in schema["anyOf"])
    if "items" in schema:
        return f"list of ({_words(schema['items'], definitions)})"
    if "properties" in schema:
        return "object with " + ", ".join(f"`{name}`" for name in schema["properties"])
    if isinstance(schema.get("additionalProperties"), Mapping):
        return f"object, by name ({_words(schema['additionalProperties'], definitions)})"
    return _WORDS.get(schema.get("type", ""), "object" if schema.get("type") == "object" else "anything")
