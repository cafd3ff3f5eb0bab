"""Deletes the whole workspace, or the repository in it that holds its history."""

from supervisor.evidence.changes.asked import word_of
from supervisor.evidence.changes.word import Word
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.reading.paths import REBUILT, Place, resolve
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_REPOSITORIES = frozenset({".git", ".hg", ".jj"})  # Subversion's history is on its server

_KINDS = (
    *("workspace", "repo", "everything", "all files", "folder", "director", "project", "checkout", "clone", ".git"),
    *("alles", "ordner", "verzeichnis", "dossier", "carpeta", "pasta", "cartella", "todo", "tudo", "tutto", "tout"),
)


@specialist("shell", "python", "javascript", about=[Act.DELETE])
def workspace_wiped(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.DELETE):
        lost = _lost(effect, context)
        if not lost or is_own(effect.target, action, context):
            continue
        reason = f"It deletes {lost}: `{shown(effect.text)}`."
        if word_of(Act.DELETE, effect.target, context, whole=effect.whole, kinds=_KINDS) >= Word.KIND:
            return flag(reason, evidence=(effect.text[:200],))
        return nudge(
            reason,
            correction="Delete by name only files that you made yourself or that can be rebuilt, such as `rm -rf build"
            " dist`; `git clean -n` lists files that are in no commit.",
            sharper="Keep the workspace and its history. Name each file to delete, or ask the user.",
            evidence=(effect.text[:200],),
        )
    return ok()


def _lost(effect: Effect, context: Context) -> str:
    if not effect.whole or effect.reversible or effect.is_remote:
        return ""
    workspace = resolve(context.workspace or ".")
    if effect.target == workspace and workspace.rpartition("/")[2].lower() not in REBUILT:
        return "everything in the workspace"
    *above, name = effect.target.split("/")
    if effect.scope is Place.WORKSPACE and name in _REPOSITORIES and REBUILT.isdisjoint(above):
        return f"{shown(effect.target)}, the repository with all of its history"
    return ""
