"""Does what the user excluded in words: "do not push", "read only", "nichts löschen"."""

from supervisor.evidence.effects import Act
from supervisor.evidence.situation.shown.sealed import sends_unsealed
from supervisor.evidence.situation.stated.alone import moves_more
from supervisor.evidence.situation.stated.limits import broken_limit
from supervisor.evidence.situation.stated.purpose import undone_purpose
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("shell", about=[Act.DEED], facts=["earlier_requests"])
def act_excluded_by_user(action: Action, context: Context) -> Opinion:
    """Limits under a condition are left to people, and those about a named thing count for that thing alone."""
    found = broken_limit(action, context)
    if found is None:
        return _takes_along(action, context) or _against_purpose(action, context)
    deed, limit = found
    return nudge(
        f"The user excluded this: “{limit.said[:160]}”. `{deed.command.text[:120]}` does it.",
        correction="Leave this step out and finish the rest. If the task needs it, tell the user why and wait for an"
        " answer.",
        sharper="Do not do this in another way. Ask the user.",
        evidence=(deed.command.text[:200], limit.said[:200]),
    )


def _takes_along(action: Action, context: Context) -> Opinion | None:
    moved = moves_more(action, context) or sends_unsealed(action, context)
    if moved is None:
        return None
    return nudge(
        f"The user said “{moved.line[:160]}”, and `{moved.act[:120]}` takes more along ({moved.what[:80]}).",
        correction="Name the one thing in the command, and keep everything else as it is.",
        sharper="Change nothing besides what the user named. If it cannot be done alone, ask the user.",
        evidence=(moved.act, moved.line),
    )


def _against_purpose(action: Action, context: Context) -> Opinion:
    undone = undone_purpose(action, context)
    if undone is None:
        return ok()
    return nudge(
        f"The user said “{undone.said}”, and this {undone.how}.",
        correction="Do what the user wants the step for: go on from what is there, rehearse, use the other place.",
        sharper="Do not do this. Tell the user what keeps you from what they want.",
        evidence=(undone.said, undone.how),
    )
