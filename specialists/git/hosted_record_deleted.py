"""Deletes from a code host what no clone holds and the host cannot restore: a release, an issue, a secret, a key."""

from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_MADE_AGAIN = frozenset({"label", "labels", "caches", "codespace", "artifacts"})
_INSTEAD = {
    "release": "Withdraw it in a way that can be undone: `gh release edit <tag> --draft`.",
    "issue": "Close it: `gh issue close <number>`; its discussion stays readable.",
    "pr": "Close it: `gh pr close <number>`; its discussion stays readable.",
}
_INSTEAD |= {"releases": _INSTEAD["release"], "issues": _INSTEAD["issue"], "merge_requests": _INSTEAD["pr"]}


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def hosted_record_deleted(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY):
        if effect.verb == "delete-record":
            return _judge(effect, action, context)
    return ok()


def _judge(effect: Effect, action: Action, context: Context) -> Opinion:
    kind, evidence = effect.content or "record", (effect.text[:200],)
    reason = f"It deletes {kind} {shown(effect.target)} on the host, which no clone holds."
    if kind in _MADE_AGAIN or task_mentions(action, context, "delet", "remov", "clean", "purg", "revok"):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction=_INSTEAD.get(
            kind,
            "List what is there with the matching `list` command, tell the user what would be deleted,"
            " and let the user delete it.",
        ),
        sharper="Leave it, and ask the user.",
        evidence=evidence,
    )
