"""Has a build, an image or an installation run what it fetches, unchecked."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="has a build run what it fetches, unchecked",
    correction="Fetch a released version over HTTPS and check it before it runs: `curl -fsSLo tool.tgz <url>"
    ' && echo "<sha256>  tool.tgz" | sha256sum -c`, or install it from a signed index.',
    sharper="Leave the step out, and name to the user what should be installed, with its version and checksum.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING])
def fetched_code_in_build(action: Action, context: Context) -> Opinion:
    return set_wrongly(Fault.UNVERIFIED, _LESSON, action, context)
