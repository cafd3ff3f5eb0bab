"""The state of a question to a person: asked, answered, or unanswered in time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from supervisor.action import Context
from supervisor.catalog.catalog import Catalog
from supervisor.decision.approval import Approval, Binding, State
from supervisor.decision.settle import Settled
from supervisor.errors import BadPolicy, RecordFailed
from supervisor.logs import log_later
from supervisor.policy import Policy
from supervisor.verdict import Verdict

if TYPE_CHECKING:
    from supervisor.records.codec import Prepared
    from supervisor.records.questions import Answer
    from supervisor.records.queue import Queue

_log = log_later(__name__)


class Approvals:
    """Asks a person if the policy requires it."""

    def __init__(self, policy: Policy, catalog: Catalog, queue: Callable[[], Queue]) -> None:
        """Raises BadPolicy if the policy names an unknown family, or asks for approval without keeping records."""
        self._policy, self._queue = policy.approval, queue
        if self._policy.ask:
            queue()
        families = {entry.family for entry in catalog.entries.values()}
        for family in (each for rule in self._policy.ask for each in rule.families):
            if family not in families:
                raise BadPolicy(f"approval.ask: no family {family!r}; there are {', '.join(sorted(families))}")

    def settled(self, settled: Settled, prepared: Prepared, context: Context, now: datetime) -> Settled:
        """Applies the state of the question about `settled.over`. An approval that is found is used up."""
        binding = Binding(context.agent, context.session, context.cwd, prepared.subject, prepared.policy)
        approval = self._state(binding, settled.verdict, settled.over, now)
        return settled.answered(approval, self._policy.otherwise)

    def _state(self, binding: Binding, judged: Verdict, over: tuple[str, ...], now: datetime) -> Approval:
        queue, name, policy = self._queue(), binding.name(), self._policy
        reply = queue.reply(name, now)
        if reply and reply.covers(over) and (reply.word == "denied" or _took(queue, reply)):
            about = (policy.valid_for, policy.where, reply.by, reply.note, reply.record)
            return Approval(reply.word, binding, judged, over, None, reply.expires, *about)
        question = queue.question(name, now)
        if question and set(over) <= set(question.approval.over):
            until, expires = question.approval.until, question.approval.expires
        else:
            until = now + timedelta(seconds=policy.wait) if policy.wait else None
            expires = now + timedelta(seconds=policy.valid_for)
        state: State = "asked"
        if until is not None and now >= until and policy.otherwise != "block":
            queue.withdraw(name)
            state = "unanswered"
        return Approval(state, binding, judged, over, until, expires, policy.valid_for, policy.where)


def _took(queue: Queue, answer: Answer) -> bool:
    """Whether this action could take the approval. If its use cannot be recorded, it is not valid, and a person is
    asked."""
    try:
        return queue.take(answer)
    except RecordFailed as error:
        _log.error("%s", error)
        return False
