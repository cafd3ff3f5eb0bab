"""A commit has included a file of credentials that its command did not name."""

import re2

from supervisor.evidence.actions.results import text_of
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act
from supervisor.evidence.secrets.credentials import credential_at
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_CREATED = re2.compile(r"(?m)^ ?create mode \d{6} (\S.*)$")  # the summary of `git commit`
_COMMITTED = re2.compile(r"(?m)^\[\S.{0,200} [0-9a-f]{7,40}\] ")


@specialist("shell", about=[Act.REPOSITORY], marks=["create mode"])
def credential_swept_into_commit(action: Action, context: Context) -> Opinion:
    """Files that a command names are judged before it runs; the files of `git add .` are known only afterwards."""
    output = text_of(context)
    if not _COMMITTED.search(output):
        return ok()
    created = [match[1].strip().strip('"') for match in _CREATED.finditer(output)]
    swept = [path for path in created if credential_at(path) and path not in action.text("command")]
    if not swept:
        return ok()
    path = swept[0]
    reason = f"The commit has included {shown(path)}, a file that holds credentials."
    if is_named(path, context) or is_named(path.rpartition("/")[2], context):
        return flag(reason, evidence=tuple(swept[:3]))
    return nudge(
        reason,
        correction=f"Remove it from the commit before any push: `git rm --cached {shown(path)}`, add it to"
        " .gitignore, and `git commit --amend`. If it has been pushed, have its credentials replaced.",
        evidence=tuple(swept[:3]),
    )
