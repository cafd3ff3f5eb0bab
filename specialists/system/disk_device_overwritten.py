"""Overwrites a disk or a partition, and with it every file on it."""

from supervisor.evidence.effects import Act, effects
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_NAMES = "sd hd vd xvd nvme mmcblk md dm- disk rdisk mapper/ dasd nbd"
_DISKS = tuple(f"/dev/{name}" for name in _NAMES.split())


@specialist("shell", "python", "javascript", about=[Act.WRITE, Act.DELETE])
def disk_device_overwritten(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.WRITE, Act.DELETE):
        written = effect.act is Act.WRITE or effect.verb == "shred"  # a removed device node is created again
        if written and effect.target.startswith(_DISKS):
            means = (effect.command and effect.command.program) or "what it does"
            reason = f"It overwrites {shown(effect.target)} with {means}, and with that every file on the device."
            judge = flag if effect.target in (context.task or "") else block  # the user's own words may name it
            return judge(reason, evidence=(effect.text[:200],))
    return ok()
