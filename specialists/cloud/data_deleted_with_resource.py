"""Sets the data of a resource to go with it when it is removed or rebuilt."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_LESSON = Lesson(
    fault="lets the data go with the resource that holds them",
    correction="Keep them: `DeletionPolicy: Retain` or `Snapshot`, `force_destroy = false`, `reclaimPolicy:"
    " Retain`. Empty what should go in a step of its own.",
    sharper="Write the file so that the data outlive the resource, and ask the user what may go.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING])
def data_deleted_with_resource(action: Action, context: Context) -> Opinion:
    return set_wrongly(Fault.DELETES, _LESSON, action, context)
