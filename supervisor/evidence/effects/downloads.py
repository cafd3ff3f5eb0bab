"""What comes from other machines: on a command's output, and in the files that it writes."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.evidence import commands
from supervisor.evidence.commands import Line, Role, Stdout
from supervisor.evidence.effects.hosts import host_in, host_of_copy, place_of_host
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import Command

_LOCAL = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")
_OUTPUT = frozenset({"-o", "-O"})  # the first names of the options that name the file, in curl and in wget
_SCREEN = ("-", "/dev/stdout")
_COPIES = frozenset({"rsync", "scp", "pscp"})


def prints_remote_text(command: Command) -> bool:
    """Whether a command receives something from another machine and writes it to its standard output."""
    line = commands.read(command.argv)
    if line is None or line.rehearses or any(place in word for word in command.args for place in _LOCAL):
        return False
    *sources, target = [each.value for each in line.of(Role.COPY)] or [""]
    if target == "-":
        return any("://" in each for each in sources)
    if line.stdout is not Stdout.REMOTE or any(place_of_host(each) is Place.NEAR for each in _hosts(line)):
        return _reads_device(command)
    targets = [each.value for each in line.arguments if each.option in _OUTPUT]
    to_screen = any(each in _SCREEN for each in targets)
    if command.program.startswith("wget"):
        return to_screen
    to_file = bool(targets) or not line.flags.isdisjoint(("-O", "--remote-name", "--remote-name-all"))
    return (to_screen or not to_file) and line.flags.isdisjoint(("-I", "--head", "--version", "--download"))


def _hosts(line: Line) -> Iterator[str]:
    """The hosts of a connection, without its user."""
    yield from (each.value.rpartition("@")[2] for each in line.of(Role.HOST))


def _reads_device(command: Command) -> bool:
    """`cat < /dev/tcp/host/port`."""
    devices = [each.target for each in command.redirects if each.operator == "<"]
    return any(each.startswith(("/dev/tcp/", "/dev/udp/")) and not any(at in each for at in _LOCAL) for each in devices)


def files_downloaded(command: Command) -> list[str]:
    """The files that a command fills from another machine, as resolved paths."""
    line = commands.read(command.argv)
    if line is None or line.rehearses:
        return []
    if copied := [each.value for each in line.of(Role.COPY)]:
        return [command.path(each) for each in _copied(command.program, *copied)]
    if line.stdout is not Stdout.REMOTE and command.program not in DOWNLOADERS:
        return []
    is_wget = command.program.startswith("wget")
    named = [each.value for each in line.arguments if each.option == ("-O" if is_wget else "-o") and each.value != "-"]
    named += [each.target for each in command.redirects if each.writes and ">>" not in each.operator]
    is_named_by_url = command.program in DOWNLOADERS and (
        command.program != "curl" or not line.flags.isdisjoint(("-O", "--remote-name"))
    )
    if not named and is_named_by_url:
        into = next((f"{each.value}/" for each in line.arguments if each.option == "-P"), "")
        named = [into + url.partition("?")[0].rstrip("/").rpartition("/")[2] for url in urls(command)]
    return [command.path(name) for name in named if name and not name.startswith("/dev/tcp/")]


def _copied(program: str, *ends: str) -> Iterator[str]:
    """The local files that a copy from another machine or an object store fills."""
    *sources, target = ends
    if "://" in target or host_of_copy(target) is not None:
        return
    for source in sources:
        host = host_of_copy(source) if program in _COPIES or "://" in source else None
        if "://" in source or (host is not None and place_of_host(host) is not Place.NEAR):
            yield from () if target.endswith(("/", ".")) else (target,)
            yield f"{target.rstrip('/')}/{source.rpartition('/')[2].rpartition(':')[2]}"


def urls(command: Command) -> Iterator[str]:
    """The addresses among a command's arguments, else the hosts, else the objects of a store."""
    line = commands.read(command.argv)
    if line is not None:
        found = [each.value for each in line.of(Role.URL) if "." in each.value or "/" in each.value]
        yield from found or _hosts(line)
        yield from (each.value for each in line.of(Role.COPY) if host_in(each.value) and ":" in each.value)


DOWNLOADERS = frozenset({"aria2c", "curl", "fetch", "wget", "wget2"})
