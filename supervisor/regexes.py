"""Regular expressions that are compiled when they are first used, or before anything whose time is limited.

The `re` module compiles some of the larger ones in milliseconds. Most actions need few of them.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_pending: list[_Pattern] = []


def compile_later(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The same as `re.compile`, which runs when a method of the result is first used. An error shows only then.

    The result has the methods and attributes of a compiled pattern, but functions of `re` do not take it.
    """
    made = _Pattern(expression, flags)
    _pending.append(made)
    return cast("re.Pattern[AnyStr]", made)


def compile_pending() -> None:
    """Compiles whatever nothing has used yet. Raises re.error."""
    while _pending:
        _pending.pop().compile()


class _Pattern:
    """Its attributes are copied from the compiled pattern, so that a second use costs no more than there."""

    def __init__(self, expression: Any, flags: int) -> None:
        self._source = expression, flags

    def compile(self) -> None:
        if "search" not in vars(self):
            compiled = re.compile(*self._source)
            vars(self).update({name: getattr(compiled, name) for name in dir(compiled) if not name.startswith("_")})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self.compile()
        return object.__getattribute__(self, name)
