"""Pushes that were rejected and are now forced, although an output showed whose commits they overwrite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from supervisor.action import Context, Step, strings_in
from supervisor.evidence.changes.clauses import fold, said_by_user
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked

_LATEST = 20  # steps
_MOST_TEXT = 16 * 1024  # characters of one output
_REJECTED = re.compile(r"! \[rejected\][^\n]{0,200}\((?:stale info|fetch first)\)")
_INTEGRATED = re.compile(r"git (?:pull|merge|rebase)\b[^\n]{0,200}(?:origin|upstream|@\{u|\bpull\b)")
_COMMIT = re.compile(r"(?m)^\s*[0-9a-f]{7,40} (\S[^\n]{0,160})$")
_THEIRS = re.compile(r"git (?:log|rev-list|shortlog|cherry)\b[^\n;&|]{0,200}\.\.\s?(?:origin|upstream|\S+/)\S*")


class Overwritten(NamedTuple):
    """What shows that the remote has commits that a forced push would discard."""

    shown: str


def commits_to_be_lost(context: Context) -> Overwritten | None:
    """The latest sign that the remote branch has commits of others, unless they were integrated since."""
    for step in islice(reversed(context.history), _LATEST):
        asked = " ".join(text[:2_000] for _, text in strings_in(step.args))
        if found := next(_signs(step, asked), None):
            return Overwritten(found.strip()[:200])
        if _INTEGRATED.search(asked) and not step.failed:
            return None
    return None


def _signs(step: Step, asked: str) -> Iterator[str]:
    text = step.text[:_MOST_TEXT]
    if _THEIRS.search(asked) and (commit := _COMMIT.search(text)):
        yield commit[0]
    if "--force" not in asked or "lease" in asked:
        yield from (found[0] for found in islice(_REJECTED.finditer(text), 1))


_REWRITES = re.compile(r"\bgit[ -]filter-(?:repo|branch)\b|\bbfg\b")
_HISTORY = re.compile(r"\bhistor|\bverlauf|\bgeschiedenis|истори|히스토리|이력|履歴|历史")
_BY_FORCE = re.compile(
    r"\bforc(?:e|es|ed|ing|ee|er|es|ez)\b|\bforce-?push|\bna sile\b|\bwymus|\bfuerz|\bforza[dt]|\bforcad"
    r"|\bforca\b|\berzwing|\bgeforceer|принудительн|форс|강제|強制|强制"
)


def rewrites_as_wanted(text: str, context: Context) -> bool:
    """Whether a script takes something out of the whole history and pushes that, and the user says both: to take it out
    of the history, and to push by force."""
    said = fold(said_by_user(context))
    words = bool(_HISTORY.search(said) and _BY_FORCE.search(said))
    return words and _REWRITES.search(text) is not None and is_asked({Verb.PUSH}, context)
