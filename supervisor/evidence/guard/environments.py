"""What package managers do to the environment that the guard's interpreter runs from.

The environment may also hold a project's packages. Changes of those are allowed, as long as our package and its
dependencies stay as they were installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from supervisor.action import Action, Context
from supervisor.evidence.actions.commands import RUNNERS, run_by
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.machine.assets import Sort
from supervisor.evidence.shell import Command, shown

# Our package, its dependencies, and theirs.
PACKAGES = frozenset(
    "supervisor-guard supervisor anyio cryptography google-re2 h11 httpcore httpx orjson publicsuffixlist pydantic"
    " pyyaml regex rich sqlalchemy sqlglot tree-sitter tree-sitter-bash tree-sitter-javascript tree-sitter-python typer"
    " cffi click pydantic-core typing-extensions".split()
)
_MANAGERS = frozenset("pip pip3 uv conda mamba micromamba poetry pdm pipx".split())
_PYTHON_OPTIONS = frozenset("--python -p --prefix --root".split())
_TARGET_OPTIONS = frozenset("--target -t".split())
_REMOVES = frozenset({"uninstall", "remove"})
_REINSTALLS = ("--force-reinstall", "--ignore-installed", "-I", "--reinstall", "--force")
_PINNED = re.compile(r"^([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:==|<=?|~=|===|@)")
_ALL = frozenset({"uninstall-all", "reinstall-all"})


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """What an action's package managers do to the guard's environment. Raises Unreadable as `script` does."""
    if action.kind not in RUNNERS or not any(known.of(Sort.INTERPRETER, Sort.ENVIRONMENT)):
        return
    active = False
    for command in run_by(action, context).commands:
        if command.remote:
            continue
        if command.program in ("source", ".", "activate"):
            active = any(_is_there(word, command, known) for word in command.args[:1])
        elif command.program == "deactivate":
            active = False
        elif (words := _words(command)) and _reaches(active, words, command, known):
            yield Disarming(How.CHANGED, f"runs `{shown(command.text)}`", shown(command.text))


def _reaches(active: bool, words: Sequence[str], command: Command, known: Assets) -> bool:
    """Whether a package manager's arguments change the guard's environment."""
    if not _ALL.isdisjoint(words):
        return any("/pipx/" in asset.place for asset in known.of(Sort.ENVIRONMENT))
    return (active or _works_there(command, known)) and _changes(words, command)


def _words(command: Command) -> Sequence[str]:
    """The arguments of a package manager; none for any other program."""
    if command.program in _MANAGERS or re.fullmatch(r"pip3?\.\d+", command.program):
        return command.args
    if command.program.startswith("python") and command.args[:2] in (("-m", "pip"), ("-m", "uv")):
        return command.args[2:]
    return ()


def _works_there(command: Command, known: Assets) -> bool:
    """Whether a package manager stands in the guard's environment, or an option or variable points it there."""
    program = command.argv[0]
    if "/" in program and _is_there(program, command, known):
        return True
    if any(name == "VIRTUAL_ENV" and _is_there(value, command, known) for name, value in command.environment):
        return True
    for word, following in pairwise((*command.args, "")):
        option, equals, value = word.partition("=")
        if option in _PYTHON_OPTIONS | _TARGET_OPTIONS and _is_there(value if equals else following, command, known):
            return True
    return False


def _is_there(word: str, command: Command, known: Assets) -> bool:
    """Whether a path is the guard's environment, its libraries, or one of its programs."""
    if "/" not in word:
        return False
    path = command.path(word)
    asset = known.at(path)
    if asset is not None and asset.sort in (Sort.ENVIRONMENT, Sort.LIBRARY, Sort.INTERPRETER):
        return not path.startswith(("/usr/", "/opt/"))
    within = {f"{known.plain(each.place)}/bin" for each in known.of(Sort.ENVIRONMENT)}
    return known.plain(path).rpartition("/")[0] in within


def _changes(words: Sequence[str], command: Command) -> bool:
    """Whether arguments may remove our package, or replace it or one of its dependencies."""
    verb = next((word for word in words if not word.startswith("-") and word not in ("pip", "tool", "env")), "")
    names = [word.lower().replace("_", "-") for word in words if not word.startswith("-")]
    if verb == "sync":
        return command.program != "uv" or "pip" in words
    if verb in _REMOVES:
        return "env" in words or "--all" in words or not PACKAGES.isdisjoint(names)
    if verb != "install":
        return False
    ours = [word for word in names if re.split(r"[\[=<>~!@; ]", word)[0] in PACKAGES]
    if (any(word in _REINSTALLS for word in words) and ours) or "supervisor" in names:
        return True
    if any(word.partition("=")[0] in _TARGET_OPTIONS for word in words):
        return True
    pinned = (found[1] for word in names if (found := _PINNED.match(word)))
    return any(name in PACKAGES - {"supervisor-guard"} for name in pinned) or _is_fork(words, command)


def _is_fork(words: Sequence[str], command: Command) -> bool:
    """Whether a checkout of another supervisor replaces our package: `pip install -e ~/src/supervisor-fork`."""
    places = [value for option, value in pairwise(words) if option in ("-e", "--editable")]
    places += [word for word in words if word in (".", "..") or word.startswith(("./", "../", "/", "~"))]
    return any("supervisor" in command.path(place.partition("[")[0]).rpartition("/")[2] for place in places)
