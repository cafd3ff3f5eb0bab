"""What programs send over the network and to which hosts, and from which hosts they receive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from supervisor.evidence.effects.contents import Payload, payload_in_file, payloads_of
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.effects.hosts import host_in, place_of_host
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set


@dataclass(slots=True, eq=False)
class Sent(Effect):
    """One thing that is sent. `target` is the host; `verb` how: "post", "upload", "copy", "pipe", "mail",
    "paste" (unlisted), "header", "name" (in an address).

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


# HTTP clients

_MOST = 8  # addresses of one command line
_MOST_OPTIONS = 16

_CURL_VALUED = word_set(
    "-A -b -c -C -d -D -E -e -F -H -h -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --output --request "
    "--header --user --user-agent --data --data-raw --data-binary --data-ascii --data-urlencode --json --form "
    "--form-string --upload-file --max-time --connect-timeout --retry --retry-delay --cacert --cert --key "
    "--proxy --cookie --cookie-jar --write-out --referer --resolve --range --config --interface --url "
    "--output-dir --limit-rate --dump-header"
)
_CURL_DATA = frozenset(
    ("-d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "--json", "-F", "--form")
)
_UPLOAD = ("-T", "--upload-file")


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


def _curl(command: Command, ground: Ground) -> Iterator[Effect]:
    options = list(options_of(command, _CURL_VALUED, "dFToHX"))
    urls = [(value, index) for option, value, index in options if option in ("", "--url")]
    for url, index in urls[:_MOST]:
        host = host_in(url)
        yield received(command, url)
        yield from sent(command, host, "name", _substituted(command, url, index, ground))
        for option, value, place in [each for each in options if each[0]][:_MOST_OPTIONS]:
            if option in _UPLOAD:
                yield from sent(command, host, "upload", _file_or_input(command, value, ground))
            elif option in _CURL_DATA:
                verb = "upload" if option in ("-F", "--form") else "post"
                yield from sent(command, host, verb, _datum(command, option, value, place, ground))
            elif option in ("-H", "--header") and HOLE in value:
                yield from sent(command, host, "header", _substituted(command, value, place, ground))


def _datum(command: Command, option: str, value: str, index: int, ground: Ground) -> Iterator[Payload]:
    """What one `-d` or `-F` sends: `@file`, `name=@file`, `name@file`, `@-`, or the text itself."""
    mark, name = value[:1], value[1:]
    if option in ("-F", "--form"):
        mark, name = value.partition("=")[2][:1], value.partition("=")[2][1:].partition(";")[0]
    elif option == "--data-urlencode" and "=" not in value and "@" in value:
        mark, name = "@", value.partition("@")[2]
    if (mark == "@" and option != "--data-raw") or (mark == "<" and option in ("-F", "--form")):
        yield from _file_or_input(command, name, ground)
    else:
        yield from _substituted(command, value, index, ground) or [Payload("text")]


def _file_or_input(command: Command, name: str, ground: Ground) -> list[Payload]:
    if name in ("-", ".", "/dev/stdin"):
        return payloads_on_input(command, ground)
    return [payload_in_file(name, command, ground)]


def _substituted(command: Command, word: str, index: int, ground: Ground) -> list[Payload]:
    """What command substitutions put into a word."""
    return payloads_of(command.sources_of(index), ground) if HOLE in word else []


def payloads_on_input(command: Command, ground: Ground) -> list[Payload]:
    """What a command reads from its standard input."""
    files = [payload_in_file(each.target, command, ground) for each in command.redirects if each.operator == "<"]
    return files or payloads_of(command.upstream, ground)


_WGET_VALUED = word_set("-O -o -P -U -e -T -t -w -i --header --user --password --post-data --post-file")
_WGET_FILES, _WGET_TEXTS = ("--post-file", "--body-file"), ("--post-data", "--body-data")


def _wget(command: Command, ground: Ground) -> Iterator[Effect]:
    options = list(options_of(command, _WGET_VALUED, "O"))
    for url, index in [(value, index) for option, value, index in options if not option][:_MOST]:
        yield received(command, url)
        yield from sent(command, host_in(url), "name", _substituted(command, url, index, ground))
        for name, value, place in [each for each in options if each[0]][:_MOST_OPTIONS]:
            if name in _WGET_FILES:
                yield from sent(command, host_in(url), "upload", [payload_in_file(value, command, ground)])
            elif name in _WGET_TEXTS:
                payloads = _substituted(command, value, place, ground) or [Payload("text")]
                yield from sent(command, host_in(url), "post", payloads)


def _httpie(command: Command, ground: Ground) -> Iterator[Effect]:
    words = command.operands(frozenset({"-a", "--auth", "-o", "--output", "-s", "--style", "-p", "--print"}))
    words = words[1:] if words and words[0].isupper() else words
    if not words:
        return
    url, *items = words
    yield received(command, url)
    payloads = [
        payload_in_file(item.partition("@")[2], command, ground) for item in items if "@" in item and ":" not in item
    ]
    payloads += payloads_of([by for index in range(1, len(command.argv)) for by in command.sources_of(index)], ground)
    yield from sent(command, host_in(url), "upload", payloads or payloads_on_input(command, ground))


# Bare connections

_NC_VALUED = word_set("-p -s -w -i -e -c -x -X -q -g -G -T -I -O -P -V -M -m --exec --sh-exec --source-port")


def _netcat(command: Command, ground: Ground) -> Iterator[Effect]:
    operands = command.operands(_NC_VALUED)
    if operands and not command.has_flag("-l", "-z", "--listen"):
        host = host_in(operands[0])
        yield from sent(command, host, "pipe", payloads_on_input(command, ground))
        yield from sent(command, host, "name", _substituted(command, operands[0], 1, ground))


def _socat(command: Command, ground: Ground) -> Iterator[Effect]:
    for word in command.operands():
        kind, _, rest = word.partition(":")
        if kind.upper() in ("TCP", "TCP4", "TCP6", "UDP", "UDP4", "OPENSSL", "SSL", "TCP-CONNECT", "UDP-SENDTO"):
            yield from sent(command, host_in(rest.partition(":")[0]), "pipe", payloads_on_input(command, ground))


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
            yield from sent(command, host_in(word), "name", _substituted(command, word, index, ground))


def _only_asks(words: Sequence[str]) -> bool:
    """Whether a request has no body, and no output of a command in its address."""
    sends = (
        (word.startswith("--") and word.startswith(_BODIES)) or (word[:1] == "-" and not _BODY.isdisjoint(word))
        for word in words
    )
    return not any(sends) and not any(HOLE in word for word in words)


def _only_names(words: Sequence[str]) -> bool:
    return not any(HOLE in word for word in words)


_BODIES = ("--body", "--data", "--form", "--header", "--json", "--post", "--upload")
_RESOLVERS = ("dig", "drill", "host", "nslookup", "ping")
_BODY = frozenset("dFHT")
_BOTH = frozenset({Act.SEND, Act.RECEIVE})
TO_DEVICES = Reading(frozenset({Act.SEND}), to_devices)
PROGRAMS = {
    **dict.fromkeys(("curl", "curlie"), Reading(_BOTH, _curl, _only_asks)),
    **dict.fromkeys(("wget", "wget2"), Reading(_BOTH, _wget, _only_asks)),
    **dict.fromkeys(("http", "https", "xh"), Reading(_BOTH, _httpie)),
    **dict.fromkeys(("nc", "ncat", "netcat", "telnet"), Reading(frozenset({Act.SEND}), _netcat)),
    "socat": Reading(frozenset({Act.SEND}), _socat),
    **dict.fromkeys(
        ("dig", "drill", "host", "nslookup", "ping"), Reading(frozenset({Act.SEND}), _looked_up, _only_names)
    ),
}
