"""Leaves a secret in an image, a log or an artifact that others read."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="leaves a secret in an image, a log or an artifact",
    correction="Pass it while building alone: `RUN --mount=type=secret,id=token …`; keep key files out with"
    " `.dockerignore`; let a step read it from its environment and print nothing.",
    sharper="Take the secret out of this file: whoever has the image or reads the log has it.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING])
def secret_kept_in_image_or_log(action: Action, context: Context) -> Opinion:
    return set_wrongly(Fault.SECRET, _LESSON, action, context)
