"""Whether a call or a setting is what a row describes: the texts of its arguments, and what stands around it."""

from __future__ import annotations

import functools
import re

from supervisor.evidence.flows.calls import words_near
from supervisor.evidence.flows.expressions import Expr
from supervisor.evidence.flows.patterns import arguments
from supervisor.evidence.flows.places import Place, statement_of
from supervisor.evidence.flows.table import Condition, Conditions, Fault, shared, weaknesses
from supervisor.evidence.flows.values import Values

MAX_CODE = 400  # characters of a value that is no text
_AFTER = {"guarded": 160}  # characters that follow and count as near: a hash is made first and fed later


class Surroundings:
    """The conditions of rows in one program."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.program = values.program
        self._sought: dict[re.Pattern[str], bool] = {}

    @functools.cached_property
    def code(self) -> str:
        """The whole code."""
        return self.program.source.decode("utf-8", "replace")

    def has(self, call: Expr, when: Conditions) -> bool:
        """Whether the arguments of a call have these texts."""
        return all(
            any(self.is_like(each, condition) for each in arguments(call, (condition.place,))) for condition in when
        )

    def is_like(self, value: Expr, condition: Condition) -> bool:
        """Whether the text of a value, or the code that it is, meets a condition."""
        told = self.values.text(value)
        if told is not None or condition.literal:
            return told is not None and condition.wanted.search(told) is not None
        first = self.values.bound(value) if condition.place == "self" else None
        written = [self.program.text(each.node)[:MAX_CODE] for each in (value, first) if each is not None]
        return any(condition.wanted.search(text) for text in written)

    def is_among(self, far: re.Pattern[str] | None, needs: re.Pattern[str] | None) -> bool:
        """Whether the code has what a row needs, and not what excludes it."""
        return not (far is not None and self._occurs(far)) and (needs is None or self._occurs(needs))

    def _occurs(self, wanted: re.Pattern[str]) -> bool:
        """Whether the code has a text somewhere; it is looked through once."""
        if wanted not in self._sought:
            self._sought[wanted] = wanted.search(self.code) is not None
        return self._sought[wanted]

    def stands(self, fault: Fault, place: Place) -> bool:
        """Whether the action adds a setting, in surroundings that make it a fault."""
        program = self.program
        if not program.is_new(place.node) or not self.is_among(fault.far, fault.needs):
            return False
        unless = weaknesses()[fault.weakness].unless
        if unless is None and not fault.near:
            return True
        statement = statement_of(program, place)
        if unless is not None and unless.search(program.text(statement)[:MAX_CODE]):
            return False
        if not fault.near:
            return True
        near = words_near(program, place.node, statement, _AFTER.get(fault.near, 0))
        own = words_near(program, place.node, statement)
        return not near.isdisjoint(shared(fault.near)) and own.isdisjoint(shared("sums"))
