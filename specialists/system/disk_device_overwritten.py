"""Writes over a disk or a partition, and with it every file that lives there."""

import posixpath

from supervisor.evidence.shell import Command, script, shown
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_NAMES = "sd hd vd xvd nvme mmcblk md dm- disk rdisk mapper/ dasd nbd"
_DISKS = tuple(f"/dev/{name}" for name in _NAMES.split())
# Programs that destroy what is on the devices they are given, and the options with which they do (none: always).
_DESTROYERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("blkdiscard", "mkswap", "mke2fs", "pvcreate", "shred", "newfs"), ()),
    "wipefs": ("-a", "--all", "-o", "--offset"),
    "sgdisk": ("-Z", "-z", "-o", "--zap-all", "--zap", "--clear"),
    "badblocks": ("-w",),
    "hdparm": ("--security-erase", "--security-erase-enhanced", "--trim-sector-ranges"),
}
_VERBS: dict[str, frozenset[str]] = {
    "parted": frozenset({"mklabel", "mktable", "rm", "mkpart"}),
    "cryptsetup": frozenset({"luksFormat", "erase", "luksErase"}),
    "nvme": frozenset({"format", "sanitize"}),
    "diskutil": frozenset({"eraseDisk", "eraseVolume", "partitionDisk", "secureErase", "zeroDisk", "reformat"}),
}


@specialist("shell")
def disk_device_overwritten(action: Action, context: Context) -> Opinion:
    for command in script(action, context).commands:
        for device in _overwritten(command):
            means = command.program or "a redirection"
            reason = f"It overwrites {shown(device)} with {means}, and with that every file on the device."
            judge = flag if device in (context.task or "") else block  # the user's own words may name it
            return judge(reason, evidence=(command.text[:200],))
    return ok()


def _overwritten(command: Command) -> list[str]:
    targets: list[str] = []
    if command.redirects:
        targets += [redirect.target for redirect in command.redirects if redirect.writes]
    if command.program == "dd":
        targets += [word.removeprefix("of=") for word in command.args if word.startswith("of=")]
    elif command.program in ("cp", "install"):
        targets += command.operands()[1:][-1:]
    elif command.program == "tee" or _destroys(command):
        bare = command.program == "diskutil"
        targets += [f"/dev/{word}" if bare and word.startswith("disk") else word for word in command.operands()]
    return [target for target in targets if _is_disk(target)] if targets else targets


def _destroys(command: Command) -> bool:
    program = command.program
    verbs = _VERBS.get(program)
    options = () if program.startswith("mkfs") else _DESTROYERS.get(program)
    if verbs is None and options is None:
        return False
    rehearses = ("-n", "--no-act") if program.startswith(("wipefs", "mke2fs", "mkfs.ext")) else ("--dry-run",)
    if command.has_flag(*rehearses, "--help", "--version"):
        return False
    if verbs is not None:
        return not verbs.isdisjoint(command.args)
    return not options or command.has_flag(*options)


def _is_disk(path: str) -> bool:
    return posixpath.normpath(path).startswith(_DISKS)
