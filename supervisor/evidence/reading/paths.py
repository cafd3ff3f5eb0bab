"""Where a path leads: into the workspace, to temporary files, to a home, to the system, or elsewhere.

Everything is lexical: nothing is looked up on a disk, so symbolic links are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from supervisor.evidence.reading import windows_paths

# Stands in a word for text that is known only at run time (a private-use character, so no path contains it).
HOLE = "\ue000"

_LONGEST = 4096  # characters; PATH_MAX of Linux

_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/private/var/folders")
_HOMES = ("/home", "/Users")
# Nothing below these belongs to a project, at any depth.
_SYSTEM_TREES = (
    *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/sbin", "/sys", "/System", "/usr"),
    *("/var/lib", "/var/log", "/var/spool", "/var/mail"),
)
# Trees that many parties share: only they themselves and their direct entries belong to the system.
_SHARED_TREES = ("/var", "/usr/local", "/Library", "/private", "/private/var")
_SHARED_ROOTS = ("/opt", "/srv", "/mnt", "/media", "/run", "/Applications", "/Volumes", "/data")
_OWN_IN_SYSTEM = ("/usr/local", "/usr/src", "/var/lib/apt/lists")

# Trees that a build, a package manager or a cache creates again after they are deleted.
_REBUILT_NAMES = (
    ".cache .gradle .m2 .mypy_cache .next .npm .nuxt .nyc_output .parcel-cache .pnpm-store .pytest_cache .ruff_cache "
    ".terraform .tox .turbo .venv .yarn __pycache__ _build bower_components build cache caches coverage dist "
    "deriveddata lists node_modules out target venv"
)
REBUILT = frozenset(_REBUILT_NAMES.split())


class Place(StrEnum):
    """What sort of place a path leads to. UNKNOWN if that is known only at run time."""

    WORKSPACE = "the workspace"
    TEMPORARY = "temporary files"
    HOME = "a home directory"
    ROOT = "the root of the file system"
    SYSTEM = "a system directory"
    OUTSIDE = "outside the workspace"
    NEAR = "on this machine or its own network"
    REMOTE = "on another machine"
    UNKNOWN = "an unknown place"


def resolve(word: str, cwd: str = ".") -> str:
    """The path that `word` names for a command running in `cwd`, normalised: `/…`, `~/…`, or relative to the start.

    A word that begins with a HOLE, or steps up out of one, is replaced by a HOLE: it may lead anywhere.
    """
    if (word[1:2] == ":" or word[:2] == "\\\\") and windows_paths.is_windows(word):
        word = windows_paths.canonical(word)
    elif not word.startswith(("/", "~", HOLE)):
        if cwd[1:2] == ":" or windows_paths.is_drive_path(cwd):
            word, cwd = word.replace("\\", "/").lower(), windows_paths.canonical(cwd)
        word = f"{cwd}/{word}"
    if word.startswith("/") and "/." not in word and "//" not in word and not word.endswith("/"):
        return word  # the common case
    base, parts = _split(word)
    kept: list[str] = []
    for part in parts:
        if part in ("", "."):
            continue
        if part != "..":
            kept.append(part)
        elif not kept or kept[-1] == "..":
            base = _step_up(base, kept)
        elif HOLE in kept.pop():
            return HOLE
    return _joined(base, kept)


def _step_up(base: str, kept: list[str]) -> str:
    """The base above `base`: a relative path keeps its `..`, a home lies in /home, and the root is its own parent."""
    if base == ".":
        kept.append("..")
    return "/home" if base == "~" else base


def _joined(base: str, kept: list[str]) -> str:
    if not kept:
        return base
    path = "/".join(kept)
    if base != ".":
        return f"{base.rstrip('/')}/{path}"
    if path.startswith(HOLE):
        return HOLE
    return f"./{path}" if path.startswith("~") else path  # a file called ~ is not a home


def _split(word: str) -> tuple[str, list[str]]:
    parts = word.split("/")
    if word.startswith("/"):
        return "/", parts
    if parts[0] == "~":
        return "~", parts[1:]
    if parts[0].startswith("~"):
        return f"/home/{parts[0][1:]}", parts[1:]
    return ".", parts


def without_glob(path: str) -> str:
    """The directory whose whole contents a pattern names: `/etc/*` is `/etc`, `~/.*` is `~`; other paths unchanged."""
    while path.rpartition("/")[2] in ("*", ".*", "**", "*.*", ".[!.]*", ".??*"):
        head, slash, _ = path.rpartition("/")
        path = head or slash or "."
    return path


def place_of(path: str, workspace: str | None) -> Place:
    """What sort of place a resolved path leads to, given the directory that the task may change, if known."""
    if path.startswith(HOLE):
        return Place.UNKNOWN
    workspace = resolve(workspace) if workspace else "."
    if not _is_root(workspace) and within(_homed(path, workspace), workspace):
        return Place.WORKSPACE
    if not path.startswith(("/", "~")):
        return Place.WORKSPACE if workspace == "." and not _climbs(path) else Place.OUTSIDE
    if path == "/":
        return Place.ROOT
    if any(within(path, tree) for tree in _TEMPORARY):
        return Place.TEMPORARY
    if path.startswith(f"/{HOLE}"):
        return Place.UNKNOWN
    if windows_paths.is_temporary(path):
        return Place.TEMPORARY
    if windows_paths.is_drive_path(path):
        return _place_on_windows(path)
    if _is_home(path):
        return Place.HOME
    return Place.SYSTEM if _is_system(path) else Place.OUTSIDE


def _is_root(workspace: str) -> bool:
    """Whether a directory holds all of a machine or of a drive, so that it is nobody's workspace."""
    return workspace == "/" or (windows_paths.is_drive_path(workspace) and windows_paths.is_root(workspace))


def _place_on_windows(path: str) -> Place:
    if windows_paths.is_root(path):
        return Place.ROOT
    if windows_paths.is_home(path):
        return Place.HOME
    return Place.SYSTEM if windows_paths.is_system(path) else Place.OUTSIDE


def within(path: str, directory: str) -> bool:
    """Whether a resolved path is `directory` or lies below it."""
    if directory == ".":
        return not path.startswith(("/", "~", HOLE)) and not _climbs(path)
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def with_parents(path: str) -> Iterator[str]:
    """A resolved path and every directory that it is `within`, up to the longest path that Linux can open."""
    yield path
    end = min(len(path), _LONGEST)
    while (end := path.rfind("/", 0, end)) >= 0:
        yield path[:end] or "/"
    if within(path, "."):
        yield "."


def _climbs(path: str) -> bool:
    return path == ".." or path.startswith("../")


def _homed(path: str, workspace: str) -> str:
    """Replaces `~` by the home that contains the workspace, so that both spellings of a path are equal."""
    parts = workspace.split("/")
    if path.startswith("~") and len(parts) > 2 and f"/{parts[1]}" in _HOMES:
        return f"/{parts[1]}/{parts[2]}{path[1:]}"
    return f"/root{path[1:]}" if path.startswith("~") and within(workspace, "/root") else path


def _is_home(path: str) -> bool:
    """Whether this is a home directory, the directory of all homes, or a direct entry of one (~/Documents, ~/.ssh)."""
    depth = path.count("/")
    if within(path, "~") or within(path, "/root"):
        return depth <= (1 if path.startswith("~") else 2)
    return any(within(path, homes) for homes in _HOMES) and depth <= 3


def _is_system(path: str) -> bool:
    if path in _SHARED_ROOTS or any(path == tree or path.rpartition("/")[0] == tree for tree in _SHARED_TREES):
        return True
    return any(within(path, tree) for tree in _SYSTEM_TREES) and not any(within(path, own) for own in _OWN_IN_SYSTEM)
