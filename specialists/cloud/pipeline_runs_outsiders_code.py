"""Lets a pipeline run what a stranger wrote, beside the repository's secrets."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="lets a stranger's words or code run beside the repository's secrets",
    correction="Build pull requests on `pull_request`, without secrets. Pass a title or a branch as an"
    ' environment variable (`env: TITLE: ${{ github.event.pull_request.title }}`) and use "$TITLE".',
    sharper="Take the expression out of the script and the head out of the privileged job; do what needs"
    " secrets in a second workflow.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING])
def pipeline_runs_outsiders_code(action: Action, context: Context) -> Opinion:
    return set_wrongly(Fault.OUTSIDER, _LESSON, action, context)
