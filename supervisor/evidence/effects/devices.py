"""Programs that overwrite a whole device: the operand of `mkfs`, `wipefs` and `parted` is a disk, not a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command

_KINDS = "bfs btrfs cramfs exfat ext2 ext3 ext4 f2fs fat minix msdos ntfs vfat xfs"
# The options with which each program destroys the contents of its devices; without options listed it always does.
_DESTROYERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("blkdiscard", "mkswap", "mke2fs", "mkfs", "pvcreate", "newfs"), ()),
    **dict.fromkeys((f"mkfs.{kind}" for kind in _KINDS.split()), ()),
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


def _written_over(command: Command, ground: Ground) -> Iterator[Effect]:
    if not _destroys(command):
        return
    for word in _targets(command):
        device = f"/dev/{word}" if command.program == "diskutil" and word.startswith("disk") else word
        if device.startswith("/dev/"):
            yield ground.on_path(Act.WRITE, device, command, verb="format", whole=True)


def _targets(command: Command) -> Iterator[str]:
    """The devices whose contents go: the operands, but of `sgdisk -R=<device> <source>` the one that is copied to."""
    copied = [value.lstrip("=") for word in command.args for value in _COPIED.findall(word)]
    if command.program != "sgdisk" or not copied:
        yield from command.operands()
        return
    yield from copied


_COPIED = re.compile(r"^(?:-R|--replicate=)(=?/dev/\S+)")


def _destroys(command: Command) -> bool:
    program = command.program
    rehearses = ("-n", "--no-act") if program.startswith(("wipefs", "mke2fs", "mkfs.ext")) else ("--dry-run",)
    if command.has_flag(*rehearses, "--help", "--version"):
        return False
    if program in _VERBS:
        return not _VERBS[program].isdisjoint(command.args)
    if program == "sgdisk" and any(map(_COPIED.match, command.args)):
        return True
    return not _DESTROYERS[program] or command.has_flag(*_DESTROYERS[program])


PROGRAMS = dict.fromkeys((*_DESTROYERS, *_VERBS), Reading(frozenset({Act.WRITE}), _written_over))
