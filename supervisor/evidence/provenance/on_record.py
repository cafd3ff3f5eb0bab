"""Whether an agent's statement is in the session's records: the outputs of its tools and the deployment's policy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.prose.concepts import stem
from supervisor.evidence.prose.passages import said
from supervisor.evidence.provenance import TRUSTED_FACTS

_LATEST = 40  # steps
_LONGEST = 256 * 1024  # characters of all records together
_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*")


@reader
def recorded(action: Action, context: Context) -> frozenset[str]:
    """The stems and figures in the records. The task is not a record: a customer's wish does not prove anything."""
    found: set[str] = set()
    left = _LONGEST
    for text in _texts(context):
        found.update(map(_form, _WORD.findall(text[:left].casefold())))
        left -= len(text)
        if left <= 0:
            break
    return frozenset(found)


def _texts(context: Context) -> Iterator[str]:
    for name in TRUSTED_FACTS:
        yield from (text for _, text in strings_in(context.facts.get(name)))
    for step in reversed(context.history[-_LATEST:]):
        if not step.failed:
            yield f"{step.tool.replace('_', ' ')} {said(step.output)}"


def figures(text: str) -> frozenset[str]:
    """The figures of a text, without thousands separators and redundant zeros."""
    return frozenset(_form(word) for word in _WORD.findall(text) if word[0].isdigit())


def _form(word: str) -> str:
    if not word[0].isdigit():
        return stem(word)
    plain = word.replace(",", "").rstrip(".")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def all_recorded(action: Action, context: Context, words: Iterable[str]) -> bool:
    """Whether there are words with stems or figures, and the records contain all of them."""
    wanted = frozenset(words)
    return bool(wanted) and wanted <= recorded(action, context)
