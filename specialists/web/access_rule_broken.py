"""Goes on with something that the deployment's access rules do not allow this user."""

from supervisor.evidence.web.access_rules import RULE_FACTS, broken_rule, stated_rules
from supervisor.evidence.web.user_facts import attributes
from supervisor.specialist import Action, Context, Opinion, block, ok, refuse, specialist


@specialist("click", "form", "browse", "payment", "tool", needs_facts=RULE_FACTS)
def access_rule_broken(action: Action, context: Context) -> Opinion:
    """The rules stand in the facts (`rules`, `access_rules`, `policy`), the user in `user_profile` and the like."""
    if not attributes(context) or not stated_rules(context):
        return refuse("nothing is known of the user, or no rule about users is stated")
    rule = broken_rule(action, context)
    if rule is None:
        return ok()
    return block(f"The user may not do this: “{rule.sentence[:200]}”.", evidence=(rule.sentence[:300],))
