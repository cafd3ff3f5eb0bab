"""Values as JSON, so that a specialist gets the same values live as in a replay from the record."""

from __future__ import annotations

from typing import Any

import orjson


def plain(value: Any) -> Any:
    """A deep copy of `value` in JSON types. Raises TypeError if there is none (a set, an integer beyond 64 bits).

    A decimal becomes its exact text, a date or time its ISO 8601 form, a UUID its text, bytes their hexadecimal form,
    a float that is not finite None.
    """
    return orjson.loads(encoded(value))


def encoded(value: Any) -> bytes:
    """The same as JSON text."""
    return orjson.dumps(value, default=_in_json_terms, option=orjson.OPT_NON_STR_KEYS)


def _in_json_terms(value: Any) -> Any:
    from datetime import timedelta
    from decimal import Decimal

    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if isinstance(value, (Decimal, timedelta)):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
