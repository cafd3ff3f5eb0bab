"""What programs copy to other machines, to object stores, and into mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from supervisor.evidence.effects.contents import payload_in_file
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.effects.hosts import host_of_copy, place_of_host
from supervisor.evidence.effects.network import Sent, options_of, payloads_on_input, sent
from supervisor.evidence.reading.paths import Place, place_of, resolve
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set

_COPY_VALUED = word_set(
    "-P -i -o -F -c -l -S -J -e -f -T -B -X --rsh --exclude --include --exclude-from --include-from "
    "--files-from --bwlimit --port --password-file --log-file --filter --rsync-path --max-size --min-size "
    "--timeout"
)


def _copied(command: Command, ground: Ground) -> Iterator[Effect]:
    operands = command.operands(_COPY_VALUED)
    if len(operands) < 2:
        return
    *sources, target = operands
    host = host_of_copy(target)
    if host is not None and (path := target.partition(":")[2]).startswith(("/", "~")):
        where = resolve(path)
        yield Effect(Act.WRITE, where, place_of(where, None), "remote", text=command.text, command=command)
    for source in sources:
        origin = host_of_copy(source)
        if host is not None and origin is None:
            yield from sent(command, host, "copy", [payload_in_file(source, command, ground)])
        elif origin is not None and host is None:
            yield Effect(Act.RECEIVE, origin, place_of_host(origin), source, text=command.text, command=command)


def _over_ssh(command: Command, ground: Ground) -> Iterator[Effect]:
    operands = command.operands(word_set("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"))
    if operands:
        host = operands[0].rpartition("@")[2].lower()
        yield from sent(
            command, host, "copy", [each for each in payloads_on_input(command, ground) if each.what != "text"]
        )


_STORES = {"aws": ("s3",), "gsutil": (), "gcloud": ("storage",), "rclone": (), "mc": (), "s3cmd": (), "b2": ()}
_STORE_VERBS = frozenset({"cp", "copy", "copyto", "mv", "move", "put", "rsync", "sync", "upload"})


def _stored(command: Command, ground: Ground) -> Iterator[Effect]:
    """Copies into a bucket of an account that the machine is logged in to."""
    words = [word for word in command.operands() if word not in _STORES[command.program] and word != "-m"]
    if len(words) < 3 or words[0] not in _STORE_VERBS:
        return
    source, target = words[1], words[2]
    if ":" in target and ":" not in source:
        payload = payload_in_file(source, command, ground)
        yield Sent(Act.SEND, target, Place.REMOTE, "store", text=command.text, command=command, payload=payload)


def _mailed(command: Command, ground: Ground) -> Iterator[Effect]:
    options = list(options_of(command, frozenset({"-a", "-A", "-s", "-c", "-b", "-r", "-f", "-S", "--attach", "-q"})))
    payloads = [
        payload_in_file(value, command, ground) for name, value, _ in options if name in ("-a", "-A", "--attach")
    ]
    payloads += payloads_on_input(command, ground)
    for name, value, _ in options:
        if not name and "@" in value:
            yield from sent(command, value.rpartition("@")[2].lower(), "mail", payloads)


def _pasted(command: Command, ground: Ground) -> Iterator[Effect]:
    words = command.operands(frozenset({"-d", "--desc", "-f", "--filename"}))
    if words[:2] in (["gist", "create"], ["gist", "new"]):
        payloads = [payload_in_file(word, command, ground) for word in words[2:] if word != "-"]
        verb = "upload" if command.has_flag("-p", "--public") else "paste"  # a paste is unlisted
        yield from sent(command, "gist.github.com", verb, payloads or payloads_on_input(command, ground))


def _stays(words: Sequence[str]) -> bool:
    """Whether no word can name another machine or a store."""
    return not any(":" in word for word in words)


def _no_gist(words: Sequence[str]) -> bool:
    return "gist" not in words


_SENDS = frozenset({Act.SEND})
PROGRAMS = {
    **dict.fromkeys(("rsync", "scp"), Reading(frozenset({Act.SEND, Act.RECEIVE, Act.WRITE}), _copied, _stays)),
    "ssh": Reading(_SENDS, _over_ssh),
    **dict.fromkeys(_STORES, Reading(_SENDS, _stored, _stays)),
    **dict.fromkeys(("mail", "mailx", "mutt", "s-nail", "sendmail", "msmtp"), Reading(_SENDS, _mailed)),
    "gh": Reading(_SENDS, _pasted, _no_gist),
}
