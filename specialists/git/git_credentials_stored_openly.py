"""Has git keep a password or token in a plain file: in a remote's URL, or by the helper `store`."""

import re

from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.session.checkouts import is_throwaway
from supervisor.specialist import Action, Context, Opinion, flag, ok, specialist

# A password before the host, or a token alone in the place of a user name.
_WITH_SECRET = re.compile(
    r"https?://(?:[^/@:\s]{0,256}:[^/@\s]{1,512}|(?:gh[a-z]_|github_pat_|glpat-)[^/@:\s]{1,256})@"
)


@specialist("shell", "python", "javascript", about=[Act.REPOSITORY])
def git_credentials_stored_openly(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.REPOSITORY):
        where = _where(effect)
        if where and not is_throwaway(effect, action, context):
            return flag(f"It keeps a password or token in {where}, where any program of this user can read it.")
    return ok()


def _where(effect: Effect) -> str:
    if effect.verb == "store-credentials":
        return "~/.git-credentials"
    stored = effect.verb in ("redirect", "add-remote")
    return "git's configuration" if stored and _WITH_SECRET.match(effect.target) else ""
