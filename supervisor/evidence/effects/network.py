"""What programs send over the network and to which hosts, and from which hosts they receive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from supervisor.evidence import commands
from supervisor.evidence.commands import Argument, Role, Stdin
from supervisor.evidence.effects.contents import payload_in_file, payloads_named, payloads_of
from supervisor.evidence.effects.effect import Act, Effect, Ground, Payload, Reading
from supervisor.evidence.effects.files import NOWHERE
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command


@dataclass(slots=True, eq=False)
class Sent(Effect):
    """One thing that is sent. `target` is the host; `verb` how: "post", "upload", "copy", "pipe", "mail",
    "paste" (an unlisted page, an issue or a request), "header", "name" (in an address).

    `payload` is what is sent: a text, a file, the output of a command, the environment.
    """

    payload: Payload = Payload("text")  # noqa: RUF009 - a NamedTuple is immutable


def sent(command: Command, host: str, verb: str, payloads: Iterable[Payload]) -> Iterator[Sent]:
    """An effect for each of these things, as sent to a host."""
    place = place_of_host(host)
    for each in payloads:
        yield Sent(Act.SEND, host, place, verb, text=command.text, content=each.path, command=command, payload=each)


def received(command: Command, url: str, path: str = "") -> Effect:
    """An effect for the response of a URL, with the file that it is written to."""
    host = host_in(url)
    return Effect(Act.RECEIVE, host, place_of_host(host), url, text=command.text, content=path, command=command)


# Command lines


def options_of(command: Command, valued: frozenset[str], glued: str = "") -> Iterator[tuple[str, str, int]]:
    """A command's options and operands as (option, value, index of the value); operands have no option, flags no value.

    `glued` are the letters whose value may be in the same word: with "d", `-dname` is `-d name`.
    """
    index = 1
    while index < len(command.argv):
        word = command.argv[index]
        name, equals, value = word.partition("=")
        if word in valued and index + 1 < len(command.argv):
            index += 1
            yield word, command.argv[index], index
        elif word.startswith("--") and equals:
            yield name, value, index
        elif word.startswith("-") and len(word) > 2 and word[1] in glued:
            yield word[:2], word[2:], index
        elif word.startswith("-") and len(word) > 2 and f"-{word[-1]}" in valued and not word.startswith("--"):
            index += 1
            yield f"-{word[-1]}", command.argv[index] if index < len(command.argv) else "", index
        else:
            yield ("", word, index) if not word.startswith("-") or word == "-" else (word, "", index)
        index += 1


_MOST = 8  # addresses of one command line
_MOST_OPTIONS = 16
_INPUT = ("-", ".", "/dev/stdin", "/dev/fd/0")
_CONNECTIONS = ("TCP", "TCP4", "TCP6", "UDP", "UDP4", "OPENSSL", "SSL", "TCP-CONNECT", "UDP-SENDTO", "OPENSSL-CONNECT")
CARRIES = (Role.DATA, Role.BODY, Role.FORM, Role.ITEM, Role.SENDS, Role.HEADER)
_VERBS = {Role.DATA: "post", Role.BODY: "post", Role.HEADER: "header"}  # of what else is sent: "upload"


def _requested(command: Command, ground: Ground) -> Iterator[Effect]:
    """What a client of HTTP receives from each of its addresses, and sends there."""
    line = commands.read(command.argv)
    if line is None or line.rehearses:
        return
    bodies = list(line.of(*CARRIES))[:_MOST_OPTIONS]
    texts = [each for each in line.of(Role.TEXT) if HOLE in each.value][:_MOST_OPTIONS]
    for url in list(line.of(Role.URL))[:_MOST]:
        host = host_in(url.value)
        yield received(command, url.value)
        yield from sent(command, host, "name", _substituted(command, url, ground))
        for each in bodies:
            yield from sent(command, host, _verb_of(each), body_of(command, each, ground))
        for each in texts:  # a name, a cookie: most of them sign in
            verb = "post" if each.option in _TOLD else "header"
            yield from sent(command, host, verb, _substituted(command, each, ground))
        if line.stdin is Stdin.SENDS and all(_separator(each) in _BESIDE_BODY for each in bodies):
            yield from sent(command, host, "upload", payloads_on_input(command, ground))


def _connected(command: Command, ground: Ground) -> Iterator[Effect]:
    """What a bare connection sends: `nc host port < file`, `socat - TCP:host:port`, `telnet`."""
    line = commands.read(command.argv)
    if line is None or line.rehearses:
        return
    for each in line.of(Role.HOST, Role.SOCKET):
        kind, _, rest = each.value.partition(":")
        if each.role is Role.HOST or kind.upper() in _CONNECTIONS:
            host = host_in((rest if each.role is Role.SOCKET else each.value).partition(":")[0])
            yield from sent(command, host, "pipe", payloads_on_input(command, ground))
            yield from sent(command, host, "name", _substituted(command, each, ground))


def body_of(command: Command, argument: Argument, ground: Ground) -> Iterable[Payload]:
    """What one value sends: a file (`@file`, `name=@file`, `name@file`), standard input (`@-`), or the text itself."""
    if argument.role is Role.HEADER:
        return _substituted(command, argument, ground)
    name = _file_in(argument)
    if name is None:
        texts = [] if argument.role is Role.ITEM else [Payload("text")]
        return _substituted(command, argument, ground) or texts
    return payloads_on_input(command, ground) if name in _INPUT else payloads_named(name, argument.at, command, ground)


def _separator(argument: Argument) -> str:
    """What stands between the name and the value of HTTPie's item: `:` of a header, `==` of a parameter of the URL."""
    found = _ITEM.match(argument.value) if argument.role is Role.ITEM else None
    return found[1] if found else ""


def _verb_of(argument: Argument) -> str:
    """How a value is sent."""
    if _separator(argument) in _OF_HEADER:
        return "header"
    return _VERBS.get(argument.role or Role.SENDS, "upload")


def _file_in(argument: Argument) -> str | None:
    """The file that a value names; None if it is a text."""
    value = argument.value
    if argument.role is Role.SENDS:
        return value
    is_encoded = argument.option == "--data-urlencode" and "=" not in value
    if argument.role is Role.DATA and (value.startswith("@") or is_encoded):
        return value.partition("@")[2] or None
    if argument.role is Role.FORM and value.partition("=")[2][:1] in ("@", "<"):
        return value.partition("=")[2][1:].partition(";")[0]
    separator = _separator(argument)
    return value.partition(separator)[2] if separator.endswith("@") else None


def _substituted(command: Command, argument: Argument, ground: Ground) -> list[Payload]:
    """What command substitutions and secret variables put into a value."""
    if HOLE not in argument.value:
        return []
    found = payloads_of(command.sources_of(argument.at), ground)
    named = _SIGNS_IN.search(argument.value.partition(HOLE)[0])
    return [each for each in found if each.what not in _SIGN or not (named or argument.role is Role.URL)]


def payloads_on_input(command: Command, ground: Ground) -> list[Payload]:
    """What a command reads from its standard input: nothing from `/dev/null`."""
    files = [each.target for each in command.redirects if each.operator == "<"]
    if not files:
        return payloads_of(command.upstream, ground)
    return [payload_in_file(each, command, ground) for each in files if each != NOWHERE]


def device_of(word: str) -> str | None:
    """The host of bash's `/dev/tcp/host/port`; None for any other word."""
    head, _, rest = word.partition("/dev/tcp/" if "/dev/tcp/" in word else "/dev/udp/")
    return host_in(rest.partition("/")[0]) if not head and rest else None


def writes_to_device(command: Command) -> bool:
    """Whether one of a command's redirections leads to a host."""
    return any(each.writes and device_of(each.target) is not None for each in command.redirects)


def to_devices(command: Command, ground: Ground) -> Iterator[Effect]:
    """What a redirection to `/dev/tcp/host/port` sends."""
    for redirect in command.redirects:
        host = device_of(redirect.target) if redirect.writes else None
        if host is not None:
            yield from sent(command, host, "pipe", payloads_of([*command.upstream, *command.writers, command], ground))


def _looked_up(command: Command, ground: Ground) -> Iterator[Effect]:
    """`dig $(hostname).example.com`: the data in a name goes to the name's server."""
    for index, word in enumerate(command.argv[1:], 1):
        if HOLE in word and "." in word and not word.startswith(("-", "@", "+")):
            yield from sent(command, host_in(word), "name", payloads_of(command.sources_of(index), ground))


def _only_asks(words: Sequence[str]) -> bool:
    """Whether a request has no body, and no output of a command in its address."""
    sends = (
        _may_name_body(word) if word.startswith("--") else word[:1] == "-" and not _BODY.isdisjoint(word)
        for word in words
    )
    return not any(sends) and not any(HOLE in word for word in words)


def _may_name_body(word: str) -> bool:
    """Whether a long option may be one that has a body, also abbreviated: `--post-f=x`, `--up x`."""
    name = word.partition("=")[0]
    return any(name.startswith(body) or body.startswith(name) for body in _BODIES)


def _only_names(words: Sequence[str]) -> bool:
    return not any(HOLE in word for word in words)


# The first separator of an item, the longest of those that begin there; `\\` escapes (HTTPie, "Request items").
_ITEM = re.compile(r"(?:\\.|[^\\:=@])*(==@|:=@|=@|:@|==|:=|[:=@])", re.DOTALL)
_OF_HEADER = frozenset({":", ":@"})
_BESIDE_BODY = frozenset({*_OF_HEADER, "==", "==@"})
_BODIES = ("--body", "--data", "--form", "--header", "--json", "--post", "--upload", "--url-query")
_BODY = frozenset("dFHT")
# The end of a parameter's name under which a secret variable signs in: `token=$TOKEN`, `"api_key": "$KEY"`.
_SIGNS_IN = re.compile(
    r"(?i)(?:token|secret|key|passw(?:or)?d|pass|auth|bearer|credential|appid|jwt)[\"']?\s*(?:==|:=|[=:])\s*(?:bearer\s+)?[\"']?$"
)
_TOLD = ("-A", "-e", "-U", "--referer", "--user-agent")  # lines before the body that sign nobody in
_SIGN = ("variable", "secret")  # what signs in under such a name
_SENDS = frozenset({Act.SEND})
_BOTH = frozenset({Act.SEND, Act.RECEIVE})
TO_DEVICES = Reading(_SENDS, to_devices)
PROGRAMS = {
    **dict.fromkeys(("curl", "curlie", "wget", "wget2"), Reading(_BOTH, _requested, _only_asks)),
    **dict.fromkeys(("http", "https", "xh", "xhs", "httpie"), Reading(_BOTH, _requested)),
    **dict.fromkeys(("nc", "ncat", "netcat", "telnet", "cryptcat", "socat", "openssl"), Reading(_SENDS, _connected)),
    **dict.fromkeys(("dig", "drill", "host", "nslookup", "ping"), Reading(_SENDS, _looked_up, _only_names)),
}
