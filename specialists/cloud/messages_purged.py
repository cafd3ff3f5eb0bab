"""Purges or deletes queues, topics, streams or their consumers' positions."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="deletes messages that have not been processed yet",
    correction="Check how many messages wait (`get-queue-attributes`, `list_queues`, `--describe`), move them aside"
    " (a dead-letter queue, a mirror), and have the owner confirm.",
    sharper="Leave the messages where they are and ask the owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def messages_purged(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.QUEUE, verbs=DESTROYS | HALTS)
    return judged(found, _ADVICE, action, context)
