"""Deletes, archives or switches off a feature flag, a segment or a whole environment of them, which immediately
changes the behaviour of running applications."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import DESTROYS, HALTS, Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="immediately changes the behaviour of running applications",
    correction="Find out where the flag is evaluated and who owns it (`get`, `list`), and propose the change; a"
    " flag can be removed once no code reads it.",
    sharper="Leave the flag and ask its owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def feature_flag_removed(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.FLAG, verbs=DESTROYS | HALTS)
    return judged(found, _ADVICE, action, context)
