"""The policy's section about the business, which every decision has as a fact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.policy.business import FACT, Column, Schema, Shape, Tool


@reader
def schema(action: Action, context: Context) -> Schema:
    """The schema in the policy's section about the business.

    The section was validated when the policy was loaded, so a fact of another form does not come from the policy and is
    ignored. Reading it takes microseconds and no validation library.
    """
    stated = context.facts.get(FACT)
    if not isinstance(stated, Mapping) or not stated:
        return Schema()
    try:
        return schema_from(stated)
    except (TypeError, AttributeError, ValueError):
        return Schema()


def schema_from(stated: Mapping[str, Any]) -> Schema:
    """The schema that plain values describe. Raises TypeError, AttributeError or ValueError if they describe none."""
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
    fields: dict[str, Any] = {
        name: Column(**each) if isinstance(each, Mapping) else each for name, each in columns.items()
    }
    return Shape(**fields)
