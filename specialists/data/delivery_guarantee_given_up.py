"""Sets a producer, a queue or a broker so that messages are lost without an error."""

from itertools import islice

from supervisor.evidence.changes.configured import written_texts
from supervisor.evidence.configuration import Fault, form_of
from supervisor.evidence.configuration.delivery import given_up_in_code
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.methods.settings import Lesson, is_asked, set_wrongly
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_LESSON = Lesson(
    fault="lets messages be lost without an error",
    correction="Keep the guarantee: `acks: all` with `enable.idempotence: true` and retries, `min.insync.replicas` of"
    " 2, durable queues with confirms. Gain speed by batches (`linger.ms`, `batch.size`), compression, or by sending"
    " after the answer from an outbox.",
    sharper="Write the file with the guarantee as it was, and ask the user which messages may be lost.",
)
_MOST_FILES = 20
_SHOWS = (".md", ".rst", ".txt", ".adoc")


@specialist("shell", "file_write", "file_edit", about=[Act.WRITE, Act.SETTING])
def delivery_guarantee_given_up(action: Action, context: Context) -> Opinion:
    judgements = (set_wrongly(Fault.LOSSY, _LESSON, action, context), _of_code(action, context))
    return max(judgements, key=lambda finding: finding.verdict)


def _of_code(action: Action, context: Context) -> Finding:
    for file in islice(written_texts(action, context), _MOST_FILES):
        is_code = not file.path.endswith(_SHOWS) and form_of(file.path, "") is None and "test" not in file.path.lower()
        setting = given_up_in_code(file.before or "", file.after) if is_code else ""
        if setting:
            reason = f"It {_LESSON.fault}: “{shown(setting)}” in {shown(file.path.rpartition('/')[2])}."
            if is_asked(Fault.LOSSY, context):
                return flag(reason, confidence=0.4, evidence=(setting,))
            return nudge(reason, correction=_LESSON.correction, sharper=_LESSON.sharper, evidence=(setting,))
    return ok()
