"""Directories of this machine inside a container that is made for a command, and inside a changed root."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from supervisor.evidence.reading.paths import HOLE, resolve, within
from supervisor.evidence.shell.commands import Command
from supervisor.evidence.shell.inner import values_of

Mounts = tuple[tuple[str, str], ...]  # (path there, path here)
_VOLUMES = "/var/lib/docker/volumes"  # where the daemon keeps volumes that have a name


def of_container(command: Command, words: Sequence[str]) -> Mounts:
    """What `docker run -v /data:/d --mount type=bind,src=.,dst=/s` shares, from the words before the image."""
    shared = [each.split(":")[:2] for each in values_of(words, "-v", "--volume")]
    for value in values_of(words, "--mount"):
        fields = dict(part.partition("=")[::2] for part in value.split(","))
        source, target = fields.get("source", fields.get("src", "")), fields.get("target", fields.get("dst", ""))
        shared.append([source, target or fields.get("destination", "")])
    return tuple(_mounts(command, (each for each in shared if len(each) == 2 and all(each))))


def _mounts(command: Command, shared: Iterable[Sequence[str]]) -> Iterator[tuple[str, str]]:
    for source, target in shared:
        is_path = source.startswith(("/", "~", ".", HOLE))
        yield resolve(target), command.path(source) if is_path else f"{_VOLUMES}/{source}/_data"


def from_outside(mounts: Mounts, outer: Mounts | None) -> Mounts:
    """The mounts with their paths as the machine around the outer container has them."""
    if outer is None:
        return mounts
    return tuple((there, found) for there, here in mounts if (found := path_here(here, False, outer)) is not None)


def path_here(path: str, whole: bool, mounts: Mounts) -> str | None:
    """The path on this machine that a path of the container is; with `whole`, the directory mounted below it. None if
    the path belongs to the container alone."""
    above = [each for each in mounts if within(path, each[0])]
    if above:
        there, here = max(above, key=lambda each: len(each[0]))
        rest = path if there == "/" else path[len(there) :]
        return resolve(f"{here}/{rest}".rstrip("/") or "/") if rest else here
    return next((here for there, here in mounts if within(there, path)), None) if whole else None
