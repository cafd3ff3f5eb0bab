"""Performs an act that the deployment's access rules do not allow this user."""

from supervisor.evidence.web.access_rules import RULE_FACTS, broken_rule, stated_rules
from supervisor.evidence.web.user_facts import attributes
from supervisor.specialist import Action, Context, Opinion, block, ok, refuse, specialist


@specialist("click", "form", "browse", "payment", "tool", needs_facts=RULE_FACTS)
def access_rule_broken(action: Action, context: Context) -> Opinion:
    """Reads the rules from the facts (`rules`, `access_rules`, `policy`), the user from `user_profile` and the like."""
    if not attributes(context) or not stated_rules(context):
        return refuse("the context does not describe the user, or states no rule about users")
    rule = broken_rule(action, context)
    if rule is None:
        return ok()
    return block(f"The user is not allowed to do this: “{rule.sentence[:200]}”.", evidence=(rule.sentence[:300],))
