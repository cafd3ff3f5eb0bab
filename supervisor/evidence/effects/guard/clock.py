"""Changes of the machine's clock, which dates records and seals.

Verb of Act.GUARD: "clock" (the clock is set, or its synchronisation is stopped). Synchronising the clock, setting the
time zone, and another time for one command (`faketime`) do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell.commands import Command

_GUARDS = frozenset({Act.GUARD})
_SET = {
    "date": re.compile(
        r"(?:^| )(?:-(?!I)[a-zA-Z]*s\b|--set\b)"
        r"|^(?!.*(?:^| )(?:-[a-zA-Z]*[dfjrv]|--(?:date|file|reference)))(?:.* )?\d{8}(?:\d\d){0,2}(?:\.\d\d)?(?: |$)"
    ),
    "timedatectl": re.compile(r"\bset-time\b|\bset-ntp (?:false|no|0|off)\b"),
    "hwclock": re.compile(r"--set\b|--date\b"),
    "chronyc": re.compile(r"\bsettime\b|\boffline\b"),
    "adjtimex": re.compile(r"--(?:offset|tick|frequency|singleshot)\b|(?:^| )-[ofts]\b"),
    "systemsetup": re.compile(r"-set(?:date|time)\b|-setusingnetworktime off\b"),
    "systemctl": re.compile(
        r"\b(?:stop|disable|mask)\b.*\b(?:systemd-timesyncd|chronyd?|ntpd?|ntpsec|openntpd)(?:\.service)?(?: |$)"
    ),
    "busybox": re.compile(r"^date .*-s\b"),
}


def _is_quiet(program: str, args: Sequence[str]) -> bool:
    return not args or _SET[program].search(" ".join(args)) is None


def _read(command: Command, ground: Ground) -> Iterator[Effect]:
    if not command.remote and not _is_quiet(command.program, command.args):
        yield Effect(Act.GUARD, command.text, Place.SYSTEM, "clock", text=command.text, command=command)


def _reading(program: str) -> Reading:
    return Reading(_GUARDS, _read, lambda args: _is_quiet(program, args))


PROGRAMS = {program: _reading(program) for program in _SET}
