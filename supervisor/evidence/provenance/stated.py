"""The values of an action that only sentences in what was read state."""

from __future__ import annotations

from functools import cached_property

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import is_numeric
from supervisor.evidence.provenance import Provenance, provenance
from supervisor.evidence.provenance.fields import is_stated, records
from supervisor.evidence.provenance.origins import Value
from supervisor.evidence.provenance.spellings import SpelledValue, values_of

_NUMERIC = frozenset({"account", "phone", "code", "number"})


@reader
def stated_values(action: Action, context: Context) -> tuple[tuple[Value, SpelledValue], ...]:
    """The values of the action that neither the user nor a record has, and that outputs state in sentences alone.

    Raises Unreadable as `provenance` does.
    """
    origins = provenance(action, context)
    spelt = {each.text: each for each in values_of(action, context)}
    kept = _Kept(context)
    return tuple(
        (value, spelt[value.text])
        for value in origins.values
        if value.passages and not value.in_task and _is_only_stated(spelt[value.text], value, origins, kept)
    )


def _is_only_stated(spelt: SpelledValue, value: Value, origins: Provenance, kept: _Kept) -> bool:
    said = [origins.sources.passages[number] for number in value.passages]
    return all(is_stated(each.text, spelt.spellings) for each in said) and not kept.has(spelt)


class _Kept:
    """The values that any field of the records holds."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def _texts(self) -> set[str]:
        return {field.text for record in records(self._context) for field in record.fields}

    @cached_property
    def _numbers(self) -> set[str]:
        fields = (field for record in records(self._context) for field in record.fields)
        return {field.text.replace(" ", "") for field in fields if field.sort in _NUMERIC}

    def has(self, value: SpelledValue) -> bool:
        if any(each in self._texts for each in value.spellings):
            return True
        return any(is_numeric(each) and each.replace(" ", "") in self._numbers for each in value.spellings)
