"""Sets a producer, a queue or a broker so that messages are lost without an error."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="lets messages be lost without an error",
    correction="Keep the guarantee: `acks: all` with `enable.idempotence: true` and retries, `min.insync.replicas`"
    " of 2,"
    " durable queues with confirms. Gain speed by batches (`linger.ms`, `batch.size`), compression, or by sending"
    " after the answer from an outbox.",
    sharper="Write the file with the guarantee as it was, and ask the user which messages may be lost.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING])
def delivery_guarantee_given_up(action: Action, context: Context) -> Opinion:
    return set_wrongly(Fault.LOSSY, _LESSON, action, context)
