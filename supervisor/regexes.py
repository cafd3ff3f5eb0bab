"""Regular expressions that are compiled on first use, or before code that runs under a deadline.

The `re` module compiles some of the larger ones in milliseconds. Most actions need few of them.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_pending: list[_Pattern] = []


def compile_later(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but the expression is compiled when the result is first used. Raises re.error only then.

    The result has the methods and attributes of a compiled pattern, but the functions of `re` do not accept it.
    """
    pattern = _Pattern(expression, flags)
    _pending.append(pattern)
    return cast("re.Pattern[AnyStr]", pattern)


def compile_pending() -> None:
    """Compiles all expressions that were not used yet. Raises re.error."""
    while _pending:
        _pending.pop().compile()


def compile_linear(expression: str) -> Any:
    """An RE2 pattern of an expression that an agent or a person wrote. RE2 prints nothing if it is wrong. Raises
    re2.error."""
    import re2

    options = re2.Options()
    options.log_errors = False
    return re2.compile(expression, options)


class _Pattern:
    """A pattern that copies the compiled pattern's attributes, so that later uses have no overhead."""

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
