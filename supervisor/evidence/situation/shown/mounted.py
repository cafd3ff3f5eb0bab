"""Volumes that hold data: an output shows them mounted, or the same script makes them larger."""

from __future__ import annotations

import re
from itertools import islice

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script

_LATEST = 40  # steps
_MOST_TEXT = 16 * 1024  # characters of one output
_GROWS = frozenset({"lvextend", "lvresize", "lvreduce", "growpart"})
_MOUNTED_AT = re.compile(r"\s(?:on\s)?/[\w./-]*\s*(?:$|type\s|\()")
_UNMOUNTS = re.compile(r"\bumount\b|\blvcreate\b|\bzpool export\b")


def mounted_volume(device: str, action: Action, context: Context) -> str:
    """The line that shows a device mounted, or the command that makes it larger; empty if there is none.

    A device that the session or the script unmounts or creates is none. Raises Unreadable as `script` does.
    """
    if action.kind != "shell" or not device.startswith("/dev/") or _UNMOUNTS.search(action.text("command")):
        return ""
    names = _names(device)
    for command in script(action, context).commands:
        if command.program in _GROWS and not names.isdisjoint(command.args):
            return command.text
    for step in islice(reversed(context.history), _LATEST):
        if any(_UNMOUNTS.search(str(value)) for value in step.args.values()):
            return ""
        for line in step.text[:_MOST_TEXT].splitlines():
            if not names.isdisjoint(line.split()) and _MOUNTED_AT.search(line):
                return line.strip()
    return ""


def _names(device: str) -> frozenset[str]:
    """The names of a device: `/dev/vg0/mail` is `/dev/mapper/vg0-mail`."""
    group, _, volume = device.removeprefix("/dev/").partition("/")
    if group == "mapper":
        first, _, last = volume.replace("--", "\0").partition("-")
        return frozenset({device, f"/dev/{first}/{last}".replace("\0", "-")})
    if not volume:
        return frozenset({device})
    joined = "-".join(part.replace("-", "--") for part in (group, volume))
    return frozenset({device, f"/dev/mapper/{joined}"})
