"""What the policy says of its business, as a fact that every decision carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.policy.business import FACT, Column, Schema, Shape, Tool


@reader
def schema(action: Action, context: Context) -> Schema:
    """What the policy says of its business. It was validated when the policy was read, so a fact of another form is
    none of the policy's and says nothing; reading it takes microseconds, and no library that validates."""
    stated = context.facts.get(FACT)
    if not isinstance(stated, Mapping) or not stated:
        return Schema()
    try:
        return schema_from(stated)
    except (TypeError, AttributeError, ValueError):
        return Schema()


def schema_from(stated: Mapping[str, Any]) -> Schema:
    """The schema that plain values describe. TypeError, AttributeError or ValueError where they describe none."""
    parts = dict(stated)
    return Schema(
        records={kind: _shape(shape) for kind, shape in parts.pop("records", {}).items()},
        tools={
            name: Tool(**{**tool, "states": tuple(tool.get("states", ()))}) for name, tool in _items(parts, "tools")
        },
        arguments={role: tuple(names) for role, names in _items(parts, "arguments")},
        states={kind: {act: tuple(states) for act, states in acts.items()} for kind, acts in _items(parts, "states")},
        **parts,
    )


def _items(parts: dict[str, Any], name: str) -> Any:
    return parts.pop(name, {}).items()


def _shape(columns: Mapping[str, Any]) -> Shape:
    told: dict[str, Any] = {
        name: Column(**each) if isinstance(each, Mapping) else each for name, each in columns.items()
    }
    return Shape(**told)
