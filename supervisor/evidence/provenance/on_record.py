"""Whether what an agent says stands in the session's records: the outputs of its tools and the deployment's policy."""

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
    """The stems and figures in the records. The task is none: what a customer wishes for is no record of it."""
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
    """The figures of a text, without the separators of thousands and needless zeros."""
    return frozenset(_form(word) for word in _WORD.findall(text) if word[0].isdigit())


def _form(word: str) -> str:
    if not word[0].isdigit():
        return stem(word)
    plain = word.replace(",", "").rstrip(".")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def all_recorded(action: Action, context: Context, words: Iterable[str]) -> bool:
    """Whether there is something to look for, and the records have all of it."""
    wanted = frozenset(words)
    return bool(wanted) and wanted <= recorded(action, context)
