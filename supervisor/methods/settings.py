"""How a fault of a configuration is judged: by its weight, by what the file is for, and by what the user asked for.

A test, an example or a document shows bad settings on purpose. What serves a trial may do without protections. What the
user asks for goes to a person, not back to the agent. Only what exposes or destroys, and takes effect at once, is
blocked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.changes.configured import Configured, configured
from supervisor.evidence.configuration import MOVED, Fact, Fault, Weight
from supervisor.evidence.shell import shown
from supervisor.methods.setting_words import ASKS
from supervisor.specialist import block, flag, nudge, ok
from supervisor.verdict import Finding

# Faults that harm nobody in a trial: nothing lasts there, and nobody else reaches it.
_FINE_IN_TRIALS = frozenset(
    {Fault.UNPROTECTED, Fault.DELETES, Fault.LOGIN, Fault.OPEN, Fault.SILENT, Fault.CHECKS, Fault.LOSSY}
)
_WORSE_IN_PRODUCTION = _FINE_IN_TRIALS | {Fault.HOST}
_LONGEST_TASK = 8 * 1024
_NOT = re.compile(r"(?i)(?:\b(?:not|never|without|avoid|keep|no)\b|n't)\W+(?:\w+\W+){0,4}$")


class Lesson(NamedTuple):
    """The texts of a specialist: the fault, which follows "It", and what to write instead."""

    fault: str
    correction: str
    sharper: str = ""


def set_wrongly(fault: Fault, lesson: Lesson, action: Action, context: Context) -> Finding:
    """The strictest finding on the settings of one sort that an action brings."""
    findings = (_judged(file, fact, lesson, context) for file, fact in _facts(fault, action, context))
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _facts(fault: Fault, action: Action, context: Context) -> Iterator[tuple[Configured, Fact]]:
    for file in configured(action, context):
        if not file.is_example:
            yield from ((file, fact) for fact in file.facts if fact.fault is fault)


def _judged(file: Configured, fact: Fact, lesson: Lesson, context: Context) -> Finding:
    if file.is_trial and fact.fault in _FINE_IN_TRIALS:
        return ok()
    reason = f"It {lesson.fault}: “{shown(fact.text)}” in {shown(file.path.rpartition('/')[2])}."
    evidence = (fact.text[:200],)
    is_asked = _is_asked(fact, context)
    if fact.weight is Weight.SLIGHT and not (file.is_production and fact.fault in _WORSE_IN_PRODUCTION):
        return ok() if is_asked else flag(reason, confidence=0.4, evidence=evidence)
    if is_asked:
        if fact.fault is Fault.COST:
            return ok()
        return flag(reason, confidence=0.6, evidence=evidence)
    if fact.weight is Weight.GRAVE and file.at_once:
        return block(f"{reason} It takes effect at once.", evidence=evidence)
    return nudge(reason, correction=lesson.correction, sharper=lesson.sharper, evidence=evidence)


def _is_asked(fact: Fact, context: Context) -> bool:
    """Whether the user asks for it in words, or states the very number."""
    task = (context.task or "")[:_LONGEST_TASK]
    if fact.fault is Fault.COST:
        return str(fact.number) in re.findall(r"\d+", task.replace(",", "").replace(".", ""))
    if fact.key.startswith(MOVED):
        return fact.key.removeprefix(MOVED) in task.lower()
    return is_asked(fact.fault, context)


def _is_in_path(task: str, found: re.Match[str]) -> bool:
    """Whether a word is only a part of a path: "serve /srv/portal/public/logos"."""
    return task[max(0, found.start() - 1) : found.start()] == "/" or task[found.end() : found.end() + 1] == "/"


def is_asked(fault: Fault, context: Context) -> bool:
    """Whether the user asks in words for what a sort of fault does."""
    task = (context.task or "")[:_LONGEST_TASK]
    pattern = ASKS.get(fault)
    return pattern is not None and any(
        not _NOT.search(task[max(0, found.start() - 60) : found.start()]) and not _is_in_path(task, found)
        for found in re.finditer(pattern, task, re.IGNORECASE)
    )
