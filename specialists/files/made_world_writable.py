"""Lets every account of the machine write a file or a directory (CWE-732)."""

from supervisor.evidence.changes.asked import asks_to, is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.effects.files.permissions import gives_world_writing
from supervisor.evidence.reading.paths import Place, within
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist


@specialist("shell", "python", "javascript", "file_edit", about=[Act.PERMISSION])
def made_world_writable(action: Action, context: Context) -> Opinion:
    opened = [each for each in effects(action, context).of(Act.PERMISSION) if _is_open(each)]
    return max((_judge(each, action, context) for each in opened), key=lambda finding: finding.verdict, default=ok())


def _is_open(effect: Effect) -> bool:
    setting = effect.content or ""
    if effect.verb == "acl":
        entries = (entry.rpartition(":") for entry in setting.split(",") if entry.startswith(("o:", "other:", "o::")))
        return any("w" in rights for _, _, rights in entries)
    return effect.verb == "mode" and gives_world_writing(setting)


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path, place = effect.target, effect.scope
    if place in (Place.TEMPORARY, Place.UNKNOWN):
        return ok()
    everything = " and everything below it" if effect.whole else ""
    reason = f"It lets every account write {shown(path)}{everything} ({shown(effect.content or '')})."
    asked = asks_to(Act.PERMISSION, action, context) and is_named(effect.content or "", context)
    if asked or effect.is_remote or within(path, "/dev") or (place is Place.WORKSPACE and not effect.whole):
        return flag(reason, evidence=(effect.text[:200],))
    return nudge(
        reason,
        correction="Grant only the right that is needed: `chmod u+x file` to run it, `chmod -R u=rwX,go=rX directory`"
        " to read it, or a group of its own (`chgrp -R team directory && chmod -R g+rwX directory`).",
        sharper="Grant nothing to others: find the account that is refused (`ls -l`, `id`), and give it the right.",
        evidence=(effect.text[:200],),
    )
