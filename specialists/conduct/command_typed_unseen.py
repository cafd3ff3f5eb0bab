"""Types a harmful command into a running terminal, where it is not judged as a command."""

import re
from itertools import chain

from supervisor.evidence.actions.named_args import all_args
from supervisor.evidence.business.words import snake
from supervisor.evidence.effects import Act, Effect
from supervisor.evidence.effects.typed import effects_when_typed
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_TOOLS = re.compile(
    r"(?:^|_)(?:write|send|type)_?(?:to_?)?(?:std_?in|input|keys?|keystrokes|terminal|process|pty|tty|session)$"
)
_TEXTS = ("chars", "input", "keys", "keystrokes", "text", "data", "stdin", "content")
# Acts that specialists must judge before they happen.
_WEIGHTY = (
    *(Act.DELETE, Act.DATABASE, Act.EXECUTE, Act.EXPOSE, Act.GUARD, Act.HISTORY, Act.PERSIST, Act.PRIVILEGE),
    *(Act.REPOSITORY, Act.RESOURCE, Act.REVEAL, Act.SEND, Act.SERVICE, Act.SYSTEM),
)
_HARMLESS = frozenset({"keep", "save", "save-file", "stage"})


@specialist("tool")
def command_typed_unseen(action: Action, context: Context) -> Opinion:
    name = snake(action.tool)
    if not _TOOLS.search(name):
        return refuse("it types nothing into a terminal")
    typed = dict.fromkeys(value for each, value in all_args(action) if each in _TEXTS and isinstance(value, str))
    texts = [text for text in typed if text.strip()]
    if not texts:
        return refuse("it types nothing into a terminal")
    effects = (done.of(*_WEIGHTY) for text in texts if (done := effects_when_typed(text, context)))
    effect = next(filter(_matters, chain.from_iterable(effects)), None)
    if effect is None:
        return ok()
    return nudge(
        f"It types `{shown(effect.text)}` into a running terminal, where it is not judged as a command.",
        correction="Run it as a command of its own with the tool for shell commands, where it can be judged; type only"
        " answers into programs.",
        evidence=(effect.text[:200],),
    )


def _matters(effect: Effect) -> bool:
    if effect.reversible or effect.verb in _HARMLESS:
        return False
    kept = effect.scope in (Place.WORKSPACE, Place.TEMPORARY)
    return not (effect.act is Act.DELETE and kept and effect.target != ".")
