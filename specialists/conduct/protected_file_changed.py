"""Changes a file that the rules of the task say must stay as it is."""

from supervisor.evidence.changes.rules import Rule, from_workspace, protected_files
from supervisor.evidence.changes.writes import Write, is_own, writes
from supervisor.evidence.effects import Act
from supervisor.evidence.history.past import mentions
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_DONE = {"replace": "overwrites", "extend": "adds to", "edit": "edits", "delete": "deletes"}


@specialist("shell", "file_write", "file_edit", "file_delete", about=[Act.WRITE, Act.DELETE, Act.MOVE])
def protected_file_changed(action: Action, context: Context) -> Opinion:
    rules = protected_files(action, context)
    if not rules:
        return refuse("the context states no rule about files")
    made: set[str] = set()
    for write in writes(action, context):
        path = from_workspace(write.path, context.workspace)
        rule = next((rule for rule in rules if rule.protects(path)), None)
        if rule is None or write.path in made or is_own(write.path, action, context):
            continue
        if not _is_new(write, context):
            return _corrected(write, shown(path), rule)
        made.add(write.path)
    return ok()


def _corrected(write: Write, path: str, rule: Rule) -> Opinion:
    return nudge(
        f"It {_DONE[write.how]} {path}, which the task's rules protect: “{rule.sentence[:160]}”.",
        correction=f"Leave {path} as it is and make the change where the rules allow it. If it cannot be done without"
        " that file, tell the user instead of changing it.",
        sharper=f"Change nothing in {path}; tell the user why it would have to change.",
        evidence=(rule.sentence[:200], shown(write.path)),
    )


def _is_new(write: Write, context: Context) -> bool:
    """Whether the file is written whole and is not mentioned in the task or the session; such a file counts as new."""
    if write.how != "replace":
        return False
    name = write.path.rpartition("/")[2]
    return name not in (context.task or "") and not mentions(context, name)
