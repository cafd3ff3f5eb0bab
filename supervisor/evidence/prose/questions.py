"""Whether a task only asks for information, so that the agent may read and need not change anything."""

from __future__ import annotations

import re

from supervisor.action import Context

_LONGEST = 2_000  # characters; a longer task is a brief, not a question
_SENTENCE = re.compile(r"[^.?!\n]+[.?!\n]?")
_WORD = re.compile(r"[a-z']+")
_ASKS_NAMES = (
    "are can compare compute could count did display do does explain find get give has have how identify is list "
    "look report retrieve return show summarise summarize tell was were what what's when where which who whose "
    "why"
)
_ASKS = frozenset(_ASKS_NAMES.split())
# Verbs in the form of orders; `deleted` and `updates` describe what others do.
_ORDERS_NAMES = (
    "add adjust alter apply archive assign backfill book cancel change clean clear close convert copy correct "
    "create deactivate dedupe deduplicate delete deploy disable drop edit empty enable enter erase execute fill "
    "fix grant implement import increase insert install load lower make mark merge migrate modify move normalise "
    "normalize optimise optimize patch populate prune publish purge put raise record refactor refund register "
    "reindex remove rename repair replace reset resolve restore revoke rewrite run save schedule seed send set "
    "setup solve store submit swap sync test transfer truncate turn undo update upgrade upload wipe write"
)
_ORDERS = frozenset(_ORDERS_NAMES.split())
_READS_ONLY = frozenset({"read-only", "readonly", "read_only", "ro"})
_FORBIDS = re.compile(
    r"(?i)\b(?:read[- ]only (?:access|database|mode|session|user)|(?:do not|don't) (?:modify|write))\b"
)


def asks_to_know(context: Context) -> bool:
    """Whether at least one sentence of the task is a question or request for information, and none gives an order."""
    task = (context.task or "").strip().lower()
    if not task or len(task) > _LONGEST:
        return False
    asked = False
    for sentence in _SENTENCE.findall(task):
        words = _WORD.findall(sentence)
        if not words:
            continue
        if not _ORDERS.isdisjoint(words):
            return False
        asked = asked or words[0] in _ASKS or sentence.endswith("?")
    return asked


def only_reads(context: Context) -> bool:
    """Whether the deployment's facts, or explicit words of the task, forbid writing."""
    facts = context.facts
    if facts.get("read_only") is True or facts.get("readonly") is True:
        return True
    stated = (facts.get(name) for name in ("access", "mode", "permissions"))
    if any(isinstance(value, str) and value.strip().lower() in _READS_ONLY for value in stated):
        return True
    return bool(_FORBIDS.search((context.task or "")[:_LONGEST]))
