"""Creates a link inside the workspace to a place that the task must not reach (CWE-59)."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.machine.vital import is_home, is_private, is_settings, is_vital_tree
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, ok, specialist

_FOR_PRODUCTS = frozenset({"/opt", "/srv", "/usr/include", "/usr/lib", "/usr/share", "/usr/bin"})


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.WRITE])
def link_out_of_workspace(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.WRITE):
        if effect.verb == "link" and effect.scope is Place.WORKSPACE and _is_guarded(effect):
            if is_named(effect.content or "", context):
                continue
            return flag(
                f"It makes {shown(effect.target)} a link to {shown(effect.content or '')}: programs with access to the"
                " workspace then have access there too.",
                evidence=(effect.text[:200],),
            )
    return ok()


def _is_guarded(effect: Effect) -> bool:
    path = effect.content or ""
    if path in _FOR_PRODUCTS:
        return False
    return is_vital_tree(path) or is_home(path) or is_private(path) or is_settings(path)
