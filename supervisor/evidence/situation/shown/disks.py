"""What earlier outputs show of a disk: that it has no signature of data, or that it is the removable one."""

from __future__ import annotations

import re
from itertools import islice

from supervisor.action import Context, strings_in
from supervisor.evidence.changes.clauses import fold, said_by_user, words_of

__all__ = ["REMOVABLE", "is_blank", "is_meant_removable"]

_LATEST = 40  # steps in which a list still counts
_LONGEST = 16 * 1024  # characters of an output
# The words for a disk that can be taken out, and what lists of disks say of one.
REMOVABLE = (
    "sd card",
    "sd-kart",
    "sd-karte",
    "microsd",
    "usb",
    "stick",
    "thumb",
    "flash",
    "pendrive",
    "carte sd",
    "tarjeta",
)
_LISTED = re.compile(
    r"(?i)\b(?:external|usb|removable|mmc|sdxc|sdhc|storage device|card ?reader|cruzer|datatraveler|flash)\b"
)
_LOOKS = re.compile(r"\b(?:wipefs|blkid)\b(?!\s+-a)|\blsblk\b[^|;&\n]{0,80}(?:\s-\w*f|--fs|\bfstype\b)|\bfile -s", re.I)
# What tells of data on a device, or that it could not be read.
_DATA = re.compile(
    r"(?i)\b(?:ext[234]|xfs|btrfs|ntfs\w*|v?fat(?:16|32)?|exfat|swap|zfs\w*|lvm2?\w*|linux_raid\w*|crypto_luks|bluestore"
    r"|iso9660|f2fs|apfs|hfs\w*|refs|gpt|dos|mbr|uuid=\S+|type=\S+|part|lvm|raid\d*|crypt)\b|\s/[\w.-]"
    r"|[├└]|no such|denied|cannot|not a block|error|failed|must be|usage:"
)


def is_blank(device: str, context: Context) -> bool:
    """Whether the last look at the signatures of a device shows none. The look names the device."""
    whole = re.compile(rf"(?<![\w/.-]){re.escape(device)}(?![\w-])")
    for step in islice(reversed(context.history), _LATEST):
        asked = " ".join(text for _, text in strings_in(step.args))[:_LONGEST]
        if whole.search(asked) and _LOOKS.search(asked):
            shown = whole.sub(" ", step.text[:_LONGEST])
            return not step.failed and _DATA.search(_HEADER.sub("", shown)) is None
    return False


_HEADER = re.compile(r"(?im)^\s*(?:NAME|DEVICE)\s+(?:[A-Z%:-]+\s*)+$")


def is_meant_removable(name: str, context: Context) -> bool:
    """Whether the user speaks of a removable disk, and the lists of disks show this one as removable: as the only one,
    or with a word of the request that no other has."""
    said = fold(said_by_user(context))
    if not any(kind in said for kind in REMOVABLE):
        return False
    rows = [row for step in context.history[-_LATEST:] if not step.failed for row in _removable_rows(step.text)]
    rows = [*dict.fromkeys(rows)]
    first = re.compile(rf"(?i)^\s*(?:disk\s+|/dev/|\\\\\.\\physicaldrive)?{re.escape(name)}(?![\w-])")
    own = [row for row in rows if first.search(row)]
    others = [row for row in rows if row not in own]
    spoken = {word for _, word in words_of(said) if len(word) > _SHORT}
    telling = {word for row in own for _, word in words_of(fold(row))} & spoken
    rest = {word for row in others for _, word in words_of(fold(row))}
    return len(own) == 1 and (not others or bool(telling - rest))


_SHORT = 3  # letters of words that any two rows may share
_TYPED = re.compile(r"(?im)^[^\n]*\bdrivetype\b")  # a column in which 2 stands for removable


def _removable_rows(text: str) -> list[str]:
    lines = text[:_LONGEST].splitlines()
    is_typed = _TYPED.search(text[:_LONGEST]) is not None
    return [line for line in lines if _LISTED.search(line) or (is_typed and re.search(r"^\s*[A-Za-z]:\s+2\s", line))]
