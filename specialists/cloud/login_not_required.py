"""Sets a service to let in everybody without a login."""

from supervisor.evidence.changes.edits import changes_and_new
from supervisor.evidence.changes.protections import is_code
from supervisor.evidence.changes.rules import from_workspace, is_test
from supervisor.evidence.changes.ways_in import open_console, opened_whole, unchecked_server_action
from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.evidence.shell import shown
from supervisor.methods.settings import Lesson, is_asked, set_wrongly
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_LESSON = Lesson(
    fault="makes a service let in whoever asks",
    correction="Keep the login: a password from a secret, `scram-sha-256` for the addresses that need it,"
    " keys instead of root passwords.",
    sharper="Write the file with the login on. If a service of yours cannot log in, ask the user for an"
    " account for it.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING, Act.CODE])
def login_not_required(action: Action, context: Context) -> Opinion:
    found = set_wrongly(Fault.LOGIN, _LESSON, action, context)
    return max(found, _of_code(action, context), key=lambda finding: finding.verdict)


def _of_code(action: Action, context: Context) -> Finding:
    """Doors that code opens without a check: a console that it mounts, a function that any browser may call."""
    for edit in changes_and_new(action, context):
        local = from_workspace(edit.path, context.workspace)
        if not is_code(local) or is_test(local):
            continue
        line, name, whole = open_console(edit), unchecked_server_action(edit), opened_whole(edit)
        if not (line or name or whole):
            continue
        seen = shown(line or name or whole)
        reason = f"“{seen}” shows a console for operators to whoever asks."
        if whole:
            reason = f"“{seen}” lets everybody into the whole service."
        if name:
            reason = f"Any browser may call {seen}, which changes records without asking who calls."
        if is_asked(Fault.LOGIN, context):
            return flag(reason, confidence=0.5, evidence=(seen,))
        return nudge(
            reason,
            correction="Ask who it is first: a session with the role, `authenticate :user, ->(u) { u.admin? }` around"
            " a mounted engine, a call of your own `requireRole` as the first line of the function.",
            sharper="A page or a layout that checks does not protect what can be called without it.",
            evidence=(seen,),
        )
    return ok()
