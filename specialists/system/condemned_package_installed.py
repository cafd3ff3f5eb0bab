"""Installs a package of which an earlier output of the session says that it harms."""

from supervisor.evidence.effects import Act
from supervisor.evidence.situation.shown.condemned import condemned_package
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("shell", about=[Act.DEED], needs_past=True)
def condemned_package_installed(action: Action, context: Context) -> Opinion:
    """An installation from the lock counts if a line shows that the lock pins the package; one without scripts does
    not, since nothing of it runs."""
    found = condemned_package(action, context)
    if found is None:
        return ok()
    line = found.line.strip()[:200]
    return nudge(
        f"An earlier output speaks against {found.what}: “{line[:160]}”.",
        correction="Pin a version that is known to be good, or install with `--ignore-scripts` and look at the files."
        " Tell the user what the output said.",
        sharper="Install nothing until the user has seen this line.",
        evidence=(found.act, line),
    )
