"""The files, processes and programs of the running guard. Specialists see them as the fact `guard_assets`.

They are computed once, when an engine is opened. `supervisor.evidence.effects.guard.assets` reads them.
"""

from __future__ import annotations

import fcntl
import json
import os
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
TASKS_TOKEN = "~/.config/supervisor/tasks-token"  # noqa: S105 - of programs that hand out tasks
INSTALLED = f"{STATE}/installed.json"
_MOST = 1024 * 1024  # bytes of the list of what was installed
_OWNER = "supervisor"
_TREES = (Sort.CODE, Sort.LIBRARY, Sort.RECORDS, Sort.TAXONOMY, Sort.STATE)


def assets_of(policy: Policy, more: Iterable[Asset] = ()) -> list[list[str]]:
    """The assets of a guard under a policy. A row has place or name, owner, sort, and for hooks their digests.

    `more` are the assets that only the caller knows, such as the daemon's process id. Raises BadInput if the list of
    installed hooks cannot be read: a guard that does not know its own hooks does not start.
    """
    found = [Asset(str(Path.home()), "user", Sort.HOME), *more, *_of_policy(policy), *_by_default()]
    for row in installed():
        found += _of_installed(row)
    found += [*_in_settings(), *_of_interpreter()]
    places = dict.fromkeys(each for asset in found for each in _with_real(asset))
    return [[str(part) for part in (asset if asset.digests else asset[:3])] for asset in _outermost(places)]


def daemon_assets(socket: Path, token: Path, port: int | None) -> list[Asset]:
    """The assets of a daemon in this process."""
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
    """The assets at their default places, or where environment variables put them."""
    yield Asset(_absolute(STATE), _OWNER, Sort.STATE)
    yield Asset(_absolute("~/.config/supervisor"), _OWNER, Sort.STATE)
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    yield Asset(f"{_absolute(cache)}/supervisor", _OWNER, Sort.CACHE)
    if named := os.environ.get("SUPERVISOR_POLICY"):
        yield Asset(_absolute(named), _OWNER, Sort.POLICY)
    yield from _of_socket(Path(_absolute(os.environ.get("SUPERVISOR_SOCKET") or SOCKET)))
    yield Asset(_absolute(os.environ.get("SUPERVISOR_TOKEN_FILE") or TOKEN), _OWNER, Sort.TOKEN)
    yield Asset(_absolute(TASKS_TOKEN), _OWNER, Sort.TOKEN)


def _of_socket(socket: Path) -> Iterator[Asset]:
    for ending in ("", ".lock", ".log"):
        yield Asset(f"{socket.absolute()}{ending}", _OWNER, Sort.SOCKET)


def _of_interpreter() -> Iterator[Asset]:
    """The package, the interpreters that run it, and the folders from which they import modules."""
    package = Path(__file__).resolve().parents[1]
    yield Asset(str(package), _OWNER, Sort.CODE)
    for beside in ("specialists", "taxonomy"):  # in a checkout; an installed package contains them
        if (package.parent / beside / "__init__.py").is_file() and (package.parent / "pyproject.toml").is_file():
            yield Asset(str(package.parent / beside), _OWNER, Sort.CODE)
    for name in ("purelib", "platlib", "stdlib"):
        yield Asset(sysconfig.get_path(name), "python", Sort.LIBRARY)
    if site.ENABLE_USER_SITE and (own := site.getusersitepackages()):
        yield Asset(own, "python", Sort.LIBRARY)
    if sys.executable:  # none where Python is embedded
        yield Asset(sys.executable, "python", Sort.INTERPRETER)
        yield Asset(str(Path(sys.executable).with_name("supervisor")), _OWNER, Sort.INTERPRETER)
        for name in ("python", "python3", f"python3.{sys.version_info.minor}"):  # links to one another
            if (other := Path(sys.executable).with_name(name)).exists():
                yield Asset(str(other), "python", Sort.INTERPRETER)
    if sys.prefix != sys.base_prefix:
        yield Asset(sys.prefix, "python", Sort.ENVIRONMENT)
        yield Asset(f"{sys.prefix}/pyvenv.cfg", "python", Sort.INTERPRETER)
    for folder in os.get_exec_path():  # like `shutil.which`, whose module imports every compression
        if os.access(perl := os.path.join(folder, "perl"), os.X_OK) and not os.path.isdir(perl):
            yield Asset(perl, "perl", Sort.INTERPRETER)
            return


# The list of what `supervisor install` wrote


def installed() -> list[Mapping[str, Any]]:
    """The rows that `install` wrote: host, its settings file, socket, policy and our commands. Raises BadInput."""
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
    """Adds what was written to a host's settings file to the list. Only its owner can read the list. Raises BadInput
    or OSError."""
    named = str(policy) if policy else None
    row = {"host": host, "file": str(file), "socket": str(socket), "policy": named, "commands": sorted(set(commands))}
    _rewrite(str(file), [row | {"scope": _scope_of(str(file))}])


def forget_installed(file: Path) -> None:
    """Removes a host's settings file from the list. Raises BadInput or OSError."""
    _rewrite(str(file), [])


def _rewrite(file: str, fresh_rows: list[Mapping[str, Any]]) -> None:
    """Replaces the rows of one settings file. The list is locked, and replaced as a whole."""
    place = Path(_absolute(INSTALLED))
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(f"{place}.lock", "wb", opener=_private) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        rows = [row for row in installed() if row["file"] != file] + fresh_rows
        fresh = f"{place}.{os.getpid()}"
        with open(fresh, "w", encoding="utf-8", opener=_private) as opened:
            json.dump(rows, opened, indent=2)
        os.replace(fresh, place)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _of_installed(row: Mapping[str, Any]) -> Iterator[Asset]:
    digests = " ".join(sorted(digest_of(line) for line in row["commands"]))
    yield Asset(row["file"], row["host"], Sort.HOOKS, digests)
    yield from _of_socket(Path(row["socket"]))
    if row.get("policy"):
        yield Asset(row["policy"], _OWNER, Sort.POLICY)


def _in_settings() -> Iterator[Asset]:
    """Each host's settings file, at the default place or where its variable moves it, if it contains our hooks.
    `install` need not have written them."""
    known = {row["file"] for row in installed()}
    for host in HOOKED:
        for file in _of_user(host):
            if str(file) not in known and _holds_ours(file):
                yield Asset(str(file), host, Sort.HOOKS)


def _of_user(host: str) -> list[Path]:
    """The places of a host's settings file for this user, as opposed to those of a project."""
    agent = HOOKED[host]
    folders = [Path.home() / agent.folder, *filter(None, [_moved(agent.home)])]
    return [folder / agent.hooks for folder in folders]


def policies_of_user(socket: str) -> dict[str, str]:
    """By host, the policy with which `install` put the hooks for a socket into the user's own settings. Raises
    BadInput."""
    rows = [row for row in installed() if row["socket"] == socket and row.get("policy")]
    return {row["host"]: row["policy"] for row in rows if (row.get("scope") or _scope_of(row["file"])) == "user"}


def _scope_of(file: str) -> str:
    return "user" if any(Path(file) in _of_user(host) for host in HOOKED) else "project"


def _moved(variable: str) -> Path | None:
    value = os.environ.get(variable)
    return Path(value).absolute() if value else None


def _holds_ours(file: Path) -> bool:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return OURS.search(opened.read(_MOST)) is not None
    except OSError:  # it does not exist, or neither we nor the host may read it
        return False


# One row for each place


def _with_real(asset: Asset) -> Iterator[Asset]:
    """The asset, and the one that its symbolic links resolve to."""
    yield asset
    if asset.place.startswith("/") and asset.sort not in (Sort.HOME, Sort.COMMAND):
        real = os.path.realpath(asset.place)
        if real != asset.place:
            yield asset._replace(place=real)


def _outermost(assets: Iterable[Asset]) -> list[Asset]:
    """Drops assets inside a tree that is an asset as a whole, except sorts that carry more than the tree does."""
    found = list(dict.fromkeys(assets))
    trees = [asset.place.rstrip("/") + "/" for asset in found if asset.sort in _TREES]
    plain = (Sort.SOCKET, Sort.TOKEN, Sort.HOOKS, Sort.POLICY)
    return [each for each in found if each.sort in plain or not each.place.startswith(tuple(trees))]


def _absolute(path: str) -> str:
    return str(expanded(path).absolute())
