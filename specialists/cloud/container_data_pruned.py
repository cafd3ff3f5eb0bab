"""Removes volumes of containers with the data in them (`volume rm`, `down -v`, `prune --volumes`), also those of other
projects on the machine, or force-removes images that containers were made from. Pruning what is unused is flagged."""

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

_UNUSED = Advice(
    fault="removes stopped containers or images that no container uses, of the whole machine (volumes stay)",
    correction="Look first (`docker system df`, `docker ps -a`), and remove by name what this task made"
    " (`docker container rm <name>`, `docker rmi <image>`).",
    sharper="Keep what other projects on this machine have left.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def container_data_pruned(action: Action, context: Context) -> Opinion:
    advised: dict[Advice, list[Resource]] = {_ADVICE: [], _OF_IMAGES: [], _UNUSED: []}
    for each in changes(action, context, Sort.CONTAINER):
        advised[_advice_on(each)].append(each)
    return max(
        (judged(effects, advice, action, context) for advice, effects in advised.items()),
        key=lambda finding: finding.verdict,
    )


def _advice_on(effect: Resource) -> Advice:
    words = effect.command.args if effect.command else ()
    if "prune" in words:
        return _UNUSED if effect.reversible else _ADVICE
    return _OF_IMAGES if "rmi" in words or "image" in words else _ADVICE
