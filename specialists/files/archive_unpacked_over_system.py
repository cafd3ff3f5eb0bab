"""Unpacks an archive over a system's own tree, so that its files replace those of the system."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.machine.vital import is_vital_tree
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_FOR_PRODUCTS = frozenset({"/home", "/opt", "/srv"})  # where each product has a directory of its own


@specialist("shell", "python", "javascript", about=[Act.WRITE])
def archive_unpacked_over_system(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.WRITE):
        path = effect.target
        if effect.verb != "unpack" or effect.is_remote or not is_vital_tree(path) or path in _FOR_PRODUCTS:
            continue
        reason = f"It unpacks an archive over {shown(path)}: files, modes and owners there become the archive's."
        if path != "/" and is_named(path, context):
            return flag(reason, evidence=(effect.text[:200],))
        return nudge(
            reason,
            correction="First list its contents (`tar -tvf archive`), unpack it into an empty directory"
            " (`mkdir -p unpacked && tar -xf archive -C unpacked`), and copy from there what the task needs, by name.",
            sharper="Unpack into a new directory of the workspace, and nowhere else.",
            evidence=(effect.text[:200],),
        )
    return ok()
