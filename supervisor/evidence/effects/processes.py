"""What programs do to processes: end them, or use up processes, memory or disk until the machine stops responding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from supervisor.evidence.effects.command_lines import effect_of, is_contained, shows_only
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set

_EVERY = "every process"
_QUIET_SIGNALS = frozenset({"-0", "-l", "-L", "--list", "--table"})  # these only query
_KILL_VALUED = frozenset({"-s", "-n", "-q", "--signal", "--queue", "--timeout"})
_PKILL_VALUED = word_set(
    "-s -g -G -P -t -u -U -F -n -o --signal --session --pgroup --group --parent --terminal --euid --uid"
)
_USERS = ("-u", "-U", "--user", "--euid", "--uid")
# Programs that select processes from a listing. Without one of them, every running process is taken.
_PICKS = (
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "head",
    "tail",
    "sed",
    "pgrep",
    "pidof",
    "lsof",
    "fuser",
    "jobs",
    "sort",
    "ss",
)
_HUGE = re.compile(r"(\d+)\s*(?:([TP])|(G))i?B?", re.IGNORECASE)
_ENOUGH_GIGABYTES = 50
_ENDLESS = ("/dev/zero", "/dev/urandom", "/dev/random")


def _killed(command: Command, _: Ground) -> Iterator[Effect]:
    if is_contained(command) or shows_only(command) or not _QUIET_SIGNALS.isdisjoint(command.args):
        return
    for target in _pids(command):
        everything = target == "-1" or (target == HOLE and _takes_all(command))
        if everything:
            yield effect_of(Act.PROCESS, "kill", _EVERY, command, whole=True)
        elif target == HOLE or target.isdigit():
            yield effect_of(Act.PROCESS, "kill", target, command)


def _pids(command: Command) -> list[str]:
    """The process ids. -1 looks like an option, so only the first word with a dash is the signal."""
    words = list(command.args)
    if "--" in words:
        return words[words.index("--") + 1 :]
    if words and words[0] in _KILL_VALUED:
        words = words[2:]
    elif words and words[0].startswith("-"):
        words = words[1:]
    return words


def _takes_all(command: Command) -> bool:
    """`kill -9 $(ps -e -o pid=)`, `ps ax | awk '{print $1}' | xargs kill`: a listing without a selection."""
    origins = [*command.upstream, *(origin for _, origin in command.sources)]
    if any(each.program == "pgrep" and each.operands() in ([], ["."]) and not each.args[1:] for each in origins):
        return True
    listed = [each for each in origins if each.program == "ps" and _lists_all(each)]
    return bool(listed) and not any(each.program in _PICKS or _awk_picks(each) for each in origins)


def _lists_all(command: Command) -> bool:
    words = " ".join(command.args)
    return not re.search(r"(?:^|\s)(?:-[pCut]|--pid|--ppid|-q)", words) and (
        "a" in words or "-e" in words or "A" in words
    )


def _awk_picks(command: Command) -> bool:
    return command.program in ("awk", "gawk", "mawk") and ("/" in command.text or "==" in command.text)


def _matched(command: Command, _: Ground) -> Iterator[Effect]:
    """`pkill`, `killall`: by a pattern, by a name, or all processes of a user."""
    if is_contained(command) or shows_only(command) or not _QUIET_SIGNALS.isdisjoint(command.args):
        return
    patterns = command.operands(_PKILL_VALUED)
    users = _after(command, _USERS)
    if users and not patterns:
        yield effect_of(Act.PROCESS, "kill", f"every process of {users[0]}", command, whole=True)
    for pattern in patterns:
        everything = pattern.strip("^$*+") in ("", ".", "*")
        yield effect_of(Act.PROCESS, "kill", _EVERY if everything else pattern, command, whole=everything)


def _after(command: Command, options: tuple[str, ...]) -> list[str]:
    """The values of options."""
    pairs = pairwise(command.args)
    return [value for word, value in pairs if word in options]


def _killed_all(command: Command, _: Ground) -> Iterator[Effect]:
    if not is_contained(command) and not shows_only(command):
        yield effect_of(Act.PROCESS, "kill", _EVERY, command, whole=True)


def _users_ended(command: Command, _: Ground) -> Iterator[Effect]:
    """`fuser -k`: every process that has a file, a file system or a port open."""
    if command.has_flag("-k", "--kill") and not is_contained(command):
        for word in command.operands(frozenset({"-n", "--namespace", "-s"})):
            whole = word == "/" or command.has_flag("-m", "-M", "-c", "--mount")
            yield effect_of(Act.PROCESS, "kill", f"every process that uses {word}", command, whole=whole)


def _task_killed(command: Command, _: Ground) -> Iterator[Effect]:
    """Windows: `taskkill /F /IM node.exe`."""
    words = [word.lower() for word in command.args]
    for word, value in pairwise(words):
        if word in ("/im", "-im", "//im"):
            name = value.removesuffix(".exe")
            yield effect_of(Act.PROCESS, "kill", _EVERY if name == "*" else name, command, whole=name == "*")


def _flooded(command: Command, _: Ground) -> Iterator[Effect]:
    """Endless output into a file: `yes > f`, `cat /dev/zero > f`, `{ yes; } > f`, `yes | tee f`."""
    passes = command.program == "tee" or not command.operands()
    ends = (command, *command.upstream[-1:]) if passes else (command,)
    files = [each.target for each in (*command.redirects, *command.outer_redirects) if each.writes]
    files += command.operands() if command.program == "tee" else []
    into = [each for each in files if not each.startswith("/dev/")]
    sized = command.program == "head" and not any(_is_huge(word) for word in command.args)
    if any(map(_is_endless, ends)) and into and not sized:
        yield effect_of(Act.PROCESS, "fill", into[0], command)


def _is_endless(command: Command) -> bool:
    return command.program == "yes" or (
        command.program in ("cat", "head") and any(word in _ENDLESS for word in command.operands())
    )


def _copied(command: Command, _: Ground) -> Iterator[Effect]:
    """`dd if=/dev/zero of=f` without a count, or with a huge one."""
    given = dict(word.partition("=")[::2] for word in command.args)
    if given.get("if") in _ENDLESS and (into := given.get("of", "")) and not into.startswith("/dev/"):
        size = f"{_number(given.get('count', '')) * _bytes(given.get('bs', '512')) // 2**30}G"
        if "count" not in given or _is_huge(size):
            yield effect_of(Act.PROCESS, "fill", into, command)


def _allocated(command: Command, _: Ground) -> Iterator[Effect]:
    sizes = _after(command, ("-l", "--length")) + [
        word for word in command.args if word.startswith(("-l", "--length="))
    ]
    if any(_is_huge(size) for size in sizes) and not command.has_flag("-p", "--punch-hole"):
        yield effect_of(
            Act.PROCESS, "fill", command.operands(frozenset({"-l", "-o"}))[-1:][0] if command.args else "", command
        )


def _stressed(command: Command, _: Ground) -> Iterator[Effect]:
    bounded = command.has_flag("-t", "--timeout", "--help", "--version", "--dry-run", "-n")
    if command.args and not bounded and not is_contained(command):
        yield effect_of(Act.PROCESS, "exhaust", "the machine", command)


def _tailed(command: Command, _: Ground) -> Iterator[Effect]:
    """`tail /dev/zero` buffers a line that never ends."""
    if any(word in _ENDLESS[:1] for word in command.operands()) and not command.has_flag("-c", "--bytes", "-n"):
        yield effect_of(Act.PROCESS, "exhaust", "the memory", command)


def _is_huge(text: str) -> bool:
    found = _HUGE.search(text)
    return found is not None and (bool(found[2]) or int(found[1][:9]) >= _ENOUGH_GIGABYTES)


def _bytes(size: str) -> int:
    units = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
    letters = size.lower().rstrip("ib")
    return _number(letters.rstrip("kmgt")) * units.get(letters[-1:], 1)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 16 else 0


def _names_no_device(words: Sequence[str]) -> bool:
    return not any("/dev/" in word for word in words)


def _reading(
    read: Callable[[Command, Ground], Iterable[Effect]], is_quiet: Callable[[Sequence[str]], bool] = _names_no_device
) -> Reading:
    return Reading(frozenset({Act.PROCESS}), read, is_quiet)


def _never(words: Sequence[str]) -> bool:
    return False


PROGRAMS = {
    "kill": _reading(_killed, _never),
    **dict.fromkeys(("pkill", "killall", "skill", "slay"), _reading(_matched, _never)),
    "killall5": _reading(_killed_all, _never),
    "fuser": _reading(_users_ended, _never),
    **dict.fromkeys(("taskkill", "taskkill.exe"), _reading(_task_killed, _never)),
    "yes": _reading(_flooded, _never),
    **dict.fromkeys(("cat", "head", "tee"), _reading(_flooded)),
    "dd": _reading(_copied),
    **dict.fromkeys(("fallocate", "xfs_mkfile", "mkfile"), _reading(_allocated, _never)),
    **dict.fromkeys(("stress", "stress-ng"), _reading(_stressed, _never)),
    "tail": _reading(_tailed),
}
