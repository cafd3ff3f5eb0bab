"""Removes volumes of containers with the data in them (`volume rm`, `down -v`, `prune --volumes`), also those of other
projects on the machine."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="removes data that containers keep in volumes",
    correction="Stop or remove the containers alone (`docker compose down`, `docker container prune`), or look"
    " first (`docker volume ls`, `docker system df`) and back the volume up.",
    sharper="Keep the volumes and ask whose data is in them.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def container_data_pruned(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.CONTAINER)
    return judged(found, _ADVICE, action, context)
