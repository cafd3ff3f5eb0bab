"""Opinions on code in any language, from the one table of flows and settings (`supervisor.evidence.flows`)."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence.actions.programs import NO_CODE, written
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.flows import Hit, advice_for, weaknesses
from supervisor.specialist import Opinion, flag, nudge, ok, refuse

_NEVER_BUILT = "_test.go"  # Go leaves these files out of programs, so that no other machine reaches their code
_OF_CODE_IN_USE = ("any", "secret", "setting")  # judges of what is no fault in a test


def judged(action: Action, context: Context, *asked: str) -> Opinion:
    """Whether the code that an action writes has one of these weaknesses. A refusal if it writes none in a language of
    the table. In a test a setting is no weakness: only what a client sends counts."""
    read = written(action, context)
    if not read:
        return refuse(NO_CODE)
    trial = is_trial(action)
    for name in asked:
        for each in read:
            for hit in each.found.get(name, ()):
                is_unused = weaknesses()[name].judge in _OF_CODE_IN_USE if trial else False
                if not is_unused and not (weaknesses()[name].remote and action.text("path").endswith(_NEVER_BUILT)):
                    return _opinion(name, each.language, hit)
    return ok()


def _opinion(name: str, language: str, hit: Hit) -> Opinion:
    reason = weaknesses()[name].reason.format(sink=hit.sink[:100], value=hit.value, source=hit.source)
    if hit.slight:
        return flag(reason, evidence=(hit.sink,))
    return nudge(reason, correction=advice_for(language, name), evidence=(hit.sink,))
