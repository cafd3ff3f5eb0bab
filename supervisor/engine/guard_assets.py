"""What belongs to the guard that is running here, as the fact `guard_assets` tells it to the specialists.

Computed once, when an engine is opened. See `supervisor.evidence.effects.guard.assets` for what becomes of it.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from supervisor.errors import BadInput
from supervisor.evidence.machine.agents import HOOKED
from supervisor.evidence.machine.assets import OURS, Asset, Sort, digest_of
from supervisor.intake.documents import read_json
from supervisor.policy import Policy, expanded

STATE = "~/.local/state/supervisor"
SOCKET = f"{STATE}/daemon.sock"
TOKEN = "~/.config/supervisor/token"  # noqa: S105 - where it stands, not what it is
INSTALLED = f"{STATE}/installed.json"
_MOST = 1024 * 1024  # bytes of the list of what was installed
_OWNER = "supervisor"
_TREES = (Sort.CODE, Sort.LIBRARY, Sort.RECORDS, Sort.TAXONOMY, Sort.STATE)


def assets_of(policy: Policy, more: Iterable[Asset] = ()) -> list[list[str]]:
    """Everything that belongs to a guard under a policy: place or name, owner, sort, and of hooks their digests.

    `more` is what only its opener knows, as the daemon its number. Raises BadInput where the list of what was installed
    cannot be read: a guard that does not know its own hooks does not start.
    """
    found = [Asset(str(Path.home()), "user", Sort.HOME), *more, *_of_policy(policy), *_by_default()]
    for row in installed():
        found += _of_installed(row)
    found += [*_in_settings(), *_of_interpreter()]
    places = dict.fromkeys(each for asset in found for each in _with_real(asset))
    return [[str(part) for part in (asset if asset.told else asset[:3])] for asset in _outermost(places)]


def daemon_assets(socket: Path, token: Path, port: int | None) -> list[Asset]:
    """What belongs to a daemon in this process."""
    line = " ".join([sys.executable, "-P", "-m", "supervisor", "serve", "--socket", str(socket)])
    found = [Asset(str(os.getpid()), _OWNER, Sort.PROCESS), Asset(line, _OWNER, Sort.COMMAND), *_of_socket(socket)]
    found.append(Asset(str(token.absolute()), _OWNER, Sort.TOKEN))
    return [*found, Asset(str(port), _OWNER, Sort.PORT)] if port else found


def _of_policy(policy: Policy) -> Iterator[Asset]:
    if isinstance(file := policy.facts.get("policy_file"), str):
        yield Asset(file, _OWNER, Sort.POLICY)
    for folder in policy.taxonomy.folders:
        yield Asset(_absolute(folder), _OWNER, Sort.TAXONOMY)
    if policy.records.path is not None:
        yield Asset(_absolute(policy.records.path), _OWNER, Sort.RECORDS)
    yield Asset(_absolute(policy.records.key), _OWNER, Sort.KEY)


def _by_default() -> Iterator[Asset]:
    """What stands at its place by default, or where the environment says."""
    yield Asset(_absolute(STATE), _OWNER, Sort.STATE)
    yield Asset(_absolute("~/.config/supervisor"), _OWNER, Sort.STATE)
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    yield Asset(f"{_absolute(cache)}/supervisor", _OWNER, Sort.CACHE)
    if named := os.environ.get("SUPERVISOR_POLICY"):
        yield Asset(_absolute(named), _OWNER, Sort.POLICY)
    yield from _of_socket(Path(_absolute(os.environ.get("SUPERVISOR_SOCKET") or SOCKET)))
    yield Asset(_absolute(os.environ.get("SUPERVISOR_TOKEN_FILE") or TOKEN), _OWNER, Sort.TOKEN)


def _of_socket(socket: Path) -> Iterator[Asset]:
    for ending in ("", ".lock", ".log"):
        yield Asset(f"{socket.absolute()}{ending}", _OWNER, Sort.SOCKET)


def _of_interpreter() -> Iterator[Asset]:
    """The package, what it is started by, and where that finds its modules."""
    package = Path(__file__).resolve().parents[1]
    yield Asset(str(package), _OWNER, Sort.CODE)
    for beside in ("specialists", "taxonomy"):  # of a checkout, which are in the package once it is installed
        if (package.parent / beside / "__init__.py").is_file() and (package.parent / "pyproject.toml").is_file():
            yield Asset(str(package.parent / beside), _OWNER, Sort.CODE)
    for name in ("purelib", "platlib", "stdlib"):
        yield Asset(sysconfig.get_path(name), "python", Sort.LIBRARY)
    if site.ENABLE_USER_SITE and (own := site.getusersitepackages()):
        yield Asset(own, "python", Sort.LIBRARY)
    if sys.executable:  # none where Python is embedded
        yield Asset(sys.executable, "python", Sort.INTERPRETER)
        yield Asset(str(Path(sys.executable).with_name("supervisor")), _OWNER, Sort.INTERPRETER)
        for name in ("python", "python3", f"python3.{sys.version_info.minor}"):  # one leads to another
            if (other := Path(sys.executable).with_name(name)).exists():
                yield Asset(str(other), "python", Sort.INTERPRETER)
    if sys.prefix != sys.base_prefix:
        yield Asset(sys.prefix, "python", Sort.ENVIRONMENT)
        yield Asset(f"{sys.prefix}/pyvenv.cfg", "python", Sort.INTERPRETER)
    if perl := shutil.which("perl"):
        yield Asset(perl, "perl", Sort.INTERPRETER)


# What `install` has put where


def installed() -> list[Mapping[str, Any]]:
    """What `install` has written: of each host the settings file, the socket, the policy and our commands. BadInput."""
    file = Path(_absolute(INSTALLED))
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot be read: {error}", place=str(file), code="bad_installed") from None
    cure = "remove it, and run `supervisor install` again for each host"
    try:
        rows = read_json(text, limit=_MOST)
    except BadInput as error:
        raise BadInput(f"{error}; {cure}", place=str(file), code="bad_installed") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) and _is_row(row) for row in rows):
        raise BadInput(f"is no list of what was installed; {cure}", place=str(file), code="bad_installed")
    return rows


def _is_row(row: Mapping[str, Any]) -> bool:
    named = all(isinstance(row.get(name), str) for name in ("host", "file", "socket"))
    commands = row.get("commands")
    return named and isinstance(commands, list) and all(isinstance(line, str) for line in commands)


def note_installed(host: str, file: Path, socket: Path, policy: Path | None, commands: Iterable[str]) -> None:
    """Keeps what was put into a host's settings file in the list, which only its owner reads. BadInput, OSError."""
    named = str(policy) if policy else None
    told = {"host": host, "file": str(file), "socket": str(socket), "policy": named, "commands": sorted(set(commands))}
    _rewrite(str(file), [told])


def forget_installed(file: Path) -> None:
    """Takes a host's settings file out of the list. BadInput, OSError."""
    _rewrite(str(file), [])


def _rewrite(file: str, told: list[Mapping[str, Any]]) -> None:
    """Puts the list in place whole, with what is told of one file, and while nobody else does."""
    place = Path(_absolute(INSTALLED))
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(f"{place}.lock", "wb", opener=_private) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        rows = [row for row in installed() if row["file"] != file] + told
        fresh = f"{place}.{os.getpid()}"
        with open(fresh, "w", encoding="utf-8", opener=_private) as opened:
            json.dump(rows, opened, indent=2)
        os.replace(fresh, place)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _of_installed(row: Mapping[str, Any]) -> Iterator[Asset]:
    told = " ".join(sorted(digest_of(line) for line in row["commands"]))
    yield Asset(row["file"], row["host"], Sort.HOOKS, told)
    yield from _of_socket(Path(row["socket"]))
    if row.get("policy"):
        yield Asset(row["policy"], _OWNER, Sort.POLICY)


def _in_settings() -> Iterator[Asset]:
    """The settings by default of each host in which we stand, whoever wrote them, and where its variable moves them."""
    known = {row["file"] for row in installed()}
    for host, agent in HOOKED.items():
        folders = [Path.home() / agent.folder, *filter(None, [_moved(agent.home)])]
        for file in (folder / agent.hooks for folder in folders):
            if str(file) not in known and _holds_ours(file):
                yield Asset(str(file), host, Sort.HOOKS)


def _moved(variable: str) -> Path | None:
    value = os.environ.get(variable)
    return Path(value).absolute() if value else None


def _holds_ours(file: Path) -> bool:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return OURS.search(opened.read(_MOST)) is not None
    except OSError:  # there is none, or it is not for us to read, nor for the host
        return False


# One row for each place


def _with_real(asset: Asset) -> Iterator[Asset]:
    """The place, and where its links lead."""
    yield asset
    if asset.place.startswith("/") and asset.sort not in (Sort.HOME, Sort.COMMAND):
        real = os.path.realpath(asset.place)
        if real != asset.place:
            yield asset._replace(place=real)


def _outermost(assets: Iterable[Asset]) -> list[Asset]:
    """Without what stands in a tree that is an asset as a whole, unless more is told of it than that."""
    found = list(dict.fromkeys(assets))
    trees = [asset.place.rstrip("/") + "/" for asset in found if asset.sort in _TREES]
    plain = (Sort.SOCKET, Sort.TOKEN, Sort.HOOKS, Sort.POLICY)
    return [each for each in found if each.sort in plain or not each.place.startswith(tuple(trees))]


def _absolute(path: str) -> str:
    return str(expanded(path).absolute())
