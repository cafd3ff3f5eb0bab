"""Whether an action breaks what the agent promised after a refusal."""

from __future__ import annotations

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.changes.prefilter import prefiltered_acts
from supervisor.evidence.prose.stage_words import stages_in
from supervisor.memory import Pledge, RefusedAct
from supervisor.methods.recalled import Recalled, names_of

_LONGEST = 8 * 1024  # characters of an action in which a promised word is looked for


def breaks(memory: Recalled, act: RefusedAct, pledge: Pledge, action: Action, context: Context) -> bool:
    """Whether the action is the refused act again, or, after the promise of another way, changes what that way was to
    replace. An action that goes the promised way breaks nothing."""
    if pledge.at >= memory.now or act.kind != memory.kind:
        return False
    if pledge.sort == "instead" and _keeps(pledge, act, action):
        return False
    if memory.is_same(act):
        return True
    dropped = _dropped(act, pledge)
    return bool(dropped & memory.names()) and act.place == memory.place and _may_change(memory, action, context)


def _keeps(pledge: Pledge, act: RefusedAct, action: Action) -> bool:
    """Whether a word that names the promised way, and not the refused act, is in the action."""
    text = " ".join(value for _, value in strings_in(action.args))[:_LONGEST].casefold()
    refused = act.shown.casefold()
    return any(word in text for word in pledge.words if word not in refused)


def _dropped(act: RefusedAct, pledge: Pledge) -> set[str]:
    """The names in the refused act that the promised way was to replace: those that the agent named, and those of
    another stage than the one that it named (production, where it promised staging)."""
    if pledge.sort != "instead":
        return set()
    names = set(names_of(act))
    stages = stages_in(" ".join(pledge.words)).keys()
    other = {name for name in names if stages and (mine := stages_in(name).keys()) and not mine & stages}
    return {name for name in names if name.casefold() in pledge.dropped} | other


def _may_change(memory: Recalled, action: Action, context: Context) -> bool:
    """Whether the action may change anything: looking at what is not to be changed is no breach."""
    if action.kind == "shell":
        return prefiltered_acts(action, context) != frozenset()
    if action.kind == "sql":
        return any(feature.startswith("writes ") for feature in memory.features)
    return True
