"""Suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_NEAREST = 0.6  # the least similarity (difflib's ratio) of a suggestion
_LONGEST = 200  # characters of a name that is compared: the comparison is quadratic


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``did you mean `x`?`` for the known name that is most similar to `name`, or "" if none is similar.

    Names are compared in lower case, and `-` counts as `_`. If no name is similar as a whole, a known name that begins
    with `name` is suggested, the shortest first.
    """
    spelled = {_folded(each): each for each in sorted(known, reverse=True)}
    wanted = _folded(name)
    if not wanted or len(wanted) > _LONGEST:
        return ""
    begun = sorted((each for each in spelled if each.startswith(wanted)), key=lambda each: (len(each), each))
    near = difflib.get_close_matches(wanted, spelled, n=1, cutoff=_NEAREST) or begun[:1]
    return f"did you mean `{spelled[near[0]]}`?" if near else ""


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")
