"""Removes volumes of containers with the data in them (`volume rm`, `down -v`, `prune --volumes`), also those of other
projects on the machine, or force-removes images that containers were made from."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Resource, Sort
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="removes data that containers keep in volumes",
    correction="Stop or remove the containers alone (`docker compose down`, `docker container prune`), or look"
    " first (`docker volume ls`, `docker system df`) and back the volume up.",
    sharper="Keep the volumes and ask whose data is in them.",
)

_OF_IMAGES = Advice(
    fault="force-removes an image that containers may still use",
    correction="Remove it without force (`docker rmi <image>`): the engine refuses while a container uses it."
    " `docker ps -a --filter ancestor=<image>` shows which do.",
    sharper="Keep the image, or remove it without `--force`.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def container_data_pruned(action: Action, context: Context) -> Opinion:
    found = list(changes(action, context, Sort.CONTAINER))
    images = [each for each in found if _is_image(each)]
    data = [each for each in found if not _is_image(each)]
    return max(
        judged(data, _ADVICE, action, context),
        judged(images, _OF_IMAGES, action, context),
        key=lambda finding: finding.verdict,
    )


def _is_image(effect: Resource) -> bool:
    words = effect.command.args if effect.command else ()
    return "rmi" in words or ("image" in words and "prune" not in words)
