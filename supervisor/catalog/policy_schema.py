"""The JSON Schema of a policy, for completion and checks in editors: the source of docs/policy.schema.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.catalog.fact_pages import described
from supervisor.catalog.facts import FACTS
from supervisor.catalog.failure_mode import FAMILIES
from supervisor.intake.kinds import KINDS
from supervisor.policy import Policy

# By class and key: what a person has to know to fill it in.
DESCRIPTIONS: Mapping[str, Mapping[str, str]] = {
    "Policy": {
        "authority": "The greatest verdict of each specialist: record < flag < nudge < block < revert.",
        "budgets": "Milliseconds after which a specialist has no vote.",
        "patience": "Nudges that an agent may ignore in a session before the same action is blocked: 0 to 100.",
        "on_refuse": "By specialist, the verdict of a refusal that the input caused.",
        "tools": "By tool, its kind and the arguments that play the parts of that kind.",
        "trusted_tools": "Tools whose outputs no outsider can write. They count as the deployment's own words.",
        "facts": "What specialists are told about this deployment; docs/facts.md lists the facts that they read.",
        "own_facts": "Names of facts that no specialist reads, and that are meant all the same.",
        "doors": "Where specialists may ask: a database, the web, a model.",
        "records": "Where decisions are recorded.",
        "memory": "What is remembered of each agent across its sessions.",
        "review": "What people look at besides what was stopped or flagged, as shares from 0 to 1.",
        "isolation": "Where specialists judge: in workers (auto, fork, spawn), or in this process (none).",
        "workers": "The processes for specialists that could not be stopped in this one.",
        "hooks": "What happens to a command-line agent's action if the hook itself fails.",
        "taxonomy": "The failure modes in force.",
        "business": "The names that the business uses for its records, columns, tools and arguments.",
        "telemetry": "Whether decisions are sent to OpenTelemetry.",
        "approval": "The objections about which a person is asked.",
        "projects": "What the policies of projects may do to this one, the user's.",
        "spending": "What tasks of the runtime may spend, and what models cost.",
        "exemptions": "Actions that may run although a specialist objects, and specialists that allow none.",
    },
    "Authority": {
        "default": "The greatest verdict where nothing more specific is granted.",
        "kinds": "The same by kind of action.",
        "specialists": "The same by specialist, or by specialist and kind.",
    },
    "Budgets": {
        "pure_ms": "For specialists that only look at the action.",
        "doors_ms": "For specialists that ask a database, the web or a model.",
        "kinds": "By kind of action.",
        "specialists": "By specialist.",
    },
    "ToolShape": {
        "kind": "The kind of action that a call of this tool is.",
        "fields": "By part of the kind, the argument that plays it, or a pointer such as `=/input/command`.",
    },
    "DoorPolicy": {
        "database": "The deployment's own database, read-only.",
        "http": "How pages are fetched.",
        "model": "An OpenAI-compatible endpoint for judges.",
    },
    "DatabaseDoor": {
        "url": "`sqlite:///path/to/file.db` or `postgresql://user@host/name`.",
        "timeout_ms": "The bound of one query, connecting included.",
    },
    "HttpDoor": {
        "allow_private": "Private hosts and networks that may be read.",
        "max_bytes": "The greatest size of a page.",
        "timeout_ms": "The bound of one fetch, redirects included.",
        "max_redirects": "The greatest number of redirects.",
    },
    "ModelDoor": {
        "url": "The base, such as `http://localhost:11434/v1`.",
        "name": "The model's name.",
        "key_env": "The environment variable that holds the key; never the key itself.",
        "timeout_ms": "The bound of one question.",
    },
    "Records": {
        "path": "The folder; null for no records.",
        "key": "The Ed25519 private key in PEM, created at the first use.",
        "on_failure": "The least verdict of a decision that could not be recorded.",
        "durability": "`write` survives the death of the process, `sync` also that of the machine.",
        "signatures": "`each`: every record is signed; `sealed`: decisions have a MAC, and are signed together soon.",
        "rotate_mb": "The size in MB at which a segment is closed, and the next one begun.",
        "rotate_hours": "The age in hours at which a segment is closed, and the next one begun.",
    },
    "Memory": {
        "days": "Days for which a refused act is remembered; 0 for no memory.",
        "half_life_days": "Days after which a stop counts half.",
        "escalate_after": "Unheeded stops in other sessions after which the next nudge is a block; 0: never.",
        "flag_after": "Unheeded stops in other sessions after which what the agent changes is flagged; 0: never.",
    },
    "Review": {
        "judges": "Of the decisions for which a model answered, those that people look at in any case.",
        "overlap": "Of the decisions that one person has judged, those that a second person judges, too.",
    },
    "Workers": {
        "count": "Workers at once; 0 for as many as there are processors, at least two.",
        "memory_mb": "The address space of each.",
        "on_failure": "The least verdict of a decision for which no worker was available.",
    },
    "Hooks": {"on_failure": "`block`, or `ok`, which lets the action run with a message."},
    "Taxonomy": {
        "folders": "Folders with a taxonomy/ and a specialists/, relative to the policy.",
        "plugins": "Installed packages, by their names in the entry-point group supervisor.taxonomy.",
        "disabled": "Specialists that are not in force.",
        "preview": "Whether entries in preview are in force.",
        "shipped": "Whether the shipped entries are in force.",
    },
    "Schema": {
        "records": "By kind of record, its table and columns.",
        "tools": "By tool, the act that it does.",
        "arguments": "By kind of record, `customer`, `instrument`, `amount` or `currency`: names of such arguments.",
        "customer": "The fact that contains the customer of the request.",
        "states": "By kind of record and act, the states in which the act is allowed.",
    },
    "Shape": {
        "table": "The table in the database, and the name in the facts.",
        "id": "The column of the record's id.",
        "owner": "The column of the customer that it belongs to.",
        "state": "The column of its state.",
        "total": "The column of its amount, or `{column, unit: cents}`.",
        "paid": "The column of the paid amount.",
        "refunded": "The column of the refunded amount.",
        "due": "The column of the open amount.",
        "instrument": "The column of the means of payment.",
        "currency": "The column of the currency.",
    },
    "Column": {"column": "The name of the column.", "unit": "Whole units of the currency, or cents."},
    "Tool": {
        "act": "Such as cancel, modify, return, exchange, refund, pay.",
        "record": "The kind of record that it acts on.",
        "states": "The states in which it is allowed.",
        "unit": "The unit of its amount.",
    },
    "TelemetryPolicy": {
        "enabled": "Whether decisions are sent.",
        "arguments": "Whether the arguments of actions are sent, with secrets masked.",
    },
    "ApprovalPolicy": {
        "ask": "The objections about which a person is asked.",
        "never": "Specialists that no person may overrule.",
        "where": "`host`: the host asks its own user if it can; `queue`: only the queue asks.",
        "wait": "Seconds that a caller waits for an answer: 0 to 3600.",
        "otherwise": "The verdict without an answer by then.",
        "valid_for": "Seconds that a question is open and an answer valid.",
    },
    "Projects": {"may_loosen": "Whether they may loosen it: false, true, or the folders of those that may."},
    "SpendingPolicy": {
        "task": "For each task.",
        "tree": "For each task that no other one has added, with all that it adds.",
        "day": "For everything on a day (UTC).",
        "providers": "For each provider on a day (UTC): anthropic, openai, google.",
        "prices": "By the name of a model; a name that ends with `*` stands for all that begin like it.",
        "gateway": "Whether a gateway on loopback stands between workers and providers where API keys are used.",
    },
    "Cap": {"dollars": "US dollars.", "tokens": "Tokens that models read and write."},
    "Price": {
        "input": "US dollars for a million tokens that the model reads.",
        "output": "The same for those that it writes.",
        "cached": "The same for those that it reads from a cache; by default as `input`.",
        "stored": "The same for those that it puts into a cache; by default as `input`.",
    },
    "ExemptionPolicy": {
        "allow": "The exemptions that the policy declares.",
        "never": "Specialists from whose objections nobody may exempt an action.",
    },
    "DeclaredExemption": {
        "specialists": "The specialists whose objections it lifts.",
        "reason": "Why such actions are fine. Required.",
        "command": "A shell command, as typed in `project`.",
        "path": "An absolute path with all below it, or a pattern (`*`, `**`).",
        "tool": "The name of a tool.",
        "project": "Only actions in this directory.",
        "agent": "Only this agent, by its name.",
        "environment": "Only where the fact `environment` is this.",
        "expires": "The first day (UTC) on which it is not in force any more.",
    },
    "Askable": {
        "verdicts": "The verdicts of such objections.",
        "specialists": "Only these specialists.",
        "families": "Only these families.",
        "kinds": "Only these kinds of action.",
        "severities": "Only these severities.",
    },
}


def policy_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a policy, with a description of every key and the facts that specialists read."""
    from pydantic import TypeAdapter

    shapes = [(fact.name, "validation", TypeAdapter(fact.shape)) for fact in FACTS.values()]
    sections = TypeAdapter(Policy)
    found, whole = TypeAdapter.json_schemas([("", "validation", sections), *shapes])  # type: ignore[list-item]
    schema: dict[str, Any] = {"$defs": whole["$defs"], **_resolved(found["", "validation"], whole["$defs"])}
    schema |= {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A policy of Supervisor"}
    for name, keys in DESCRIPTIONS.items():
        properties = (schema if name == "Policy" else schema["$defs"][name])["properties"]
        for key, text in keys.items():
            properties[key]["description"] = text
    schema["properties"]["facts"]["properties"] = {
        fact.name: {**found[fact.name, "validation"], "description": described(fact), "examples": [fact.example]}
        for fact in FACTS.values()
    }
    _kinds(schema)
    return schema


def _resolved(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """The definition itself in place of a reference to it."""
    name = schema.get("$ref", "").rpartition("/")[2]
    resolved: dict[str, Any] = definitions.pop(name) if name else schema
    return resolved


def _kinds(schema: dict[str, Any]) -> None:
    """The kinds of action where a kind is expected, and for each kind of a tool its parts."""
    definitions, kinds = schema["$defs"], {"enum": list(KINDS)}
    for section in ("Authority", "Budgets"):
        definitions[section]["properties"]["kinds"]["propertyNames"] = kinds
    definitions["Askable"]["properties"]["kinds"]["items"] = kinds
    definitions["Askable"]["properties"]["families"]["items"] = {"enum": list(FAMILIES)}
    shape = definitions["ToolShape"]
    shape["properties"]["kind"] |= kinds
    shape["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": kind}}},
            "then": {"properties": {"fields": {"propertyNames": {"enum": list(parts)}}}},
        }
        for kind, parts in KINDS.items()
    ]
