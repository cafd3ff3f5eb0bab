"""What is done to the guard's process: by its PID, by a pattern that matches its command line, by its unit, or with
a command that prints the PID."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import re2

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.command_lines import is_contained, shows_only
from supervisor.evidence.effects.guard import processes_named
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import SHELLS, Command, shown
from supervisor.evidence.shell.inner import word_set
from supervisor.regexes import compile_linear

NAME = "supervisor"
# Signals that end nothing: 0 only tests for the process, and on SIGHUP the daemon reloads its policy.
_HARMLESS = frozenset({"-0", "-l", "-L", "--list", "--table", "-HUP", "-SIGHUP", "-1", "HUP", "SIGHUP"})
_VALUED = frozenset(
    "-s -g -G -P -t -u -U -F -n -o --signal --session --pgroup --group --parent --terminal --euid --uid".split()
)
STOPS = frozenset(
    "stop kill disable mask revert edit bootout unload remove freeze clean isolate set-property terminate".split()
)
_MANAGERS = frozenset({"systemctl", "launchctl", "service", "rc-service", "brew", "loginctl"})
LONGEST = 256  # characters of a pattern


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action does to the daemon's process. Raises Unreadable as `effects` does."""
    if action.kind == "tool":
        if processes_named(action) and str(action.get("pid")) in _numbers(known, context):
            yield Disarming(How.STOPPED, f"calls {shown(action.tool)}", str(action.get("pid")))
        elif _ENDS.search(action.tool) and any(_is_daemon(text, known) for _, text in action.strings()):
            yield Disarming(How.STOPPED, f"calls {shown(action.tool)}", action.tool)
        elif unit := _unit_stopped(action):
            yield Disarming(How.STOPPED, f"calls {shown(action.tool)} on {shown(unit)}", unit)
        return
    if action.kind not in RUNNERS:
        return
    for effect in effects(action, context).of(Act.WRITE) if action.kind == "shell" else ():
        if _CONTROLS.fullmatch(effect.target) and not effect.is_remote:
            yield Disarming(How.STOPPED, f"changes {shown(effect.target)}", shown(effect.target))
    commands = run_by(action, context).commands
    for command in commands:
        if not is_contained(command) and not shows_only(command):
            yield from _by_command(command, context, known)
        for each in command.redirects if not command.remote else ():
            if each.writes and _OF_PROCESS.match(each.target) and any(prints_pid(other, known) for other in commands):
                yield Disarming(How.STOPPED, f"changes {shown(each.target)}", shown(each.target))


_ENDS = re.compile(r"(?i)kill|terminate|stop_?process|end_?process|signal")


def _is_daemon(text: str, known: Assets) -> bool:
    """Whether a text that selects processes selects the daemon by name."""
    return NAME in text.lower() and len(text) < LONGEST and fits_daemon(text, known)


_STOPPING = re.compile(
    r"(?i)(?:^|[^a-z])(?:stop|disabl|mask|kill|terminat|remov|delet|uninstal|unload|suspend|freez|paus|quit|shut)|stopped|absent"
)


def _unit_stopped(action: Action) -> str:
    """The unit of ours that a tool stops, in any argument; "" if none. The system's unit is supervisord's."""
    texts = [text for _, text in action.strings() if len(text) < LONGEST]
    unit = next((text for text in texts if is_unit(text)), "")
    if not unit or "system" in texts:
        return ""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", action.tool.rpartition("__")[2])
    return unit if any(map(_STOPPING.search, (name, *(text for text in texts if text != unit)))) else ""


# The files that freeze, end or starve a unit of ours: cgroups(7).
_CONTROLS = re.compile(r"/sys/fs/cgroup/(?:.*/)?(?:[\w@.-]*[-.])?supervisor(?:-\w+)?\.(?:service|scope|slice)/.+")
_STEERS = frozenset(
    "start-stop-daemon gdb strace ltrace prlimit criu memray lldb pyrasite pyrasite-shell renice chrt ionice taskset"
    " cpulimit frida reptyr hotpatch debugpy".split()
)
_MOST_STEPS = 32


def _numbers(known: Assets, context: Context) -> set[str]:
    """The daemon's PIDs: the known one, and those beside its command line in earlier outputs."""
    numbers = {asset.place for asset in known.of(Sort.PROCESS)}
    for step in context.history[-_MOST_STEPS:]:
        for line in step.text[:_LONGEST_OUTPUT].splitlines():
            if NAME in line and _SERVES.search(line):
                numbers.update(re.findall(r"(?<![\w./:-])\d{2,7}(?![\w./:-])", line[:80])[:2])
    return numbers


_LONGEST_OUTPUT = 64 * 1024
_SERVES = re.compile(r"supervisor\s+serve\b|-m\s+supervisor\b")


def _by_command(command: Command, context: Context, known: Assets) -> Iterator[Disarming]:
    ended = Disarming(How.STOPPED, f"runs `{shown(command.text)}`", shown(command.text))
    name = command.program
    if name in ("pkill", "killall", "skill", "slay"):
        yield from _by_pattern(command, known, ended)
    elif name in ("kill", "xargs", "taskkill", "tkill") and _kills(command) and not _is_harmless(command):
        numbers = _numbers(known, context)
        is_daemon = any(prints_pid(each, known) for each in origins(command)) or _names_lock(command, known)
        if is_daemon or not numbers.isdisjoint(word.lstrip("-") for word in command.args):
            yield ended
    elif name == "fuser" and command.has_flag("-k", "--kill"):
        if any(_is_socket(word, command, known) for word in command.args):
            yield ended
    elif name in _MANAGERS and _stops_unit(command):
        yield ended
    elif _is_users_manager(command):
        yield ended._replace(how=How.BROAD)
    elif (name not in _LOOKS or name == "xargs") and _acts_on_daemon(command, known):
        yield ended


# Programs that only inspect the process whose PID they get, or print the PID.
_LOOKS = word_set(
    "[ [[ awk cat cd column cut date diff du echo egrep env eval export fgrep find for gawk grep head htop id jq less"
    " local ls lsof mawk more netstat nl pgrep pidof pidstat pmap printf ps pstree pwdx read readlink realpath rg sed"
    " select set sleep sort ss stat systemctl tail tee test top tr true uniq vmmap watch wc while xargs iotop kill"
    " journalctl taskkill tkill wait basename dirname free uptime strings"
)
_OF_PROCESS = re.compile(rf"^/proc/{HOLE}/")


def _acts_on_daemon(command: Command, known: Assets) -> bool:
    """Whether a program that may change a process gets the daemon's PID: tracers, debuggers, schedulers."""
    if command.program in _STEERS:
        numbers = {asset.place for asset in known.of(Sort.PROCESS)}
        is_daemon = any(prints_pid(each, known) for each in origins(command)) or _names_lock(command, known)
        if is_daemon or any(number in re.split(r"\W", " ".join(command.args)) for number in numbers):
            return True
    if command.program == "xargs":
        runs = next((word.rpartition("/")[2] for word in command.args if not word.startswith("-")), "")
        return runs not in _LOOKS and runs not in SHELLS and any(_is_listing(each, known) for each in command.upstream)
    if not any(HOLE in word for word in command.args) or command.program in SHELLS:
        return False
    return any(_is_listing(each, known) for _, each in command.sources)


def _is_listing(command: Command, known: Assets) -> bool:
    """Whether a command's output is the daemon's PID and nothing else."""
    return command.program in ("pgrep", "pidof") and prints_pid(command, known)


def _kills(command: Command) -> bool:
    return command.program != "xargs" or any(word.rpartition("/")[2] in ("kill", "pkill") for word in command.args)


def _names_lock(command: Command, known: Assets) -> bool:
    """`kill "$(< daemon.sock.lock)"`: no command reads the file there."""
    unknown = any(HOLE in word for word in command.args)
    return unknown and any(asset.place.rpartition("/")[2] in command.text for asset in known.of(Sort.SOCKET))


def _is_harmless(command: Command) -> bool:
    words = command.args if command.program != "xargs" else _behind_kill(command.args)
    if words[:1] == ("-s",) or words[:1] == ("--signal",):
        return words[1:2] != () and words[1] in _HARMLESS | {"0", "1"}
    return bool(words) and words[0] in _HARMLESS


def _behind_kill(words: Sequence[str]) -> tuple[str, ...]:
    at = next((n for n, word in enumerate(words) if word.rpartition("/")[2] == "kill"), len(words))
    return tuple(words[at + 1 :])


def origins(command: Command) -> Iterator[Command]:
    """The commands whose output names what a command acts on: `kill $(pgrep …)`, `ps ax | grep … | xargs kill`."""
    stack, seen = [*command.upstream, *(origin for _, origin in command.sources)], 0
    while stack and seen < 64:
        each = stack.pop()
        seen += 1
        yield each
        stack += [*each.upstream, *(origin for _, origin in each.sources)]


def prints_pid(command: Command, known: Assets) -> bool:
    """Whether a command's output contains the daemon's PID."""
    if command.program in ("pgrep", "pidof"):
        return _fits(command, known) is not None
    if command.program in ("grep", "egrep", "fgrep", "rg", "awk", "gawk", "mawk", "sed"):
        sockets = [asset.place.rpartition("/")[2] for asset in known.of(Sort.SOCKET)]
        if any(name in word for name in sockets for word in command.args):
            return True
        return any(NAME in word.lower().replace("[s]", "s") and _names_us(word, known) for word in command.args)
    if command.program in ("systemctl", "launchctl"):
        return any(is_unit(word) for word in command.args)
    return any(_is_socket(word, command, known) for word in (*command.args, *(r.target for r in command.redirects)))


def _names_us(pattern: str, known: Assets) -> bool:
    """Whether a search pattern matches the daemon's command line; of an `awk` program, a pattern between slashes."""
    for each in (pattern, *re.findall(r"/([^/]+)/", pattern)):
        if any(matches(each.replace("\\.", "."), line, whole=False) for line in known.commands()):
            return True
    return False


def _by_pattern(command: Command, known: Assets, ended: Disarming) -> Iterator[Disarming]:
    if not _HARMLESS.isdisjoint(command.args) or command.has_flag("-0"):
        return
    pattern = _fits(command, known)
    if pattern is not None:
        ours = NAME in pattern.lower() or any(mark in pattern for mark in known.marks_of_environment)
        yield ended if ours else ended._replace(how=How.BROAD)


def _fits(command: Command, known: Assets) -> str | None:
    """The pattern of `pkill`, `pgrep`, `killall` or `pidof` that matches the daemon; None if none does."""
    whole = command.has_flag("-f", "--full", valued="sgGPtuUF") and command.program in ("pkill", "pgrep", "skill")
    exact = command.has_flag("-x", "--exact") or command.program in ("killall", "pidof", "slay")
    exact = exact and not command.has_flag("-r", "--regexp")
    pythons = {each.place.rpartition("/")[2][:15] for each in known.of(Sort.INTERPRETER) if each.owner == "python"}
    pythons -= {"pyvenv.cfg"}
    for pattern in command.operands(_VALUED):
        for line in known.commands():
            program, _, rest = line.partition(" ")
            names = [program.rpartition("/")[2][:15], *pythons, *([NAME] if f"-m {NAME}" in rest else [])]
            texts = [line, line.replace(f"python -P -m {NAME}", NAME)] if whole else names
            if any(matches(pattern, text, whole=exact) for text in texts):
                return pattern
    return None


def fits_daemon(text: str, known: Assets) -> bool:
    """Whether a text that selects processes matches the daemon's command line."""
    return any(matches(text, line, whole=False) for line in known.commands())


def matches(pattern: str, text: str, *, whole: bool) -> bool:
    """Whether a pattern equals a text (`whole`), or matches anywhere in it."""
    if HOLE in pattern or len(pattern) > LONGEST:
        return False
    if whole:
        return pattern == text
    try:
        return compile_linear(pattern).search(text) is not None
    except re2.error:
        return pattern in text


def _is_socket(word: str, command: Command, known: Assets) -> bool:
    """Whether a word names the daemon's socket, its lock or its port."""
    asset = known.named(word, command.cwd)
    if asset is None and word.endswith(".pid"):  # the PID file has the socket's name
        asset = known.at(f"{command.path(word).removesuffix('.pid')}.sock")
    ports = {asset.place for asset in known.of(Sort.PORT)}
    return (asset is not None and asset.sort in (Sort.SOCKET, Sort.STATE)) or bool(
        ports.intersection(re.split(r"[:/]", word))
    )


def _stops_unit(command: Command) -> bool:
    """Whether a command stops this user's unit of our name. The system's `supervisor.service` is supervisord's."""
    words = command.operands()
    if STOPS.isdisjoint(words) or (command.program in ("systemctl", "loginctl") and "--user" not in command.args):
        return False
    return command.program in ("systemctl", "launchctl") and any(map(is_unit, words))


_USERS = re.compile(r"user@\d+(?:\.service)?|user(?:-\d+)?\.slice")


def _is_users_manager(command: Command) -> bool:
    """Whether a command ends all processes of a user: `systemctl stop user@1000`, `loginctl terminate-user ann`."""
    words = command.operands()
    if command.program == "loginctl":
        return bool(words) and words[0] in ("terminate-user", "kill-user", "disable-linger")
    if command.program == "systemctl" and "--user" in command.args and words[:1] in (["exit"], ["isolate"]):
        return True
    return command.program == "systemctl" and bool(STOPS.intersection(words)) and any(map(_USERS.fullmatch, words))


_UNITS = frozenset({NAME, f"{NAME}-guard", f"{NAME}-daemon"})


def is_unit(word: str) -> bool:
    """Whether a word is the name of a unit of ours."""
    name = word.rpartition("/")[2]
    for ending in (".service", ".socket", ".plist"):
        name = name.removesuffix(ending)
    if not _UNITS.isdisjoint((name, *name.split("."))):
        return True  # alone, or in a reverse domain name
    return "*" in name and fnmatchcase(NAME, name)
