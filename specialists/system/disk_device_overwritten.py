"""Overwrites a disk or a partition, and with it every file on it."""

import re

from supervisor.evidence.changes.asked import word_of
from supervisor.evidence.changes.shown import aliases, was_shown
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_asked
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.shell import shown
from supervisor.evidence.situation.named.meant import is_described
from supervisor.evidence.situation.shown.disks import REMOVABLE, is_blank
from supervisor.evidence.situation.shown.mounted import mounted_volume
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_NAMES = "sd hd vd xvd nvme mmcblk md dm- disk rdisk mapper/ dasd nbd"
_ASKS = frozenset({Verb.FORMAT})
_DISKS = tuple(f"/dev/{name}" for name in _NAMES.split())


@specialist("shell", "python", "javascript", about=[Act.WRITE, Act.DELETE])
def disk_device_overwritten(action: Action, context: Context) -> Opinion:
    for effect in effects(action, context).of(Act.WRITE, Act.DELETE):
        written = effect.act is Act.WRITE or effect.verb == "shred"  # a removed device node is created again
        if effect.verb == "format" and (mounted := mounted_volume(effect.target, action, context)):
            reason = f"It makes a file system on {shown(effect.target)}, which has data: “{mounted[:120]}”."
            return block(reason, evidence=(effect.text[:200], mounted[:200]))
        if written and effect.target.startswith(_DISKS):
            means = (effect.command and effect.command.program) or "what it does"
            reason = f"It overwrites {shown(effect.target)} with {means}, and with that every file on the device."
            said = _said_of(effect.target, context)
            if said is Word.KIND and is_described(_name_of(_PARTITION.sub("", effect.target)), action, context):
                said = Word.NAMED
            removable = _is_removable(_name_of(_PARTITION.sub("", effect.target)), context)
            if removable and said is Word.NAMED and was_shown(_PARTITION.sub("", effect.target), context):
                continue
            asked = said is Word.NAMED or (said is Word.KIND and removable)
            asked = asked or (is_asked(_ASKS, context) and is_blank(effect.target, context))
            return (flag if asked else block)(reason, evidence=(effect.text[:200],))
    return ok()


# What lists of disks say of one that can be taken out.
_LISTED = re.compile(
    r"(?i)\b(?:external|usb|removable|mmc|sdxc|sdhc|storage device|card ?reader|cruzer|datatraveler|flash)\b"
)
_PARTITION = re.compile(r"(?<=[a-z])\d+$|(?<=\d)p\d+$|(?<=disk\d)s\d+$")  # behind the name of a disk
_LATEST = 40  # steps in which a list still counts


def _said_of(device: str, context: Context) -> Word:
    """What the user says of overwriting this device: by its name, or as a removable disk."""
    plain = device.replace("/dev/rdisk", "/dev/disk")
    disk = _PARTITION.sub("", plain)
    return max(
        word_of(act, name, context, kinds=REMOVABLE)
        for act in (Act.DELETE, Act.WRITE)
        for name in (plain, disk, *_serial(disk), *_beside(disk, context))
    )


def _serial(disk: str) -> tuple[str, ...]:
    """The serial number in a name below `/dev/disk/by-id`."""
    last = disk.rpartition("_")[2] if "/by-id/" in disk else ""
    return (last,) if len(last) > _SHORT_SERIAL and any(map(str.isdigit, last)) else ()


def _beside(disk: str, context: Context) -> tuple[str, ...]:
    """The serial number that a list of disks shows in the disk's line alone."""
    return tuple(name for name in aliases(disk, context) if len(name) > _SHORT_SERIAL and any(map(str.isdigit, name)))


_SHORT_SERIAL = 5  # characters that another disk's number may have as well


def _name_of(device: str) -> str:
    return device.rpartition("/")[2].replace("rdisk", "disk")


def _is_removable(name: str, context: Context) -> bool:
    lines = (line for step in context.history[-_LATEST:] for line in step.text[:16_384].splitlines())
    return any(re.search(rf"\b{re.escape(name)}\b", line) and _LISTED.search(line) for line in lines)
