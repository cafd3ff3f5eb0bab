"""Deletes secrets, whole vaults or configuration variables from the store that applications read them from, or writes
another value over them."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="destroys or replaces a secret that applications read",
    correction="List the secret's versions and what reads it, add a new version instead of removing the old"
    " one, and have the owner confirm; a recovery window (`--recovery-window-in-days 30`) is no more"
    " than a help.",
    sharper="Leave the stored secret alone and ask its owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def stored_secret_destroyed(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.SECRET)
    return judged(found, _ADVICE, action, context)
