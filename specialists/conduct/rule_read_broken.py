"""Does what a rule forbids that the session has read."""

from supervisor.evidence.entries.forbidden import forbidden_by_rule
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("tool", "message", "payment", "refund", "http", "form", needs_past=True)
def rule_read_broken(action: Action, context: Context) -> Opinion:
    found = forbidden_by_rule(action, context)
    if found is None:
        return ok()
    return nudge(
        f"A rule that was read forbids it: “{found.rule[:200]}”.",
        correction="Follow the rule. If the user wants an exception, show them the sentence and wait for an answer.",
        sharper="Leave this out, and tell the user which rule is against it.",
        evidence=(found.rule[:200],),
    )
