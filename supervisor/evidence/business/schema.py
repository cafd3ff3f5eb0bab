"""What the policy says of its business, as a fact that every decision carries."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from supervisor.action import Action, Context
from supervisor.business import FACT, Schema
from supervisor.evidence import reader

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@reader
def schema(action: Action, context: Context) -> Schema:
    """What the policy says of its business, checked when it was read; a fact of another form says nothing."""
    stated = context.facts.get(FACT)
    return schema_from(stated) or Schema() if isinstance(stated, Mapping) and stated else Schema()


def schema_from(stated: Mapping[str, Any]) -> Schema | None:
    """The schema that plain values describe; None where they describe none."""
    from pydantic import ValidationError

    try:
        return _adapter().validate_python(stated)
    except ValidationError:
        return None


@functools.cache
def _adapter() -> TypeAdapter[Schema]:
    from pydantic import TypeAdapter

    return TypeAdapter(Schema)
