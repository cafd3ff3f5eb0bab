"""Programs that copy, move, link and mirror files."""

from __future__ import annotations

from collections.abc import Iterator

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.copying import VALUED, transfer


def _copied(command: Command, ground: Ground) -> Iterator[Effect]:
    sources, places = transfer(command)
    if command.program == "install" and command.has_flag("-d", "--directory", valued="mogtS"):
        yield from (ground.on_path(Act.WRITE, word, command, verb="make") for word in command.operands(VALUED))
        return
    yield from (ground.on_path(Act.READ, word, command) for word in sources)
    yield from (ground.on_path(Act.WRITE, word, command, verb="replace") for word in places)


def _moved(command: Command, ground: Ground) -> Iterator[Effect]:
    sources, places = transfer(command)
    yield from (ground.on_path(Act.MOVE, word, command, verb="move") for word in sources)
    verb = "keep" if command.has_flag("-n", "--no-clobber", "-b", "--backup", valued="tS") else "move"
    yield from (ground.on_path(Act.WRITE, word, command, verb=verb) for word in places)


def _linked(command: Command, ground: Ground) -> Iterator[Effect]:
    """A symbolic link's target is relative to the link; `content` is that target, resolved."""
    sources, places = transfer(command)
    symbolic = command.has_flag("-s", "--symbolic", "-r", "--relative", valued="tS")
    for source, place in zip(sources, places, strict=False):
        directory = place.rpartition("/")[0] if symbolic and not command.has_flag("-r", "--relative") else ""
        lead = f"{directory}/{source}" if directory and not source.startswith(("/", "~")) else source
        target = command.path(lead)
        written = ground.path(Act.MOVE, place, command.cwd)  # the link itself is replaced, not its old target
        yield Effect(
            Act.WRITE,
            written,
            ground.scope_of(written, command),
            "link",
            text=command.text,
            content=target,
            command=command,
        )


def links_made(command: Command, ground: Ground) -> dict[str, str]:
    """The symbolic links that a command makes, each with its target."""
    if command.program != "ln" or not command.has_flag("-s", "--symbolic", valued="tS"):
        return {}
    return {each.target: each.content for each in _linked(command, ground) if each.content}


_RSYNC_OPTIONS = (
    "-e --rsh -f --filter --exclude --include --exclude-from --include-from --files-from --backup-dir --suffix -T"
    " --temp-dir --partial-dir --log-file --out-format --bwlimit --timeout --port --password-file --max-delete -M -B"
    " --chmod --chown --compare-dest --copy-dest --link-dest --rsync-path --max-size --min-size"
)
_RSYNC_VALUED = frozenset(_RSYNC_OPTIONS.split())


def _mirrored(command: Command, ground: Ground) -> Iterator[Effect]:
    """`rsync` between directories of this machine. With `--delete` it deletes files that the source does not have."""
    *sources, target = command.operands(_RSYNC_VALUED) or [""]
    if not sources or command.has_flag("-n", "--dry-run", "--list-only", "--help", valued="efTMB"):
        return
    yield from (ground.on_path(Act.READ, word, command) for word in sources if ":" not in word)
    deletes = any(flag == "--del" or flag.startswith("--delete") for flag in command.flags("efTMB"))
    if deletes:
        kept = command.has_flag("-b", "--backup", "--backup-dir", "--max-delete", valued="efTMB")
        effect = ground.on_path(Act.DELETE, target, command, verb="mirror", reversible=kept)
        yield effect if not is_on_host(target) else _elsewhere(effect, target)
    if not is_on_host(target):
        yield ground.on_path(Act.WRITE, target, command, verb="mirror")
    if command.has_flag("--remove-source-files"):
        yield from (ground.on_path(Act.MOVE, word, command, verb="move") for word in sources if not is_on_host(word))


def is_on_host(word: str) -> bool:
    """Whether `host:path` or `rsync://…` names a path of another machine."""
    head, colon, _ = word.partition(":")
    return bool(colon) and "/" not in head


def _elsewhere(effect: Effect, target: str) -> Effect:
    effect.target, effect.scope = target, effect.scope.REMOTE
    return effect


_COPIES = frozenset({Act.READ, Act.WRITE})
PROGRAMS = {
    **dict.fromkeys(("cp", "gcp", "install", "ditto"), Reading(_COPIES, _copied)),
    "mv": Reading(frozenset({Act.MOVE, Act.WRITE}), _moved),
    "ln": Reading(frozenset({Act.WRITE}), _linked),
    "rsync": Reading(frozenset({Act.DELETE, Act.MOVE, Act.READ, Act.WRITE}), _mirrored),
}
