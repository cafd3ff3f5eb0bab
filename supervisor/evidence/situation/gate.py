"""Whether earlier outputs may speak against a command, by bounded work, so that an ordinary one waits for no parser."""

from __future__ import annotations

import re

from supervisor.action import Action, Context
from supervisor.evidence.changes.prefilter import prefiltered_acts
from supervisor.evidence.effects import Act
from supervisor.evidence.situation.exposed.made_public import may_be_public
from supervisor.evidence.situation.named.passed_over import may_pass_over
from supervisor.evidence.situation.named.slots import may_change_option, may_go_elsewhere
from supervisor.evidence.situation.shown.bound import may_be_bound
from supervisor.evidence.situation.shown.checked import may_be_checked
from supervisor.evidence.situation.shown.condemned import may_be_condemned
from supervisor.evidence.situation.shown.demanded import may_be_demanded
from supervisor.evidence.situation.shown.documented import may_be_documented
from supervisor.evidence.situation.shown.drafts import may_be_draft
from supervisor.evidence.situation.shown.exempt import may_be_exempt
from supervisor.evidence.situation.shown.foretold import may_be_foretold
from supervisor.evidence.situation.shown.refused import may_be_refused
from supervisor.evidence.situation.shown.sealed import may_be_unsealed
from supervisor.evidence.situation.shown.written import may_be_written
from supervisor.evidence.situation.stated.afterwards import may_be_afterwards
from supervisor.evidence.situation.stated.alone import may_move_more
from supervisor.evidence.situation.values.mismatch import mismatch
from supervisor.evidence.situation.warned import said
from supervisor.evidence.situation.wider.absent import may_be_nowhere

_ROWS = re.compile(r"(?i)\bupdate\s+\S{1,80}\s+set\b|\bdelete\s+from\b")
_BLANKS = re.compile(r"[ \t]{2,}")
_TESTS = (
    may_be_foretold,
    may_be_checked,
    may_be_refused,
    may_be_written,
    may_be_public,
    may_be_condemned,
    may_be_afterwards,
    may_be_documented,
    may_be_demanded,
    may_be_bound,
    may_be_exempt,
    may_be_draft,
    may_move_more,
    may_be_unsealed,
)


def possible_acts(action: Action, context: Context) -> frozenset[Act] | None:
    """The acts that a specialist may need to judge, by bounded work; None if only a parser can find them.

    Besides what the action shows by itself, what the request and earlier outputs say against it is a deed.
    """
    acts, text = prefiltered_acts(action, context), action.get("command")
    if acts is None or Act.DEED in acts or action.kind != "shell" or not isinstance(text, str):
        return acts
    if not (context.task or context.history):
        return acts
    text = _BLANKS.sub(" ", text)
    if context.task and _ROWS.search(text):
        return acts | {Act.DEED}
    warned = (
        may_be_warned(text, context)
        or may_change_option(text, context)
        or may_go_elsewhere(text, context)
        or may_pass_over(text, context)
        or mismatch(text, context) is not None
        or (bool(context.task) and may_be_nowhere(text, said(context)))
    )
    return acts | {Act.DEED} if warned else acts


def may_be_warned(text: str, context: Context) -> bool:
    """Whether one of the relations between earlier outputs and a command may hold."""
    return any(test(text, context) for test in _TESTS)
