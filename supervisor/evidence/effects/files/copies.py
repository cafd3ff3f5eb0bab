"""Programs that copy, move, link and mirror files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command

_VALUED = frozenset({"-t", "--target-directory", "-m", "--mode", "-o", "--owner", "-g", "--group", "-S", "--suffix"})


class Transfer(NamedTuple):
    """The words that a copy names: what from, and the place that each of them gets."""

    sources: list[str]
    places: list[str]


def _transfer(command: Command) -> Transfer:
    """`cp a b`, `mv a b dir`, `mv -t dir a b`, `ln -s /far/thing` (which gets its name here)."""
    words = command.operands(_VALUED)
    directory = _target_directory(command)
    if directory is not None:
        return Transfer(words, _inside(directory, words))
    if command.program == "ln" and len(words) == 1:
        return Transfer(words, _inside(".", words))
    if len(words) < 2:
        return Transfer(words, [])
    *sources, target = words
    inside = target.endswith("/") or target in (".", "..") or len(sources) > 1
    return Transfer(sources, _inside(target, sources) if inside and not _one_file(command) else [target])


def _target_directory(command: Command) -> str | None:
    """The value of `-t` and its longer spellings."""
    for word, value in zip(command.args, (*command.args[1:], ""), strict=False):
        if word in ("-t", "--target-directory"):
            return value
        if word.startswith("--target-directory="):
            return word.partition("=")[2]
        if word.startswith("-t") and not word.startswith("--") and len(word) > 2:
            return word[2:]
    return None


def _one_file(command: Command) -> bool:
    """`-T`: the target is what it says, and no directory."""
    return command.has_flag("-T", "--no-target-directory", valued="mogS")


def _inside(directory: str, words: list[str]) -> list[str]:
    return [f"{directory.rstrip('/')}/{word.rstrip('/').rpartition('/')[2]}" for word in words]


def _copied(command: Command, ground: Ground) -> Iterator[Effect]:
    sources, places = _transfer(command)
    if command.program == "install" and command.has_flag("-d", "--directory", valued="mogtS"):
        yield from (ground.on_path(Act.WRITE, word, command, verb="make") for word in command.operands(_VALUED))
        return
    yield from (ground.on_path(Act.READ, word, command) for word in sources)
    yield from (ground.on_path(Act.WRITE, word, command, verb="replace") for word in places)


def _moved(command: Command, ground: Ground) -> Iterator[Effect]:
    sources, places = _transfer(command)
    yield from (ground.on_path(Act.MOVE, word, command, verb="move") for word in sources)
    verb = "keep" if command.has_flag("-n", "--no-clobber", "-b", "--backup", valued="tS") else "move"
    yield from (ground.on_path(Act.WRITE, word, command, verb=verb) for word in places)


def _linked(command: Command, ground: Ground) -> Iterator[Effect]:
    """A symbolic link says where it leads from where it stands; `content` is that path, resolved."""
    sources, places = _transfer(command)
    symbolic = command.has_flag("-s", "--symbolic", "-r", "--relative", valued="tS")
    for source, place in zip(sources, places, strict=False):
        directory = place.rpartition("/")[0] if symbolic and not command.has_flag("-r", "--relative") else ""
        lead = f"{directory}/{source}" if directory and not source.startswith(("/", "~")) else source
        target = command.path(lead)
        written = ground.path(Act.MOVE, place, command.cwd)  # the link is made anew, not what it led to
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
    """The symbolic links that a command makes, each with the path that it leads to."""
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
    """`rsync` between directories of this machine. With `--delete` it deletes what the source does not have."""
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
