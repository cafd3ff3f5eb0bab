"""Sets a service to let in everybody without a login."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="makes a service let in whoever asks",
    correction="Keep the login: a password from a secret, `scram-sha-256` for the addresses that need it,"
    " keys instead of root passwords.",
    sharper="Write the file with the login on. If a service of yours cannot log in, ask the user for an"
    " account for it.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING])
def login_not_required(action: Action, context: Context) -> Opinion:
    return set_wrongly(Fault.LOGIN, _LESSON, action, context)
