"""What programs copy to other machines, to object stores, and into mail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from supervisor.evidence import commands
from supervisor.evidence.commands import Argument, Line, Role, Stdin
from supervisor.evidence.effects.contents import payloads_named, payloads_of
from supervisor.evidence.effects.effect import Act, Effect, Ground, Payload, Reading
from supervisor.evidence.effects.hosts import host_of_copy, place_of_host
from supervisor.evidence.effects.network import CARRIES, Sent, body_of, payloads_on_input, sent
from supervisor.evidence.reading.paths import HOLE, Place, place_of, resolve
from supervisor.evidence.shell import Command

_MOST = 64  # sources of one copy
_STORES = ("aws", "gsutil", "gcloud", "rclone", "mc", "s3cmd", "s5cmd", "b2", "azcopy", "az")


def _copied(command: Command, ground: Ground) -> Iterator[Effect]:
    """`scp f host:`, `rsync -a d host:/d`: the last operand is where the others go."""
    *sources, end = _ends_of(command)
    if not sources:
        return
    target = end.value
    host = host_of_copy(target)
    if host is not None and (path := target.partition(":")[2]).startswith(("/", "~")):
        where = resolve(path)
        yield Effect(Act.WRITE, where, place_of(where, None), "remote", text=command.text, command=command)
    for source in sources[:_MOST]:
        origin = host_of_copy(source.value)
        if host is not None and origin is None:
            yield from sent(command, host, "copy", payloads_named(source.value, source.at, command, ground))
        elif origin is not None and host is None:
            yield Effect(Act.RECEIVE, origin, place_of_host(origin), source.value, text=command.text, command=command)


def _ends_of(command: Command) -> list[Argument]:
    """The sources and the target of a copy; one empty target if it copies nothing."""
    line = commands.read(command.argv)
    found = list(line.of(Role.COPY)) if line and not line.rehearses else []
    return found or [Argument(Role.COPY, "", 0)]


def _over_ssh(command: Command, ground: Ground) -> Iterator[Effect]:
    """What a session on another machine, or a file transfer, gets from standard input and operands."""
    line = commands.read(command.argv)
    target = next(line.of(Role.HOST), None) if line else None
    if line is not None and target is not None:
        host = target.value.partition("://")[2] or target.value
        host = host.rpartition("@")[2].partition(":")[0].lower()
        given = [each for each in payloads_on_input(command, ground) if each.what != "text"]
        yield from sent(
            command,
            host,
            "copy",
            [*_named(line.of(Role.SENDS), command, ground), *given, *_files_in_texts(command, line, ground)],
        )


def _named(given: Iterable[Argument], command: Command, ground: Ground) -> list[Payload]:
    """The files that arguments name."""
    return [payload for each in given for payload in payloads_named(each.value, each.at, command, ground)]


def _files_in_texts(command: Command, line: Line, ground: Ground) -> Iterator[Payload]:
    """The files whose contents substitutions put into texts: a subject, a command for another machine."""
    for each in line.of(Role.TEXT):
        if HOLE in each.value:
            found = payloads_of(command.sources_of(each.at), ground)
            yield from (payload for payload in found if payload.what == "file")


def _stored(command: Command, ground: Ground) -> Iterator[Effect]:
    """Copies into a bucket of an account that the machine is logged in to."""
    *sources, end = _ends_of(command)
    target = end.value
    line = commands.read(command.argv)
    named = list(line.of(Role.SENDS)) if line and not line.rehearses else []
    if ":" not in target and not named:
        return
    given = [*named, *sources][:_MOST]
    files = _named((each for each in given if ":" not in each.value and each.value != "-"), command, ground)
    payloads = [each._replace(whole=True) if each.what == "file" else each for each in files]
    if not given or any(each.value == "-" for each in sources):
        payloads += payloads_on_input(command, ground)
    for each in payloads:
        yield Sent(
            Act.SEND,
            target or f"{command.program}:",
            Place.REMOTE,
            "store",
            text=command.text,
            command=command,
            payload=each,
        )


def _mailed(command: Command, ground: Ground) -> Iterator[Effect]:
    line = commands.read(command.argv)
    if line is None:
        return
    payloads = [
        *_named(line.of(Role.SENDS), command, ground),
        *payloads_on_input(command, ground),
        *_files_in_texts(command, line, ground),
    ]
    for each in line.of(Role.MAIL):
        if "@" in each.value:
            yield from sent(command, each.value.rpartition("@")[2].lower(), "mail", payloads)


def _pasted(command: Command, ground: Ground) -> Iterator[Effect]:
    """`gh gist create f`, `gh issue create -F f`, `gh api -F name=@f`: a page that others read."""
    line = commands.read(command.argv)
    if line is None or not line.verb:
        return
    is_gist = line.verb.startswith(("gist", "snippet"))
    named = [payload for each in line.of(*CARRIES) for payload in body_of(command, each, ground)]
    payloads = named or (payloads_on_input(command, ground) if line.stdin is Stdin.SENDS else [])
    is_on_forge = is_gist or line.verb.startswith(("issue", "pr"))  # a page that the forge is for
    verb = "paste" if is_on_forge and "--public" not in line.flags else "upload"
    yield from sent(command, "gist.github.com" if is_gist else "github.com", verb, payloads)


def _built(command: Command, ground: Ground) -> Iterator[Effect]:
    """`docker build --build-arg KEY="$(cat f)"`: the history of an image shows its arguments to all who get it."""
    line = commands.read(command.argv)
    for each in line.of(Role.BODY) if line and not line.rehearses else ():
        yield from sent(command, "the image", "image", body_of(command, each, ground))


def _names_no_output(words: Sequence[str]) -> bool:
    return not any(HOLE in word for word in words)


def _stays(words: Sequence[str]) -> bool:
    """Whether no word can name another machine or a store, or a file for one."""
    return not any(":" in word or word in ("--body", "put-object", "upload", "upload-batch") for word in words)


def _shows_no_page(words: Sequence[str]) -> bool:
    """Whether no page is made of something: neither a gist, nor an issue, nor a request from a file."""
    makes = any(word in ("gist", "snippet", "api") or word.startswith(("-F", "--body")) for word in words)
    return not makes and not any(HOLE in word for word in words)


_SENDS = frozenset({Act.SEND})
PROGRAMS = {
    **dict.fromkeys(("rsync", "scp"), Reading(frozenset({Act.SEND, Act.RECEIVE, Act.WRITE}), _copied, _stays)),
    **dict.fromkeys(("ssh", "slogin", "ftp", "lftp", "tftp", "ncftp", "ncftpput", "sftp"), Reading(_SENDS, _over_ssh)),
    **dict.fromkeys(_STORES, Reading(_SENDS, _stored, _stays)),
    **dict.fromkeys(
        ("mail", "mailx", "mutt", "neomutt", "s-nail", "sendmail", "msmtp", "ssmtp", "bsd-mailx", "swaks"),
        Reading(_SENDS, _mailed),
    ),
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah"), Reading(_SENDS, _built, _names_no_output)),
    **dict.fromkeys(("gh", "hub", "glab"), Reading(_SENDS, _pasted, _shows_no_page)),
}
