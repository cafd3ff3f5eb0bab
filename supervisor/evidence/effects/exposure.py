"""Programs that let others reach this machine: tunnels through firewalls, and terminals served over the network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.reading.paths import HOLE, Place
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set

_Verbs = frozenset[str]
# Tunnelling programs, each with the words of which one opens a tunnel; none if the program always opens one.
_TUNNELS: dict[str, _Verbs] = {
    "ngrok": frozenset({"http", "https", "start", "tcp", "tls"}),
    "cloudflared": frozenset({"access-tcp", "tunnel"}),
    "lt": frozenset({"--port", "-p"}),
    "localtunnel": frozenset({"--port", "-p"}),
    "bore": frozenset({"local"}),
    "zrok": frozenset({"share"}),
    "tailscale": frozenset({"funnel"}),
    "devtunnel": frozenset({"host"}),
    "pinggy": frozenset(),
    "tunnelmole": frozenset(),
    "tmole": frozenset(),
    "telebit": frozenset(),
    "playit": frozenset(),
    "frpc": frozenset(),
    "gost": frozenset({"-L"}),
    "chisel": frozenset({"client"}),
    "inlets": frozenset({"client", "http", "tcp"}),
    "pktriot": frozenset({"http", "start", "tcp"}),
    "localxpose": frozenset({"tunnel"}),
    "loclx": frozenset({"tunnel"}),
    "expose": frozenset({"share"}),
    "tmate": frozenset(),
    "upterm": frozenset({"host"}),
    "sshx": frozenset(),
    "code": frozenset({"tunnel"}),
    "code-insiders": frozenset({"tunnel"}),
}
_HARMLESS = word_set(
    "--help --version -V -h authtoken cleanup config create delete diagnose help info install kill-server list "
    "login logout ls reset route show status token unregister update user validate version"
)
_RUNNERS = frozenset({"bunx", "npx", "pnpx"})
_TERMINALS = frozenset({"gotty", "shellinaboxd", "ttyd", "wetty"})
_LOOPBACK = ("127.", "localhost", "::1", "[::1]", "lo")
_SSH_VALUED = word_set("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -S -W -w")


def _exposed(command: Command, target: str, verb: str) -> Effect:
    return Effect(Act.EXPOSE, target, Place.REMOTE, verb, text=command.text, command=command)


def _tunnel(command: Command, ground: Ground) -> Iterator[Effect]:
    verbs, words = _TUNNELS[command.program], set(command.args)
    operands = command.operands()
    idle = words & {"--help", "-h", "--version", "-V"} or not _HARMLESS.isdisjoint(operands[:2])
    if not idle and (not verbs or not verbs.isdisjoint(words)):
        yield _exposed(command, command.program, "tunnel")


def _run_by_npx(command: Command, ground: Ground) -> Iterator[Effect]:
    """`npx localtunnel --port 3000`."""
    words = [word for word in command.args if word not in ("-y", "--yes", "--")]
    name = words[0].partition("@")[0] if words else ""
    if name in _TUNNELS and (not _TUNNELS[name] or not _TUNNELS[name].isdisjoint(words[1:])):
        yield _exposed(command, name, "tunnel")


def _forwarded(command: Command, ground: Ground) -> Iterator[Effect]:
    """`ssh -R`: a port of the other machine is forwarded to this one."""
    words = iter(command.args)
    for word in words:
        if not word.startswith("-"):
            return
        if word == "-R" or (word.startswith("-") and word.endswith("R") and word[1:2] != "-"):
            host = command.operands(_SSH_VALUED | {word})[:1]
            yield _exposed(command, host[0].rpartition("@")[2] if host else HOLE, "forward")
            return
        if word.startswith("-R"):
            host = command.operands(_SSH_VALUED)[:1]
            yield _exposed(command, host[0].rpartition("@")[2] if host else HOLE, "forward")
            return
        if word in _SSH_VALUED:
            next(words, None)


def _terminal(command: Command, ground: Ground) -> Iterator[Effect]:
    """A shell served as a web page, unless only on the loopback address."""
    bound = [
        b for a, b in zip(command.args, command.args[1:], strict=False) if a in ("-i", "-a", "--address", "--host")
    ]
    if not any(value.startswith(_LOOPBACK) for value in bound) and not command.has_flag("--help", "--version"):
        yield _exposed(command, command.program, "terminal")


def _without_login(command: Command, ground: Ground) -> Iterator[Effect]:
    """Servers that run any visitor's input, on every address and without a password."""
    words = " ".join(command.args)
    open_to_all = any(mark in words for mark in ("0.0.0.0", "ip=*", "ip=::", "--bind-addr :"))
    no_login = any(mark in words for mark in ("token=''", 'token=""', "token= ", "--auth none", "--auth=none"))
    if open_to_all and (no_login or words.endswith(("token=", "password="))):
        yield _exposed(command, command.program, "terminal")


_Read = Callable[[Command, Ground], Iterable[Effect]]
_READ: dict[str, _Read] = {
    **dict.fromkeys(_TUNNELS, _tunnel),
    **dict.fromkeys(_RUNNERS, _run_by_npx),
    **dict.fromkeys(("autossh", "ssh"), _forwarded),
    **dict.fromkeys(_TERMINALS, _terminal),
    **dict.fromkeys(("code-server", "jupyter", "jupyter-lab", "jupyter-notebook"), _without_login),
}


def _quiet(program: str) -> Callable[[Sequence[str]], bool]:
    """An `is_quiet` that holds if no argument can make the program open anything."""
    marks = _TUNNELS if program in _RUNNERS else _TUNNELS.get(program, frozenset())
    if not marks:
        return lambda words: False
    return lambda words: not any(word.partition("@")[0] in marks for word in words)


PROGRAMS = {name: Reading(frozenset({Act.EXPOSE}), read, _quiet(name)) for name, read in _READ.items()}
